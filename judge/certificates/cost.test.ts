import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import type { Entry, Group } from '../entries.ts';
import type { Given } from '../testing/traces.ts';
import { blamePartsOf } from './blame-part.ts';
import { type Ground, isClear } from './ground.ts';
import { promiseProof } from './promise-proof.ts';
import { remainingOn429Proof, remainingProof } from './remaining-proof.ts';
import { admittedAt, groundOf, limitedAt } from './testing/exact.ts';

/** How often a proof reads when a request may have been counted: what its time grows with, on any machine. */
function readsOf(ask: (ground: Ground) => unknown, ground: Ground): number {
  let reads = 0;
  const known = new Map<Entry, Entry>();
  const watched = (entry: Entry): Entry => {
    const { lowMs, highMs } = entry;
    const before = known.get(entry);
    if (before !== undefined) return before;
    const counting = {
      ...entry,
      get lowMs() {
        reads += 1;
        return lowMs;
      },
      get highMs() {
        reads += 1;
        return highMs;
      },
    };
    known.set(entry, counting);
    return counting;
  };
  const { group } = ground;
  const [entries, admitted, limited, mayCount, explaining] = (
    ['entries', 'admitted', 'limited', 'mayCount', 'explaining'] as const
  ).map((which) => group[which].map(watched)) as [Entry[], Entry[], Entry[], Entry[], Entry[]];
  const asked: Group = { ...group, entries, admitted, limited, mayCount, explaining };
  ask({ ...ground, group: asked });
  return reads;
}

/** A key that sends three a second, of which one is refused, for so many seconds. */
const press = (seconds: number, { sent = {}, refused = {} }: { sent?: Given; refused?: Given } = {}) =>
  Array.from({ length: seconds }, (_, second) => [
    admittedAt(second * 1_000, second * 1_000 + 5, sent),
    limitedAt(second * 1_000 + 300, second * 1_000 + 305, { ...sent, ...refused }),
    admittedAt(second * 1_000 + 600, second * 1_000 + 605, sent),
  ]).flat();

type Case = {
  readonly ask: (ground: Ground) => unknown;
  readonly exchanges: (seconds: number) => readonly Exchange[];
};

describe('twice as long a trace takes about twice as long to prove', () => {
  test.each<[string, Case]>([
    ['a wait that was in vain', { ask: promiseProof, exchanges: (seconds) => press(seconds) }],
    [
      'refusals that no cap per second explains',
      {
        ask: ({ group }) => group.limited.filter((refusal) => isClear(group, refusal)),
        exchanges: (seconds) => press(seconds),
      },
    ],
    [
      'values that fit each count',
      {
        ask: (ground) => remainingProof(ground, 'too-high', []),
        exchanges: (seconds) => press(seconds, { sent: { remaining: '0' } }),
      },
    ],
    [
      'values of refusals',
      {
        ask: (ground) => remainingOn429Proof(ground, []),
        exchanges: (seconds) => press(seconds, { refused: { remaining: '0' } }),
      },
    ],
    [
      'one window for all scopes',
      {
        ask: (ground) => blamePartsOf(ground, 'one-window-for-scopes'),
        exchanges: (seconds) => [...press(seconds), ...press(seconds, { sent: { scope: 'messages' } })],
      },
    ],
  ])('%s', (_what, { ask, exchanges }) => {
    const [reads, ofTwice] = [200, 400].map((seconds) => readsOf(ask, groundOf(exchanges(seconds)))) as [
      number,
      number,
    ];
    expect(ofTwice / reads).toBeLessThan(2.5);
    expect(reads).toBeGreaterThan(0);
  });
});

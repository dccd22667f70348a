import fc from 'fast-check';
import { expect, it } from 'vitest';
import { settledAfterMs } from '../../contract/bounds.ts';
import { type PromiseSetting, promiseOf } from '../../contract/document/promise.ts';
import { groupsOf } from '../../judge/entries.ts';
import { promisedOf } from '../../judge/promises/promised-group.ts';
import type { Promised } from '../../judge/promises/prover.ts';
import { provingOf } from '../../judge/promises/provers.ts';
import { withoutAnyRefusal, withTheseRefusals } from '../../judge/without-refusals.ts';
import { tied } from '../soundness/k6-world.ts';
import { playedTraffic, traffic } from './traffic.ts';

/** What is asked about is as promised, or anything else: then much is not explained. */
const asked = fc.record({
  traffic,
  limit: fc.integer({ min: 1, max: 6 }),
  share: fc.constantFrom(1, 1, 0.5, 0.1),
});

type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;

/** What each key did in each scope, with all 429s to be explained, by a limit and a window of one's own. */
function promisedFor({ traffic: given, limit, share }: Asked): readonly Promised[] {
  const trace = tied(playedTraffic(given));
  return groupsOf(trace).map((group) => {
    const promised = promisedOf(group, { ...trace.header.deployment, exclusiveKeys: true });
    const windowMs = group.windowMs * share;
    const settledMs = promised.begunMs + settledAfterMs(windowMs);
    return { ...promised, group: { ...promised.group, limit, windowMs, settledMs } };
  });
}

/** Which 429s a promise explains where it is asked about each by itself, and all others may have counted. */
function explainedAlone(promised: Promised, setting: PromiseSetting) {
  const { group, refusals } = promised;
  const none = withoutAnyRefusal(group);
  const { prove } = provingOf(promiseOf({ promise: setting, limit: group.limit }));
  if (prove({ ...promised, group: none, refusals: [] }) !== null) return null;
  return refusals.filter((refusal) => {
    const alone = withTheseRefusals(group, new Set([refusal.exchange]));
    return prove({ ...promised, group: alone, refusals: [refusal] }) === null;
  });
}

function explained(promised: Promised, setting: PromiseSetting) {
  const { group } = promised;
  const { explained: explain } = provingOf(promiseOf({ promise: setting, limit: group.limit }));
  return explain({ ...promised, group: withoutAnyRefusal(group) });
}

const idsOf = (entries: readonly { readonly exchange: { readonly requestId: string } }[]) =>
  entries.map(({ exchange }) => exchange.requestId);

it.each(['rolling', 'at-most', 'at-least', 'token-bucket', { kind: 'fixed', aligned: 'clock' }] as const)(
  'asked about all 429s at once, %j explains what it does one by one',
  (setting) => {
    let [one, unexplained] = [0, 0];
    fc.assert(
      fc.property(asked, (given) => {
        for (const promised of promisedFor(given)) {
          const alone = explainedAlone(promised, setting);
          if (alone === null) continue;
          expect(idsOf(explained(promised, setting))).toEqual(idsOf(alone));
          one += alone.length;
          unexplained += promised.refusals.length - alone.length;
        }
      }),
      { numRuns: 60, seed: 20_261_129 },
    );
    expect(one).toBeGreaterThan(100);
    if (setting !== 'at-most') expect(unexplained).toBeGreaterThan(10);
  },
);

// What is asked about may have begun the window itself.
it.each([
  'unsaid',
  { kind: 'fixed', aligned: 'first-request' },
  { kind: 'fixed', aligned: 'unsaid' },
] as const)('asked about all 429s at once, %j explains no fewer, and hardly more', (setting) => {
  let [all, more, unexplained] = [0, 0, 0];
  fc.assert(
    fc.property(asked, (given) => {
      for (const promised of promisedFor(given)) {
        const alone = explainedAlone(promised, setting);
        if (alone === null) continue;
        const found = idsOf(explained(promised, setting));
        expect(found).toEqual(expect.arrayContaining(idsOf(alone)));
        all += promised.refusals.length;
        more += found.length - alone.length;
        unexplained += promised.refusals.length - found.length;
      }
    }),
    { numRuns: 60, seed: 20_261_129 },
  );
  expect(unexplained).toBeGreaterThan(10);
  expect(more / all).toBeLessThan(0.01);
});

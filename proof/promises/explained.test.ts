import fc from 'fast-check';
import { expect, it } from 'vitest';
import { settledAfterMs } from '../../contract/bounds.ts';
import { type PromiseSetting, promiseOf } from '../../contract/document/promise.ts';
import { groupsOf } from '../../judge/entries.ts';
import { promisedOf } from '../../judge/promises/promised-group.ts';
import type { PromisedGroup } from '../../judge/promises/prover.ts';
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
function promisedFor({ traffic: given, limit, share }: Asked): readonly PromisedGroup[] {
  const trace = tied(playedTraffic(given));
  return groupsOf(trace).map((group) => {
    const promised = promisedOf(group, { ...trace.header.deployment, exclusiveKeys: true });
    const windowMs = group.windowMs * share;
    const settledMs = promised.begunMs + settledAfterMs(windowMs);
    return { ...promised, group: { ...promised.group, limit, windowMs, settledMs } };
  });
}

/** Which 429s a promise explains where it is asked about each by itself, and all others may have counted. */
function explainedAlone(promised: PromisedGroup, setting: PromiseSetting) {
  const { group, refusals } = promised;
  const none = withoutAnyRefusal(group);
  const { prove } = provingOf(promiseOf({ promise: setting, limit: group.limit }));
  if (prove({ ...promised, group: none, refusals: [] }) !== null) return null;
  return refusals.filter((refusal) => {
    const alone = withTheseRefusals(group, new Set([refusal.exchange]));
    return prove({ ...promised, group: alone, refusals: [refusal] }) === null;
  });
}

function explained(promised: PromisedGroup, setting: PromiseSetting) {
  const { group } = promised;
  const { explained: explain } = provingOf(promiseOf({ promise: setting, limit: group.limit }));
  return explain({ ...promised, group: withoutAnyRefusal(group) });
}

const idsOf = (entries: readonly { readonly exchange: { readonly requestId: string } }[]) =>
  entries.map(({ exchange }) => exchange.requestId);

/** Compares what is explained at once and one by one, and counts the 429s: all, those explained at once, and one by one. */
function compared(
  setting: PromiseSetting,
  compare: (atOnce: readonly string[], alone: readonly string[]) => void,
) {
  let [all, atOnce, byOne] = [0, 0, 0];
  fc.assert(
    fc.property(asked, (given) => {
      for (const promised of promisedFor(given)) {
        const alone = explainedAlone(promised, setting);
        if (alone === null) continue;
        const found = explained(promised, setting);
        compare(idsOf(found), idsOf(alone));
        all += promised.refusals.length;
        atOnce += found.length;
        byOne += alone.length;
      }
    }),
    { numRuns: 60, seed: 20_261_129 },
  );
  return { all, atOnce, byOne };
}

it.each(['rolling', 'at-most', 'at-least', 'token-bucket', { kind: 'fixed', aligned: 'clock' }] as const)(
  'asked about all 429s at once, %j explains what it does one by one',
  (setting) => {
    const { all, byOne } = compared(setting, (atOnce, alone) => expect(atOnce).toEqual(alone));
    expect(byOne).toBeGreaterThan(100);
    if (setting !== 'at-most') expect(all - byOne).toBeGreaterThan(10);
  },
);

// What is asked about may have begun the window itself.
it.each([
  'unsaid',
  { kind: 'fixed', aligned: 'first-request' },
  { kind: 'fixed', aligned: 'unsaid' },
] as const)('asked about all 429s at once, %j explains no fewer, and hardly more', (setting) => {
  const { all, atOnce, byOne } = compared(setting, (found, alone) =>
    expect(found).toEqual(expect.arrayContaining([...alone])),
  );
  expect(all - atOnce).toBeGreaterThan(10);
  expect((atOnce - byOne) / all).toBeLessThan(0.01);
});

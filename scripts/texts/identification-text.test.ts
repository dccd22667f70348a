import { expect, it } from 'vitest';
import { describe as described } from '../../judge/identify/describe.ts';
import { identify } from '../../judge/identify/identify.ts';
import type { ObservedRequest } from '../../judge/identify/observations.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { identificationText } from './identification-text.ts';

const burst = (fromMs: number): readonly number[] => Array.from({ length: 14 }, (_, at) => fromMs + at);

/** A first request, a burst, single requests until the window is over, and a burst. */
const sending = [
  0,
  ...burst(3_000),
  ...[5_000, 10_000, 15_000, 19_000, 19_950, 20_050, 20_600, 22_000, 22_950],
  ...burst(23_100),
];

/** What a client sees of a budget of 60 in 20 s of which each of its requests costs `cost`. */
function traceOf(cost: number): readonly ObservedRequest[] {
  const budget = openWindow(slidingLog({ limit: 60, windowMs: 20_000 }));
  return sending.map((sentMs): ObservedRequest => {
    const takes = budget.decide(sentMs + 1);
    const rest = takes.admitted
      ? Array.from({ length: cost - 1 }, () => budget.decide(sentMs + 1).admitted)
      : [];
    const admitted = takes.admitted && rest.every(Boolean);
    return { sentMs, receivedMs: sentMs + 2, outcome: admitted ? 'admitted' : 'limited' };
  });
}

it('says of which requests the limit is: where each costs 5 of 60, 12 pass', () => {
  const found = described(identify(traceOf(5)));
  expect([found.algorithm, found.limit, found.windowSeconds?.value]).toEqual(['sliding-log', 12, 20]);
  const text = identificationText(found);
  expect(text).toMatch(/^limit {7}12 in 20 s/m);
  expect(text).toContain(
    'of requests like this one; a limiter by which each of them costs c is set to c times',
  );
});

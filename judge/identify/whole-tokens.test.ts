import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWindow } from '../../limiters/limiter.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { type Observations, type ObservedRequest, observe } from './observations.ts';
import { admitted, limited, refused } from './testing/observed.ts';
import { histories, inTurn, played } from './testing/played.ts';
import { wholeTokensOf } from './whole-tokens.ts';

const sentBy = ({ admissions, high }: Observations) =>
  Float64Array.from(high, (ms) => admissions.possibleLow.filter((one) => one <= ms).length);

/** What the last refusal of a trace asks. */
const asked = (trace: readonly ObservedRequest[]) => {
  const seen = observe(trace);
  return wholeTokensOf(seen, sentBy(seen))(seen.limited.at(-1) as number);
};

const two = [admitted(0), admitted(0)];

// A request may have been decided a millisecond before it was sent.
describe('a bucket of whole tokens that refuses', () => {
  it('got none since the last admission before', () => {
    expect(asked([...two, limited(900)])).toBe(899);
    expect(asked([...two, limited(10), admitted(1_000), limited(2_800)])).toBe(1_799);
  });

  it('got none since one that may have been admitted', () => {
    expect(asked([...two, refused(500), limited(900)])).toBe(399);
    // One on its way with it may have been the last.
    expect(asked([...two, refused(500, 900), limited(900)])).toBe(0);
  });

  it('got no more, by the first admission after another refusal, than were taken since', () => {
    // Had two come by 1999, one would have been left.
    expect(asked([...two, limited(10), admitted(2_000), limited(2_010)])).toBe(1_999 / 2);
    expect(asked([...two, limited(10), admitted(2_000), admitted(2_001), limited(2_010)])).toBe(1_999 / 3);
    // What was on its way with that refusal may have been admitted before it, or after.
    expect(asked([...two, refused(5, 20), limited(10), admitted(2_000), limited(2_010)])).toBe(9);
  });

  it('is asked by the last refusal before the admission that was surely decided before', () => {
    const slow = [
      ...two,
      limited(10),
      admitted(1_000),
      limited(1_010, 2_400),
      admitted(2_300),
      limited(2_310),
    ];
    expect(asked(slow)).toBe(999 / 3);
  });

  it('asks nothing where nothing was admitted before', () => {
    expect(asked([limited(0), limited(900)])).toBe(0);
    expect(asked([limited(0), admitted(500), limited(900)])).toBe(399);
  });
});

/** How long before a refusal the last was admitted that may have been; 0 where one was on its way with it. */
function sinceLast({ admissions, low, high }: Observations, at: number): number {
  const sent = admissions.possibleLow.filter((ms) => ms <= (high[at] as number)).length;
  const ended = admissions.possibleHigh.filter((ms) => ms < (low[at] as number));
  return ended.length === sent && sent > 0 ? (low[at] as number) - Math.max(...ended) : 0;
}

function sinceRefusal(seen: Observations, at: number): number {
  const { admissions, low, high, limited: refusals } = seen;
  const counts = sentBy(seen);
  const [before] = refusals
    .filter((one) => (high[one] as number) < (low[at] as number) && sinceLast(seen, one) > 0)
    .map((one) => ({ count: counts[one] as number, sinceMs: (low[one] as number) - sinceLast(seen, one) }))
    .filter(({ count }) => count < (counts[at] as number))
    .sort((left, right) => right.count - left.count);
  if (before === undefined) return 0;
  const { count, sinceMs } = before;
  return ((admissions.possibleLow[count] as number) - sinceMs) / ((counts[at] as number) - count + 1);
}

it('asks for the same as if each refusal before had been looked at', () => {
  fc.assert(
    fc.property(histories, ({ sending, latenciesMs }) => {
      const window = openWindow(tokenBucket({ limit: 3, windowMs: 9_000 }));
      const latencyMs = inTurn(latenciesMs);
      const seen = observe(played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs }));
      const ask = wholeTokensOf(seen, sentBy(seen));
      for (const at of seen.limited)
        expect(ask(at)).toBeCloseTo(Math.max(sinceLast(seen, at), sinceRefusal(seen, at)), 6);
    }),
    { numRuns: 100, seed: 5 },
  );
});

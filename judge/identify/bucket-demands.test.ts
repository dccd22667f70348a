import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openWindow } from '../../limiters/limiter.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { bucketDemands, longestGapMs, possibleBursts } from './bucket-demands.ts';
import { isMet, lengthsMeeting } from './length-sweep.ts';
import { inWholeSeconds, observe } from './observations.ts';
import { admitted } from './testing/observed.ts';
import { histories, inTurn, played } from './testing/played.ts';

const sizes = [1, 2, 3, 4, 5, 6, 7, 8];

it('finds the same sizes, and the same times between two tokens, as if each demand had been looked at', () => {
  const found = { met: 0, unmet: 0 };
  fc.assert(
    fc.property(
      histories,
      fc.boolean(),
      fc.constantFrom<('kept' | 'lost')[]>('kept', 'lost'),
      ({ sending, latenciesMs }, isStepped, remainder) => {
        const window = openWindow(tokenBucket({ limit: 4, windowMs: 8_000 }));
        const trace = played((nowMs) => window.decide(nowMs).admitted, sending, {
          latencyMs: inTurn(latenciesMs),
        });
        const seen = isStepped ? inWholeSeconds(observe(trace)) : observe(trace);
        const plainly = sizes.flatMap((burst) => {
          const demands = bucketDemands(seen, burst, remainder);
          return isMet(demands) ? [{ burst, span: lengthsMeeting(demands) }] : [];
        });
        found.met += plainly.length;
        found.unmet += sizes.length - plainly.length;
        expect(possibleBursts(seen, sizes, remainder)).toEqual(plainly);
      },
    ),
    { numRuns: 200, seed: 5 },
  );
  expect(Math.min(found.met, found.unmet)).toBeGreaterThan(100);
});

it('nothing bounds the time between two tokens of a bucket that holds all that was admitted', () => {
  const seen = observe([admitted(0), admitted(10), admitted(30)]);
  expect(longestGapMs(seen, 3)).toBe(Number.POSITIVE_INFINITY);
  // A request may have been decided a millisecond before it was sent: three in 31 ms, two in 11.
  expect(longestGapMs(seen, 2)).toBe(31);
  expect(longestGapMs(seen, 1)).toBe(11);
});

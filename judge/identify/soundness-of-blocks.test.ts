import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extendOnReject } from '../../limiters/extend-on-reject.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { fitBlocks } from './extend-fit.ts';
import { observe } from './observations.ts';
import { histories, inTurn, played } from './testing/played.ts';

const windowMs = 10_000;

/** A clock of whole milliseconds, at either end. */
const truncatedMs = 1;

describe.each([1, 2, 6])('of %i requests, whatever the network does', (limit) => {
  it.each([
    ['block-on-reject', 'first-rejection'],
    ['extend-on-reject', 'rejection'],
  ] as const)('%s is never contradicted, and its length is in the interval', (name, extendedBy) => {
    fc.assert(
      fc.property(histories, ({ sending, latenciesMs }) => {
        const window = openWindow(extendOnReject({ limit, windowMs }, { extendedBy }));
        const trace = played((nowMs) => window.decide(nowMs), sending, { latencyMs: inTurn(latenciesMs) });
        const fit = fitBlocks(observe(trace), limit, {}).find(({ algorithm }) => algorithm === name);
        expect(fit?.contradictedBy).toEqual([]);
        expect(fit?.window.lowMs).toBeLessThanOrEqual(windowMs + truncatedMs);
        expect(fit?.window.highMs).toBeGreaterThanOrEqual(windowMs - truncatedMs);
      }),
      { numRuns: 400, seed: 17 },
    );
  });
});

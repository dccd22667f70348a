import { describe, expect, it } from 'vitest';
import { type Algorithm, algorithms, type Identification } from '../../contract/identification.ts';
import { identified } from '../../contract/testing/identification.ts';
import { identifiedLimiter } from './identified-limiter.ts';

const found = identified({
  limit: 10,
  windowSeconds: { value: 6, low: 5.9, high: 6.1 },
  phaseSeconds: { low: 1, high: 3 },
  granularitySeconds: 2,
  rejectionsCount: null,
});

/** How many of 40 requests at one moment pass, and how many of 40 so much later. */
function passing(identification: Identification, laterMs: number): readonly number[] {
  const limiter = identifiedLimiter(identification);
  if (limiter === null) throw new Error('not identified');
  const state = limiter.start();
  return [3_000, 3_000 + laterMs].map((nowMs) => {
    const decisions = Array.from({ length: 40 }, () => limiter.decide(state, nowMs));
    return decisions.filter(({ admitted }) => admitted).length;
  });
}

describe('identified limiter', () => {
  it.each(algorithms.filter((algorithm) => algorithm !== 'unidentified'))(
    '%s: the model of that name lets through as many at once as were found',
    (algorithm: Algorithm) => {
      expect(passing({ ...found, algorithm }, 0)).toEqual([10, 0]);
    },
  );

  it('keeps the phase of a grid, the length of a window and a cap', () => {
    // Boundaries at 2 s, 8 s: the moment 3 s lies 5 s before the next.
    expect(passing({ ...found, algorithm: 'fixed-window-phase' }, 4_999)).toEqual([10, 0]);
    expect(passing({ ...found, algorithm: 'fixed-window-phase' }, 5_000)).toEqual([10, 10]);
    expect(passing(found, 5_999)).toEqual([10, 0]);
    expect(passing({ ...found, perSecondCap: 4 }, 1_000)).toEqual([4, 4]);
  });

  it('has refused requests take places in sub-windows where they do', () => {
    const cells: Identification = { ...found, algorithm: 'sub-window-log' };
    expect(identifiedLimiter(cells)?.name).toBe('sub-window-log');
    expect(identifiedLimiter({ ...cells, rejectionsCount: false })?.name).toBe('sub-window-log');
    expect(identifiedLimiter({ ...cells, rejectionsCount: true })?.name).toBe(
      'sliding-log-counting-rejections',
    );
  });

  it('takes the likeliest of several, and none where nothing was found', () => {
    const several: Identification = { ...found, algorithm: ['token-bucket', 'sliding-log'] };
    expect(identifiedLimiter(several)?.name).toBe('token-bucket');
    expect(identifiedLimiter({ ...found, algorithm: 'unidentified' })).toBeNull();
  });
});

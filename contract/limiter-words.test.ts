import { describe, expect, it } from 'vitest';
import { algorithms, type Candidate } from './identification.ts';
import { limiterConsequences, limiterName, windowLengthText } from './limiter-words.ts';

const candidate = (algorithm: Candidate['algorithm']): Candidate => ({
  algorithm,
  limit: 120,
  windowSeconds: { value: 60, low: 59.9, high: 60.1 },
  phaseSeconds: null,
  granularitySeconds: null,
  rejectionsCount: null,
});

const consequences = (algorithm: Candidate['algorithm']) =>
  limiterConsequences({ ...candidate(algorithm), tied: [] });

describe('an algorithm in words', () => {
  it('has a name of its own', () => {
    expect(new Set(algorithms.map(limiterName)).size).toBe(algorithms.length);
  });

  it.each(algorithms.filter((algorithm) => algorithm !== 'unidentified'))(
    '%s: says the worst burst and what a client should do',
    (algorithm) => {
      const [worst, advice, ...more] = consequences(algorithm);
      expect(worst).toMatch(/^worst burst: .*120/);
      expect(advice).toMatch(/^clients: /);
      expect(more).toEqual([]);
    },
  );

  it('says that twice the limit passes across the boundary of a fixed window', () => {
    expect(consequences('fixed-window-wall-clock')[0]).toContain('up to 2 × 120 = 240 within a moment');
  });

  it('says of sub-windows whether the one in progress may be one of the window’s, for then twice the limit passes', () => {
    const cells = (low: number, rejectionsCount: boolean | null = null) =>
      limiterConsequences({
        ...candidate('sub-window-log'),
        windowSeconds: { value: 60, low, high: 60.1 },
        granularitySeconds: 10,
        rejectionsCount,
        tied: [],
      });
    expect(cells(50.1)).toEqual([
      'worst burst: never more than 120 in any 60 s',
      'clients: wait 60 s and then to the end of a sub-window, up to 10 s more; capacity returns in steps',
    ]);
    expect(cells(50)).toEqual([
      'worst burst: up to 2 × 120 = 240 in any 60 s: 120 at the end of a sub-window, and 120 more 50 s later',
      'clients: wait to the end of a sub-window, 60 s at most; capacity returns in steps',
    ]);
    expect(cells(50, true)[1]).toContain(
      'in steps; send nothing meanwhile: a refused request takes a place too',
    );
    expect(cells(50, false)[1]).not.toContain('meanwhile');
  });

  it('says of a bucket after which pauses it is forgotten', () => {
    const forgotten = (low: number, high: number) =>
      limiterConsequences({
        ...candidate('token-bucket'),
        forgottenAfterSeconds: { low, high },
        tied: [],
      })[0];
    expect(forgotten(2, 3)).toBe('worst burst: up to 120 at once, and 120 more after each pause of 2 to 3 s');
    expect(forgotten(9.897, 10)).toMatch(/ after each pause of 10 s$/);
  });

  it('says of a bucket that refused requests take places where they do', () => {
    const bucket = candidate('token-bucket');
    const advice = (rejectionsCount: boolean | null) =>
      limiterConsequences({ ...bucket, rejectionsCount, tied: [] })[1];
    expect(advice(null)).toBe('clients: after a burst, send one request each 0.5 s');
    expect(advice(true)).toBe(`${advice(null)}; send nothing meanwhile: a refused request takes a place too`);
  });

  it('says it for each of several candidates, and nothing where there are none', () => {
    const tied = [candidate('sliding-log'), candidate('fixed-window-phase')];
    const lines = limiterConsequences({ ...candidate('sliding-log'), tied });
    expect(lines.filter((line) => line.startsWith('if sliding window log: '))).toHaveLength(2);
    expect(lines).toHaveLength(4);
    expect(consequences('unidentified')).toEqual([]);
  });
});

describe('a length in words', () => {
  it.each([
    [{ value: 60, low: 59.9, high: 60.1 }, '60 s'],
    [{ value: 60, low: 36.2, high: 60.1 }, '36.2 to 60.1 s, most likely 60 s'],
    [{ value: 37, low: 36.2, high: 39.8 }, '36.2 to 39.8 s'],
    [{ value: 60, low: 12.5, high: null }, '60 s, or any other length from 12.5 s on'],
  ])('%j: %s', (length, text) => {
    expect(windowLengthText(length)).toBe(text);
  });
});

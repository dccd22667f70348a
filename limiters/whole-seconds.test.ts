import { describe, expect, it } from 'vitest';
import { fixedWindowFirstRequest } from './fixed-window-first-request.ts';
import { admissions, epochMs } from './testing/histories.ts';
import { tokenBucket } from './token-bucket.ts';
import { twoBucket } from './two-bucket.ts';
import { wholeSeconds } from './whole-seconds.ts';

const from = (atMs: readonly number[]): readonly number[] => atMs.map((ms) => epochMs + ms);

describe('on a clock of whole seconds', () => {
  it('a token bucket fills in steps', () => {
    const limiter = wholeSeconds(tokenBucket({ limit: 2, windowMs: 1_000 }));
    expect(admissions(limiter, from([900, 900, 900, 999, 1_000, 1_000, 1_000, 1_999]))).toEqual([
      ...[true, true, false, false],
      ...[true, true, false, false],
    ]);
  });

  it('a window ends a whole number of seconds after the second of its first request', () => {
    const limiter = wholeSeconds(fixedWindowFirstRequest({ limit: 1, windowMs: 10_000 }));
    expect(admissions(limiter, from([900, 9_999, 10_000, 19_999, 20_000]))).toEqual([
      ...[true, false],
      ...[true, false],
      true,
    ]);
  });

  it('the share of the bucket before falls in steps', () => {
    const limiter = wholeSeconds(twoBucket({ limit: 10, windowMs: 10_000 }));
    const before = Array.from({ length: 10 }, () => 0);
    expect(admissions(limiter, from([...before, 10_999, 11_000])).slice(10)).toEqual([false, true]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Candidate } from '../contract/identification.ts';
import { limiterText, measuredWindowText, windowText } from './measured-text.ts';
import { identifiedStandard } from './testing/fixtures.ts';

describe('windowText', () => {
  it.each([
    [{ low: 59_990, high: 60_020 }, '60.005 s ± 0.015 s'],
    [{ low: 4_030, high: 57_868 }, '4.030 s to 57.868 s'],
    [{ low: null, high: 59_000 }, 'at most 59.000 s'],
    [{ low: 61_000, high: null }, 'at least 61.000 s'],
    [{ low: null, high: null }, 'not measured'],
    [{ low: 61_000, high: 60_000 }, 'no length explains the answers'],
    [null, 'not measured'],
  ])('%o is %s', (window, text) => {
    expect(windowText(window)).toBe(text);
  });
});

const candidate = {
  limit: 120,
  phaseSeconds: null,
  granularitySeconds: null,
  rejectionsCount: null,
} as const;
const bucket = {
  ...candidate,
  algorithm: 'token-bucket',
  windowSeconds: { value: 3_600, low: 2_578.68, high: null },
} as const;
const counter = {
  ...candidate,
  algorithm: 'two-bucket',
  windowSeconds: { value: 60, low: 50.618, high: 78 },
} as const;

describe('measuredWindowText', () => {
  const group = { scope: 'standard', key: 'A', windowMs: null, limited: 3 };
  const found = { ...identifiedStandard, windowSeconds: { value: 5, low: 4.9, high: 5.1 } };

  it('says what was found where no rolling window was measured, or why nothing was', () => {
    expect(measuredWindowText(group, [found])).toBe('5 s, as found');
    expect(measuredWindowText(group, [{ ...found, key: 'B' }])).toBe('not measured');
    expect(measuredWindowText(group, [{ ...found, windowSeconds: null }])).toBe('not measured');
    expect(measuredWindowText({ ...group, limited: 0 }, [])).toBe('never refused');
    const tied = [bucket, counter];
    expect(measuredWindowText(group, [{ ...found, tied }])).toBe('3600 s or 60 s, as found');
    expect(measuredWindowText(group, [{ ...found, tied: [counter, counter] }])).toBe('60 s, as found');
    expect(measuredWindowText({ ...group, windowMs: { low: 59_990, high: 60_020 } }, [found])).toBe(
      '60.005 s ± 0.015 s',
    );
  });
});

describe('limiterText', () => {
  it.each([
    [{ value: 60, low: 59.884, high: 60.191 }, '60 s (59.884 s to 60.191 s)'],
    [{ value: 60, low: 51.225, high: null }, '60 s (51.225 s or longer)'],
    [{ value: 60, low: 0.149, high: null }, '60 s'],
    [{ value: 60, low: 20, high: 80 }, '60 s'],
    [{ value: 60, low: 30, high: 89 }, '60 s (30 s to 89 s)'],
  ])('%o is %s', (windowSeconds, text) => {
    expect(limiterText({ ...identifiedStandard, windowSeconds })).toBe(
      `fixed window (wall clock), 120 in ${text}`,
    );
  });

  it('says of several that fit what each of them would be set to', () => {
    const algorithm = ['token-bucket', 'two-bucket'] as const;
    const said = (tied: readonly Candidate[]) =>
      limiterText({
        ...identifiedStandard,
        algorithm: [...algorithm],
        windowSeconds: bucket.windowSeconds,
        tied: [...tied],
      });
    expect(said([bucket, counter])).toBe(
      'token bucket / GCRA, 120 in 3600 s (2578.68 s or longer); or sliding window counter, 120 in 60 s (50.618 s to 78 s)',
    );
    const alike = { ...counter, windowSeconds: { value: 3_600, low: 2_600, high: null } };
    expect(said([bucket, alike])).toBe(
      'token bucket / GCRA or sliding window counter, 120 in 3600 s (2578.68 s or longer)',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { limiterText, windowText } from './measured-text.ts';

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

describe('limiterText', () => {
  const found: Omit<Parameters<typeof limiterText>[0], 'windowSeconds'> = {
    scope: 'standard',
    key: 'A',
    algorithm: 'fixed-window-wall-clock',
    limit: 120,
    phaseSeconds: null,
    perSecondCap: null,
    shorterWindow: null,
    rejectionsCount: null,
    nearest: null,
    contradictions: 0,
    granularitySeconds: null,
    remarks: [],
    tied: [],
    notRuledOut: [],
    requests: 0,
    seconds: 0,
  };

  it.each([
    [{ value: 60, low: 59.884, high: 60.191 }, '60 s (59.884 s to 60.191 s)'],
    [{ value: 60, low: 51.225, high: null }, '60 s (51.225 s or longer)'],
    [{ value: 60, low: 0.149, high: null }, '60 s'],
    [{ value: 60, low: 20, high: 80 }, '60 s'],
    [{ value: 60, low: 30, high: 89 }, '60 s (30 s to 89 s)'],
  ])('%o is %s', (windowSeconds, text) => {
    expect(limiterText({ ...found, windowSeconds })).toBe(`fixed window (wall clock), 120 in ${text}`);
  });
});

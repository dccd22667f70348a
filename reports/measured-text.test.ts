import { describe, expect, it } from 'vitest';
import { windowText } from './measured-text.ts';

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

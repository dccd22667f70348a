import { describe, expect, it } from 'vitest';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { openWindow, type Rate } from '../../limiters/limiter.ts';
import { knownClasses } from './classes.ts';
import { problemsOf, rowOf } from './tally.ts';
import { type Conditions, runTrial } from './trial.ts';

const conditions: Conditions = { windowMs: 60_000, expectedWindowMs: 60_000, windows: 'auto', jitterMs: 50 };
const seeds = [2_000_001];

describe.each(knownClasses)('$name', (known) => {
  it.each([30, 120, 300])('is named, with its limit of %i and its window', (limit) => {
    const trials = seeds.map((seed) => runTrial({ known, limit, conditions, seed }));
    const row = rowOf({ name: known.name, limit }, trials);
    expect(problemsOf(row, known.length)).toEqual([]);
  });
});

describe('a two-bucket counter whose boundary lets more than the limit pass at first', () => {
  const [known] = knownClasses.filter(({ name }) => name === 'two-bucket phase');

  it.each([
    ['between the first request and the burst', 30, 3_036],
    ['between the first request and the burst', 30, 3_085],
    ['in the midst of the burst', 30, 3_019],
    ['in the midst of the burst', 300, 2_088],
    ['in the midst of the burst', 300, 2_061],
  ])('%s: is named with its limit of %i (seed %i)', (_where, limit, seed) => {
    if (known === undefined) throw new Error('no such class');
    const trial = runTrial({ known, limit, conditions, seed });
    expect(trial).toMatchObject({ truth: 'alone', limitError: 0, intervalHolds: true });
  });
});

describe('what two answers a moment apart decide', () => {
  it.each([
    ['a request that is sent once another was refused came after it', 'sub-window-log 1 s', 120, 10_000_026],
    [
      'a limit beside the true one, with a boundary of its own',
      'two-bucket counting rejections',
      300,
      10_000_006,
    ],
    ['the true one, whose boundary is met closely only', 'two-bucket counting rejections', 300, 10_000_010],
    ['the rounder one, where one less explains as much', 'two-bucket counting rejections', 30, 10_000_032],
    ['boundaries as close as one request moves them', 'two-bucket counting rejections', 120, 10_000_038],
  ])('%s: %s of %i is named alone, with its limit (seed %i)', (_what, name, limit, seed) => {
    const [known] = knownClasses.filter((one) => one.name === name);
    if (known === undefined) throw new Error('no such class');
    const trial = runTrial({ known, limit, conditions, seed });
    expect(trial).toMatchObject({
      truth: 'alone',
      limitError: 0,
      windowErrorSeconds: 0,
      intervalHolds: true,
    });
  });
});

describe('what is expected', () => {
  const exact = knownClasses.filter(({ name }) =>
    ['sliding-log', 'fixed-window-first-request'].includes(name),
  );

  it.each(exact)('is not needed: $name', (known) => {
    const trial = runTrial({
      known,
      limit: 120,
      conditions: { ...conditions, expectedWindowMs: null },
      seed: 2_000_004,
    });
    expect(trial.truth).toBe('alone');
    expect(Math.abs(trial.windowErrorSeconds ?? 9)).toBeLessThan(0.2);
  });

  it.each(exact)('is not forced where it is wrong: $name', (known) => {
    const trial = runTrial({
      known,
      limit: 120,
      conditions: { ...conditions, windowMs: 45_000 },
      seed: 2_000_005,
    });
    expect(trial.truth).not.toBe('missed');
    expect(Math.abs(trial.windowErrorSeconds ?? 9)).toBeLessThan(1);
  });

  it.each([
    [30, 47_000],
    [120, 47_000],
    [30, 70_000],
  ])('nor where the window is none that limiters usually have: %i requests in %i ms', (limit, windowMs) => {
    const [known] = exact.filter(({ name }) => name === 'fixed-window-first-request');
    if (known === undefined) throw new Error('no such class');
    const trial = runTrial({
      known,
      limit,
      conditions: { ...conditions, windowMs, jitterMs: 3 },
      seed: 7_000,
    });
    expect(trial.truth).not.toBe('missed');
    expect(trial).toMatchObject({ limitError: 0, intervalHolds: true });
  });

  it('and a grid that decides as the wall clock would is not taken for one that was misread', () => {
    const [known] = knownClasses.filter(({ name }) => name === 'fixed-window-phase');
    if (known === undefined) throw new Error('no such class');
    const onTheMinute = {
      ...known,
      open: (rate: Rate) => openWindow(fixedWindow(rate, { phaseMs: 0 })),
    };
    const trial = runTrial({ known: onTheMinute, limit: 30, conditions, seed: 7_001 });
    expect(trial).toMatchObject({ truth: 'alike', answer: 'fixed-window-wall-clock' });
  });

  it('two windows show the length of one on a grid', () => {
    const [known] = knownClasses.filter(({ name }) => name === 'fixed-window-phase');
    if (known === undefined) throw new Error('no such class');
    const trial = runTrial({ known, limit: 120, conditions: { ...conditions, windows: 2 }, seed: 2_000_006 });
    // In two windows its grid looks like that of the wall clock.
    expect(['alone', 'tied']).toContain(trial.truth);
    expect(trial.intervalHolds).toBe(true);
    expect(trial.intervalSeconds).toBeLessThan(1);
  });
});

import { expect, test } from 'vitest';
import type { Candidate, Identification } from '../../contract/identification.ts';
import { identified } from '../../contract/testing/identification.ts';
import { gradeOf } from './grade.ts';
import { ruleOf } from './rule.ts';
import { truthOf } from './truth.ts';

const truth = truthOf('sliding window log', 'a file')(ruleOf(120, 45));

function explained(
  algorithm: Candidate['algorithm'],
  limit: number,
  low: number,
  high: number | null,
): Candidate {
  const windowSeconds = { value: low, low, high };
  return {
    algorithm,
    limit,
    windowSeconds,
    phaseSeconds: null,
    granularitySeconds: null,
    rejectionsCount: null,
  };
}

function found(only: Candidate): Identification {
  return identified(only);
}

function tied(first: Candidate, second: Candidate): Identification {
  return identified({ ...first, algorithm: [first.algorithm, second.algorithm], tied: [first, second] });
}

const log = explained('sliding-log', 120, 44.9, 45.1);
const grid = explained('fixed-window-phase', 120, 40, 50);
const unnamed = { ...explained('unidentified', 1, 1, 1), limit: null, windowSeconds: null };

test.each([
  { what: 'the truth', of: found(log), name: 'alone', limit: true, window: true },
  { what: 'the truth and another', of: tied(grid, log), name: 'tie', limit: true, window: true },
  { what: 'another', of: found(grid), name: 'wrong', limit: null, window: null },
  { what: 'nothing', of: identified(unnamed), name: 'not named', limit: null, window: null },
  { what: 'another limit', of: found({ ...log, limit: 119 }), name: 'alone', limit: false, window: true },
  {
    what: 'a range beside the window',
    of: found(explained('sliding-log', 120, 44.9, 44.96)),
    name: 'alone',
    limit: true,
    window: false,
  },
  {
    what: 'a range without an end',
    of: found(explained('sliding-log', 120, 36, null)),
    name: 'alone',
    limit: true,
    window: true,
  },
  {
    what: 'the right window under another name alone',
    of: tied(explained('fixed-window-phase', 120, 45, 45), explained('sliding-log', 120, 60, 60)),
    name: 'tie',
    limit: true,
    window: false,
  },
])('$what is graded as $name', ({ of, name, limit, window }) => {
  expect(gradeOf(of, truth)).toEqual({
    name,
    isLimitRight: limit,
    isWindowRight: window,
    isShorterRight: null,
  });
});

test('an identification that could not say anything names nothing', () => {
  expect(gradeOf(null, truth).name).toBe('not named');
});

test('a bucket of the whole limit is a token bucket by either name, and two names of the truth are no tie', () => {
  const bucket = truthOf('leaky bucket', 'a file')(ruleOf(30, 60));
  const names = tied(explained('leaky-bucket', 30, 59, 61), explained('token-bucket', 30, 59, 61));
  expect(gradeOf(names, bucket).name).toBe('alone');
});

test('a concurrency limit has no window to be right about', () => {
  const inFlight = truthOf('concurrency limit', 'a file', { windowSeconds: null })(ruleOf(10, 60));
  const named = { ...found(log), algorithm: 'concurrency-limit', limit: 10 } as const;
  expect(gradeOf(named, inFlight)).toMatchObject({ name: 'alone', isLimitRight: true, isWindowRight: null });
});

test.each([
  { what: 'a cap per second', seen: { perSecondCap: 12 }, isRight: true },
  { what: 'a shorter window', seen: { shorterWindow: { limit: 12, windowSeconds: 1 } }, isRight: true },
  { what: 'another cap', seen: { perSecondCap: 10 }, isRight: false },
  { what: 'none', seen: {}, isRight: false },
])('of two windows on top of each other, the shorter one is looked for: $what', ({ seen, isRight }) => {
  const stacked = { ...truth, shorter: { limit: 12, windowSeconds: 1 } };
  expect(gradeOf({ ...found(log), ...seen }, stacked).isShorterRight).toBe(isRight);
});

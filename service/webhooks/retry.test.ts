import { expect, test } from 'vitest';
import { attemptsMax, retryPauseMsMax } from '../choices.ts';
import { type AttemptResult, afterAttempt } from './retry.ts';

const answered = (status: number, retryAfterSeconds: number | null = null): AttemptResult => ({
  kind: 'answered',
  status,
  retryAfterSeconds,
});
const noAnswer: AttemptResult = { kind: 'no-answer', why: 'no answer within 5 s' };

test.each([
  [answered(200), 'delivered'],
  [answered(204), 'delivered'],
  [answered(301), 'give-up'],
  [answered(400), 'give-up'],
  [answered(410), 'give-up'],
  [answered(429), 'retry'],
  [answered(500), 'retry'],
  [answered(503), 'retry'],
  [noAnswer, 'retry'],
] as const)('%j: %s', (attempted, kind) => {
  expect(afterAttempt({ attempted, attempt: 1, random: () => 0 }).kind).toBe(kind);
});

test('pauses double up to their bound, half of each random, and end after the last attempt', () => {
  const pauses = (random: () => number): readonly unknown[] =>
    Array.from({ length: attemptsMax }, (_, at) => {
      const settlement = afterAttempt({ attempted: noAnswer, attempt: at + 1, random });
      return settlement.kind === 'retry' ? settlement.afterMs : settlement;
    });
  const end = { kind: 'give-up', why: 'no answer within 5 s, 8 times' };
  expect(pauses(() => 0)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, end]);
  expect(pauses(() => 1)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, end]);
});

test('a Retry-After is waited for, within the bound', () => {
  const after = (seconds: number) =>
    afterAttempt({ attempted: answered(503, seconds), attempt: 1, random: () => 0 });
  expect(after(7)).toEqual({ kind: 'retry', afterMs: 7_000 });
  expect(after(0)).toEqual({ kind: 'retry', afterMs: 250 });
  expect(after(86_400)).toEqual({ kind: 'retry', afterMs: retryPauseMsMax });
});

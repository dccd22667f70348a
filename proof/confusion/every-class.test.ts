import { describe, expect, it } from 'vitest';
import { knownClasses } from './classes.ts';
import { type Conditions, runTrial } from './trial.ts';

const conditions: Conditions = { windowMs: 60_000, expectedWindowMs: 60_000, windows: 'auto', jitterMs: 10 };

/** The rates of documents, windows of 45 and 60 s, quick answers and slow ones, and phases by the seed. */
const runs = [
  { limit: 30, seed: 41, conditions },
  { limit: 120, seed: 42, conditions: { ...conditions, windowMs: 45_000, expectedWindowMs: 45_000 } },
  { limit: 300, seed: 43, conditions: { ...conditions, jitterMs: 50 } },
] as const;

describe.each(knownClasses.map((known) => ({ name: known.name, known })))('$name', ({ known }) => {
  it.each(runs)('is named, alone or in a tie, at a limit of $limit', ({ limit, seed, conditions: given }) => {
    const { truth, answer, intervalHolds } = runTrial({ known, limit, seed, conditions: given });
    expect(`${truth === 'missed' ? 'missed' : 'named'}: ${answer}`).toBe(`named: ${answer}`);
    expect(intervalHolds || truth === 'alike').toBe(true);
  });
});

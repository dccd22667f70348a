import { mergedSenders, type SenderRow, senderMatrix } from '../webhooks/sender-matrix.ts';
import { type KillMatrix, killMatrix, merged } from './kill-matrix.ts';
import { faultSubjects, reference, variantSubjects } from './subjects.ts';

/** One seed of the gate. */
export type SeedBatch = { readonly seed: number };

/** What seeds gave, for the API and for the sender of webhooks. */
export type Matrices = { readonly matrix: KillMatrix; readonly senders: readonly SenderRow[] };

const subjects = [reference, ...faultSubjects, ...variantSubjects];

/** Every fault and every variant, of the API and of the sender, once with one seed. */
export function playSeed({ seed }: SeedBatch): Matrices {
  return {
    matrix: killMatrix({ subjects, reference, firstSeed: seed, seeds: 1 }),
    senders: senderMatrix(seed, 1),
  };
}

export function mergedSeeds(parts: readonly Matrices[]): Matrices {
  return {
    matrix: merged(parts.map(({ matrix }) => matrix)),
    senders: mergedSenders(parts.map(({ senders }) => senders)),
  };
}

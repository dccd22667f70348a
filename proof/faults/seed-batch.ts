import { mergedSenders, type SenderRow, senderMatrix } from '../webhooks/sender-matrix.ts';
import { type KillMatrix, killMatrix, merged } from './kill-matrix.ts';
import { faultSubjects, reference, type Subject, variantSubjects } from './subjects.ts';

/** One seed of the gate; where a longest way of requests and answers is given, in ms, in place of the world's own. */
export type SeedBatch = { readonly seed: number; readonly oneWayMsMax?: number | undefined };

/** What seeds gave, for the API and for the sender of webhooks. */
export type Matrices = { readonly matrix: KillMatrix; readonly senders: readonly SenderRow[] };

const subjects = [reference, ...faultSubjects, ...variantSubjects];

/** Every fault and every variant, of the API and of the sender, once with one seed. */
export function playSeed({ seed, oneWayMsMax }: SeedBatch): Matrices {
  const all = oneWayMsMax === undefined ? subjects : subjects.map((subject) => slowed(subject, oneWayMsMax));
  return {
    matrix: killMatrix({ subjects: all, reference, firstSeed: seed, seeds: 1 }),
    senders: senderMatrix(seed, 1),
  };
}

/** A deviation that needs a quicker network to show itself keeps that. */
function slowed(subject: Subject, oneWayMsMax: number): Subject {
  const least = Math.min(oneWayMsMax, subject.setting.oneWayMsMax ?? oneWayMsMax);
  return { ...subject, setting: { ...subject.setting, oneWayMsMax: least } };
}

export function mergedSeeds(parts: readonly Matrices[]): Matrices {
  return {
    matrix: merged(parts.map(({ matrix }) => matrix)),
    senders: mergedSenders(parts.map(({ senders }) => senders)),
  };
}

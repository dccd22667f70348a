import type { ClauseId } from '../../contract/clauses/registry.ts';
import type { SimulatedService } from '../simulation/simulate.ts';

/** What has to be so for a deviation to be told. */
export type SubjectSetting = {
  readonly nodes?: number;
  readonly perSecond?: 'average' | 'cap';
};

/** One service, and what every run has to say about it. */
export type Subject = {
  readonly name: string;
  /** The service as documented, one that breaks a promise, or one that the document allows. */
  readonly kind: 'reference' | 'fault' | 'variant';
  /** Clauses violated in every run. */
  readonly must: readonly ClauseId[];
  /** Clauses that may be violated too. */
  readonly may: readonly ClauseId[];
  /** Reasons by which violations may be named. */
  readonly reasons: readonly string[];
  /** Clauses that are inconclusive in every run. */
  readonly leavesOpen: readonly ClauseId[];
  readonly setting: SubjectSetting;
  /** The service, without any request counted yet. */
  readonly open: () => SimulatedService;
};

/** Whether a subject is about how many requests pass and when, not about what answers say. */
export function concernsCounting({ must, leavesOpen }: Subject): boolean {
  return [...must, ...leavesOpen].some((clause) => /^(limits|window)\./.test(clause));
}

import type { ClauseId } from '../../contract/clauses/registry.ts';
import type { Behaviour } from '../behaviour.ts';

/** A small change to one service. What it has to remember it keeps for itself, so it is made anew for each service. */
export type Patch = (behaviour: Behaviour) => Behaviour;

/** What a run has to be like for a deviation to be told at all; where nothing is said, one node and the default settings. */
export type FaultSetting = {
  /** Base URLs among which the requests are shared out. */
  readonly nodes?: number;
  readonly perSecond?: 'average' | 'cap';
};

/** One named way in which a service can differ from the reference. */
export type Deviation = {
  readonly name: string;
  /** What the service does, and, where that is not always so, in which setting it can be told. */
  readonly summary: string;
  readonly setting?: FaultSetting;
  /** Clauses that no run can judge, for the answers could be a conforming service's: always inconclusive, never held. */
  readonly leavesOpen?: readonly ClauseId[];
  readonly patch: Patch;
};

/** A deviation that breaks a promise of the document, and what a conformance run has to say about it. */
export type Fault = Deviation & {
  /** Clauses that it violates in every whole run. */
  readonly must: readonly ClauseId[];
  /** Clauses that it can violate too, depending on when requests arrive. */
  readonly may: readonly ClauseId[];
  /** Reasons by which verdicts may name the violations. */
  readonly reasons: readonly string[];
};

/** A deviation that the document allows: it violates no `must` clause. */
export type Variant = Deviation & {
  /** Clauses of level `should` that it can fall short of, and the reasons by which verdicts may name that. */
  readonly should: readonly ClauseId[];
  readonly reasons?: readonly string[];
};

/** The clauses about how many requests pass, one a scope. */
export const everyLimit = ['limits.standard', 'limits.messages', 'limits.media'] as const;

/** The clauses about one sharp burst. */
export const bursts = ['load.messages-burst', 'load.media-burst'] as const;

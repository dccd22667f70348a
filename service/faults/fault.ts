import type { ClauseId } from '../../contract/clauses/registry.ts';
import type { Behaviour } from '../behaviour.ts';

/** A small change to one service. It may keep state of its own, so it is applied anew to each service. */
export type Patch = (behaviour: Behaviour) => Behaviour;

/** What a run needs to detect a deviation; default: one node and the default settings. */
export type FaultSetting = {
  /** Base URLs that the requests go to in turn. */
  readonly nodes?: number;
  readonly perSecond?: 'average' | 'cap';
  /** The longest that a request may take to the service, and an answer back, ms. */
  readonly oneWayMsMax?: number;
};

/** One named way in which a service can differ from the reference. */
export type Deviation = {
  readonly name: string;
  /** What the service does and, where that is not always so, the setting in which it can be detected. */
  readonly summary: string;
  readonly setting?: FaultSetting;
  /**
   * Clauses that no run can judge, because a conforming service could answer the same: always inconclusive, never held.
   */
  readonly leavesOpen?: readonly ClauseId[];
  /** Why its answers differ from those of the service as documented in some runs alone; left out where all show it. */
  readonly seldom?: string;
  readonly patch: Patch;
};

/** A deviation that breaks a promise of the document, and the verdicts that a run has to reach. */
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

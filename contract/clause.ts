/**
 * How binding a clause is: `must` decides conformance, `should` is reported as a shortcoming,
 * `observe` reports what the deployment does where the document is silent.
 */
export const levels = ['must', 'should', 'observe'] as const;

export type Level = (typeof levels)[number];

/** Section of the document, by its heading. */
export type Section =
  | 'Resources and their fields'
  | 'States and transitions'
  | 'Endpoints'
  | 'Authentication'
  | 'Events'
  | 'Errors'
  | 'Limits'
  | 'Versioning';

/** What a trace must contain before a clause can be judged. */
export type Need =
  | 'any-request'
  | 'saturation'
  | 'second-key'
  | 'subpath'
  | 'load'
  | 'refused-client'
  | 'webhook';

/** One promise of the document, in our own words. */
export type Clause = {
  /** Never changes and does not depend on the position: reports, baselines and histories refer to it. */
  readonly id: string;
  readonly section: Section;
  readonly level: Level;
  /** A few words for tables. */
  readonly title: string;
  readonly requirement: string;
  /** How the verdict is reached. */
  readonly judged: string;
  /** What a violation looks like in the evidence. */
  readonly violation: string;
  readonly needs: Need;
  /** Clauses whose violation means that this one cannot be judged in the same scope. */
  readonly dependsOn: readonly string[];
};

/** Ids of the clauses that can be violated: what an `observe` clause finds is only reported. */
export type DecidedId<Known extends Clause> = Exclude<Known, { readonly level: 'observe' }>['id'];

/** Ids of the clauses that decide conformance. */
export type MustId<Known extends Clause> = Extract<Known, { readonly level: 'must' }>['id'];

import type { Scope } from '../scopes.ts';

/** What one key did in one scope under the documented limits. */
export type ScopeMeasure = {
  readonly key: string;
  readonly scope: Scope;
  readonly limit: number;
  readonly admitted: number;
  readonly refused: number;
  /** From the first arrival to the last admission, ms; 0 where nothing was admitted. */
  readonly makespanMs: number;
  /** The least time that this many admissions can take from an empty window, ms. */
  readonly makespanMsLeast: number;
};

import type { Entry, Group } from '../entries.ts';

/** What contradicts a promise: the requests that do so together, and how. */
export type Contradiction = {
  /** Too much was admitted, or too little. */
  readonly kind: 'over-admission' | 'wrongful-429';
  readonly expected: string;
  readonly observed: string;
  /** In the order in which they were sent; all of them are needed. One that costs more than 1 may stand there more than once. */
  readonly by: readonly Entry[];
  /** Of several limits the one that is blamed; left out where there is one alone. */
  readonly part?: BlamedPart;
};

/** One of several limits: its name, and what it would have to be to explain all that none of them does; `null`: nothing would. */
export type BlamedPart = { readonly name: string | null; readonly instead: number | null };

/** What one key did in one scope, as a promise is held against it. */
export type PromisedGroup = {
  /** In units: a request that costs more than 1 stands there so often. */
  readonly group: Group;
  /** Refusals that the promise has to explain: none where others may use the key. */
  readonly refusals: readonly Entry[];
  /** From here on every request is in the trace: the latest moment at which the first may have been sent, ms. */
  readonly begunMs: number;
  /** How far the service's wall clock may be off ours, ms. */
  readonly skewMs: number;
};

/** What contradicts a promise, by the intervals of all requests; `null` where some moments of counting keep it. */
export type Prover = (promised: PromisedGroup) => Contradiction | null;

/**
 * Which of some refusals a promise may explain, each by itself: of one among several limits, all others may be another one's.
 * Who asks gives a group in which none of them is a refusal: each may have counted or not, and so may the one that is asked
 * about, which therefore is left out of what explains it.
 */
export type Explainer = (promised: PromisedGroup) => readonly Entry[];

/** How a trace is held against what one limit promises. */
export type Proving = { readonly prove: Prover; readonly explained: Explainer };

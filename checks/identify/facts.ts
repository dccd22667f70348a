import type { Exchange } from '../../contract/exchange.ts';
import { endedMs } from '../steps.ts';

/** What the rungs of a run depend on; moments in ms by the HTTP client's clock. */
export type Facts = {
  readonly anchorMs: number;
  readonly anchorEndMs: number;
  /** First request and last answer of the burst that met the limit. */
  readonly burstMs: number;
  readonly fullMs: number;
  /** Admitted until the limit was met, the anchor among them. */
  readonly limit: number;
  /** Refusals until the limit was confirmed. */
  readonly refusals: number;
  readonly lastSentMs: number;
  /** The longest that an answer of the beginning took. */
  readonly latencyMs: number;
  readonly returns: readonly Return[];
  /** Requests that pass in any one second, where all of the first burst came back after one. */
  readonly cap: number | null;
  /** Under a cap: whether as many as pass in a second were sent each second until that was too much as well. */
  readonly isSustained: boolean;
};

/** Capacity that came back: the first request that was admitted again, and how many with it. */
export type Return = { readonly sentMs: number; readonly endMs: number; readonly taken: number };

/** What a run sends before it only asks what has come back. */
const opening = ['anchor', 'saturate', 'confirm', 'sustain', 'sustain-back'];

/** Of one run at a time: every step asks several times what is known by then. */
const memory = new WeakMap<Exchange, Facts>();

/** What is known of a run that only ever grows. */
export function factsOf(run: readonly Exchange[]): Facts {
  const last = run.at(-1) as Exchange;
  const known = memory.get(last) ?? factsFrom(run);
  memory.set(last, known);
  return known;
}

function factsFrom(run: readonly Exchange[]): Facts {
  const anchor = run[0] as Exchange;
  const opened = run.filter(({ purpose }) => opening.includes(purpose));
  const admitted = opened.filter(({ purpose, outcome }) => outcome === 'admitted' && purpose !== 'confirm');
  const filled = admitted.length < 2 ? opened : admitted.slice(1);
  const burst = run.filter(({ purpose }) => purpose === 'saturate');
  const returns = returnsOf(run);
  return {
    anchorMs: anchor.sentMs,
    anchorEndMs: endedMs(anchor),
    burstMs: Math.min(...burst.map(({ sentMs }) => sentMs)),
    fullMs: Math.max(...filled.map(endedMs)),
    limit: admitted.length,
    refusals: opened.filter(({ outcome }) => outcome === 'limited').length,
    lastSentMs: Math.max(...run.map(({ sentMs }) => sentMs)),
    latencyMs: Math.min(latencyMsMax, Math.max(...opened.map((one) => endedMs(one) - one.sentMs))),
    returns,
    cap: capOf(burst, returns),
    isSustained: endsInRefusals(run.filter(({ purpose }) => purpose === 'sustain')),
  };
}

/** An answer slower than this is an exception. */
const latencyMsMax = 400;

/** All of a burst, or nearly all, back after little more than a second. */
const backAfterMs = 1_400;
const backShare = 0.6;

function capOf(burst: readonly Exchange[], [first]: readonly Return[]): number | null {
  const admitted = burst.filter(({ outcome }) => outcome === 'admitted');
  if (first === undefined || admitted.length < 2) return null;
  const isSoon = first.sentMs - Math.max(...admitted.map(endedMs)) < backAfterMs;
  return isSoon && first.taken >= backShare * admitted.length ? Math.max(admitted.length, first.taken) : null;
}

/** Whether nothing passed, twice in a row. */
export function endsInRefusals(singles: readonly Exchange[]): boolean {
  const last = singles.slice(-2);
  return last.length === 2 && last.every(({ outcome }) => outcome === 'limited');
}

function returnsOf(run: readonly Exchange[]): readonly Return[] {
  const returns: Return[] = [];
  let isFull = true;
  for (const exchange of run) {
    const { purpose, outcome } = exchange;
    if (purpose !== 'rung' && purpose !== 'take-back') continue;
    if (outcome === 'limited') isFull = true;
    if (outcome !== 'admitted') continue;
    const last = returns.at(-1);
    if (isFull || last === undefined) {
      returns.push({ sentMs: exchange.sentMs, endMs: endedMs(exchange), taken: 1 });
    } else returns[returns.length - 1] = { ...last, taken: last.taken + 1 };
    isFull = false;
  }
  return returns;
}

import type { Exchange } from '../../contract/exchange.ts';
import { greatestOf, leastOf } from '../../contract/extremes.ts';
import { endedMs, lastEndedMs, lastSentMs } from '../steps.ts';

/** What the next rungs of a run depend on; moments in ms by the HTTP client's clock. */
export type Facts = {
  readonly anchorMs: number;
  readonly anchorEndMs: number;
  /** First request and last answer of the burst that reached the limit. */
  readonly burstMs: number;
  readonly fullMs: number;
  /** Requests admitted until the limit was reached, the anchor among them. */
  readonly limit: number;
  /** Refusals until the limit was confirmed. */
  readonly refusals: number;
  readonly lastSentMs: number;
  /** The longest that an answer of the beginning took. */
  readonly latencyMs: number;
  readonly returns: readonly Return[];
  /** Requests that pass in any one second, where the whole first burst came back after one second; else `null`. */
  readonly cap: number | null;
  /**
   * Under a cap: whether the most that passes in a second was sent each second, until a longer window refused that too.
   */
  readonly isSustained: boolean;
};

/** Capacity that came back: when the first request was admitted again, and how many were. */
export type Return = { readonly sentMs: number; readonly endMs: number; readonly taken: number };

/** Purposes of the requests before the rungs: those that fill the limit, and those that ask what kind of limit it is. */
const filling = ['anchor', 'saturate', 'sustain', 'sustain-back'];
const asking = ['confirm', 'alone', 'part', 'together'];

/** The facts of one run: each step asks for them several times. */
const memory = new WeakMap<Exchange, Facts>();

/** The facts of a run, which only ever grows. */
export function factsOf(run: readonly Exchange[]): Facts {
  const last = run.at(-1) as Exchange;
  const known = memory.get(last) ?? factsFrom(run);
  memory.set(last, known);
  return known;
}

function factsFrom(run: readonly Exchange[]): Facts {
  const anchor = run[0] as Exchange;
  const opened = run.filter(({ purpose }) => filling.includes(purpose) || asking.includes(purpose));
  const taken = opened.filter(({ outcome }) => outcome === 'admitted');
  const admitted = taken.filter(({ purpose }) => filling.includes(purpose));
  const filled = taken.length < 2 ? opened : taken.slice(1);
  const fullMs = lastEndedMs(filled);
  const burst = run.filter(({ purpose }) => purpose === 'saturate');
  const returns = returnsOf(run);
  const cap = capOf(burst, returns, fullMs);
  return {
    anchorMs: anchor.sentMs,
    anchorEndMs: endedMs(anchor),
    burstMs: leastOf(burst.map(({ sentMs }) => sentMs)),
    fullMs,
    limit: admitted.length,
    refusals: opened.filter(({ outcome }) => outcome === 'limited').length,
    lastSentMs: lastSentMs(run),
    latencyMs: Math.min(latencyMsMax, greatestOf(opened.map((one) => endedMs(one) - one.sentMs))),
    returns,
    cap,
    isSustained:
      endsInRefusals(run.filter(({ purpose }) => purpose === 'sustain')) ||
      endsShort(
        run.filter(({ purpose }) => purpose.startsWith('sustain')),
        { cap, seconds: shortSeconds },
      ),
  };
}

/** After as many seconds that each let less pass than the cap, another limit than the cap refuses the rest. */
const shortSeconds = 3;

/** A latency above this is an exception, and does not widen the rungs. */
const latencyMsMax = 400;

/** Under a cap, at least this share of a burst is back within this time, ms. */
const backAfterMs = 1_400;
const backShare = 0.6;

function capOf(burst: readonly Exchange[], [first]: readonly Return[], fullMs: number): number | null {
  const admitted = burst.filter(({ outcome }) => outcome === 'admitted');
  if (first === undefined || admitted.length < 2) return null;
  const isSoon = first.sentMs - fullMs < backAfterMs;
  return isSoon && first.taken >= backShare * admitted.length ? Math.max(admitted.length, first.taken) : null;
}

/** Whether the last two requests were refused. */
export function endsInRefusals(singles: readonly Exchange[]): boolean {
  const last = singles.slice(-2);
  return last.length === 2 && last.every(({ outcome }) => outcome === 'limited');
}

/** Less than this share of the cap is less than the cap lets pass. */
const shortShare = 0.75;

/** Purposes of the single request with which each second begins. */
const singles = ['sustain', 'rung'];

/**
 * Whether each of the last seconds let less pass than the cap would: a bucket under it lets a few pass each second, and never
 * refuses two such requests in a row.
 */
export function endsShort(
  run: readonly Exchange[],
  { cap, seconds }: { readonly cap: number | null; readonly seconds: number },
): boolean {
  if (cap === null) return false;
  const passed: number[] = [];
  for (const { purpose, outcome } of run) {
    if (singles.includes(purpose)) passed.push(0);
    if (outcome === 'admitted' && passed.length > 0) passed.push((passed.pop() ?? 0) + 1);
  }
  const last = passed.slice(-seconds - 1, -1);
  return last.length === seconds && last.every((count) => count < shortShare * cap);
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

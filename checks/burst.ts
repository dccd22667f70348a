import { settledAfterMs } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { scaled } from './moments.ts';
import { endedMs, type History, lastEndedMs, requests, type Step, send, type Target } from './steps.ts';
import { type DrawnRange, drawn, drawnInteger } from './variation.ts';

/** The fewest requests beyond the limit, to see that they are refused. */
export const excess = 4;

export const excesses: DrawnRange = { usual: excess, least: excess, most: 9 };

/** The most requests beyond the limit in a run that does not announce itself. */
export const excessMax = excesses.most;

type Burst = { readonly purpose: string; readonly size: number; readonly sent: readonly Exchange[] };

/**
 * In a run that does not announce itself a part of each burst goes first, and the rest after a gap, ms. The rest goes at
 * once: a service that reads its count before it adds to it is found by many requests at a time.
 */
const firstShares: DrawnRange = { usual: 1, least: 0.1, most: 0.35 };
const burstGapsMs: DrawnRange = { usual: 0, least: 15, most: 400 };

/** The next requests of a burst of `size` and a few more; `null` where all are sent, or one was limited. */
export function nextOfBurst(target: Target, { purpose, size, sent }: Burst, nowMs: number): Step | null {
  const { vary, windowMs } = target;
  const left = size + drawnInteger(vary, excesses, `${purpose}-excess`) - sent.length;
  if (left <= 0 || sent.some(({ outcome }) => outcome === 'limited')) return null;
  const gapMs = scaled(drawn(vary, burstGapsMs, `${purpose}-gap`), windowMs);
  const dueMs = sent.length === 0 ? nowMs : lastEndedMs(sent) + gapMs;
  if (nowMs < dueMs) return { kind: 'wait', why: 'between two parts of a burst', untilMs: dueMs };
  const share = sent.length === 0 ? drawn(vary, firstShares, `${purpose}-share`) : 1;
  return send(purpose, requests(target, Math.min(left, Math.max(excess, Math.ceil(left * share)))));
}

/** How long after everything has left a late visit comes at most, as a share of the window. */
export const lateShareMax = 0.6;

/**
 * A full burst at a late moment, in a run that does not announce itself: a service that keeps to its limits for as long
 * as a run usually takes is then itself again.
 */
export function lateVisit(target: Target, { own, by }: History, nowMs: number): Step | null {
  const { vary, windowMs, limit } = target;
  if (vary === null) return null;
  const sent = by('late-visit');
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const exchange of own)
    if (exchange.purpose !== 'late-visit') lastMs = Math.max(lastMs, endedMs(exchange));
  const dueMs = lastMs + settledAfterMs(windowMs) + vary('late-visit-at') * lateShareMax * windowMs;
  if (sent.length === 0 && nowMs < dueMs) return { kind: 'wait', why: 'before a late visit', untilMs: dueMs };
  return nextOfBurst(target, { purpose: 'late-visit', size: limit, sent }, nowMs);
}

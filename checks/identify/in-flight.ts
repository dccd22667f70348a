import type { Exchange } from '../../contract/exchange.ts';
import { leastOf } from '../../contract/extremes.ts';
import { endedMs, lastEndedMs, lastSentMs, type Step } from '../steps.ts';
import { send, type Unknown } from './unknown.ts';

/** A part of those that passed at once is sent as often, one after another: no rate of a bucket lets so many pass. */
const parts = 8;
const partShare = 0.7;

/** As many are sent one after another, and at once, even where the burst that was refused in part was smaller. */
const least = { alone: 16, together: 32 } as const;

/** So many are sent at once as often: a bucket would still be empty from the time before, but for the last of them. */
const bursts = 3;

/**
 * That one comes after a rest, so many times as long as those took that were sent one after another, and no longer than this, ms:
 * a bucket that let them pass would have filled by as much.
 */
const rest = { times: 1.5, msMax: 10_000 } as const;

/** Then a bucket lets more pass than this many times as many as of the burst before, and a few. */
const filled = { times: 2, more: 2 } as const;

/**
 * The first of those that are sent one after another come when nothing is left to wait for, after so many times as long as the
 * first answer took: they show how long an answer takes without a queue.
 */
const apart = { requests: 3, answers: 2 } as const;

/** A service lets go of a request somewhat after it has answered it: before the next ones it has this long, ms. */
export const letGoMs = 20;

/**
 * Where requests pass at once after a burst of them was refused in part, the limit may be on requests in flight. Then as
 * many as the burst held pass one after another; so do smaller bursts, without a pause; and large bursts are refused in part
 * again, however long nothing was sent before. That is the end: there is no window. `null` where anything was refused that should
 * have passed, or more passed after a rest, or capacity did not come back at once.
 */
export function inFlight(target: Unknown, run: readonly Exchange[], nowMs: number): Step | null {
  const by = (name: string) => run.filter(({ purpose }) => purpose === name);
  const [confirmed, alone, part, together] = [by('confirm'), by('alone'), by('part'), by('together')];
  if (!confirmed.some(isAdmitted) || ![...alone, ...part].every(isAdmitted)) return null;
  const burst = lastBurst(run);
  const size = Math.max(1, Math.floor(partShare * burst.filter(isAdmitted).length));
  const [one, many] = [Math.max(least.alone, burst.length), Math.max(least.together, burst.length)];
  if (together.length >= bursts * many)
    return together.some(isLimited) && !isFilled(together, many) ? { kind: 'done' } : null;
  const isLast = together.length >= (bursts - 1) * many;
  const pauseMs = isLast ? Math.min(rest.msMax, rest.times * spanMs(alone)) : letGoMs;
  const untilMs =
    lastEndedMs(run.slice(-many)) + (alone.length < apart.requests ? restAfterMs(run) : pauseMs);
  const why = isLast ? 'resting: a bucket would fill meanwhile' : 'until all is answered';
  if (nowMs < untilMs) return { kind: 'wait', why, untilMs };
  if (alone.length < one) return send(target, 'alone', 1);
  return part.length < parts * size ? send(target, 'part', size) : send(target, 'together', many);
}

/** Whether many more passed of the last burst than of one before it. */
function isFilled(together: readonly Exchange[], many: number): boolean {
  const passed = Array.from(
    { length: bursts },
    (_, at) => together.slice(at * many, (at + 1) * many).filter(isAdmitted).length,
  );
  const last = passed.pop() ?? 0;
  return last > filled.times * leastOf(passed) + filled.more;
}

function restAfterMs([anchor]: readonly Exchange[]): number {
  return anchor === undefined ? letGoMs : letGoMs + apart.answers * (endedMs(anchor) - anchor.sentMs);
}

function spanMs(requests: readonly Exchange[]): number {
  return lastEndedMs(requests) - leastOf(requests.map(({ sentMs }) => sentMs));
}

function isAdmitted({ outcome }: Exchange): boolean {
  return outcome === 'admitted';
}

function isLimited({ outcome }: Exchange): boolean {
  return outcome === 'limited';
}

/** The burst that was refused in part: those of the opening that were sent before its first answer came. */
function lastBurst(run: readonly Exchange[]): readonly Exchange[] {
  const burst = run.filter(({ purpose }) => purpose === 'saturate');
  const lastMs = lastSentMs(burst);
  return burst.filter(({ receivedMs }) => receivedMs === null || receivedMs >= lastMs);
}

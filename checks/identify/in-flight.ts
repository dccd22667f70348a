import type { Exchange } from '../../contract/exchange.ts';
import { endedMs, type Step } from '../steps.ts';
import { send, type Unknown } from './unknown.ts';

/** A part of those that passed at once is sent as often, one after another: no rate of a bucket lets so many pass. */
const parts = 8;
const partShare = 0.7;

/** The whole burst is sent as often: a bucket would still be empty from the time before. */
const bursts = 3;

/**
 * The first of those that are sent one after another come when nothing is left to wait for, after so many times as long as the
 * first answer took: they show how long an answer takes without a queue.
 */
const apart = { requests: 3, answers: 2 } as const;

/** A service lets go of a request somewhat after it has answered it: before the next ones it has this long, ms. */
export const letGoMs = 20;

/**
 * Where requests pass at once after a burst of them was refused in part, the limit may be on requests in flight. Then as
 * many as the burst held pass one after another; so do smaller bursts, without a pause; and the same burst is refused in part
 * again. That is the end: there is no window. `null` where anything of that was refused, or capacity did not come back at once.
 */
export function inFlight(target: Unknown, run: readonly Exchange[], nowMs: number): Step | null {
  const by = (name: string) => run.filter(({ purpose }) => purpose === name);
  const [confirmed, alone, part, together] = [by('confirm'), by('alone'), by('part'), by('together')];
  if (!confirmed.some(isAdmitted) || ![...alone, ...part].every(isAdmitted)) return null;
  const burst = lastBurst(run);
  const size = Math.max(1, Math.floor(partShare * burst.filter(isAdmitted).length));
  if (together.length >= bursts * burst.length) return together.some(isLimited) ? { kind: 'done' } : null;
  const restMs = alone.length < apart.requests ? restAfterMs(run) : letGoMs;
  const untilMs = Math.max(...run.slice(-burst.length).map(endedMs)) + restMs;
  if (nowMs < untilMs) return { kind: 'wait', why: 'until all is answered', untilMs };
  if (alone.length < burst.length) return send(target, 'alone', 1);
  return part.length < parts * size ? send(target, 'part', size) : send(target, 'together', burst.length);
}

function restAfterMs([anchor]: readonly Exchange[]): number {
  return anchor === undefined ? letGoMs : letGoMs + apart.answers * (endedMs(anchor) - anchor.sentMs);
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
  const lastSentMs = Math.max(...burst.map(({ sentMs }) => sentMs));
  return burst.filter(({ receivedMs }) => receivedMs === null || receivedMs >= lastSentMs);
}

import type { Exchange } from '../../contract/exchange.ts';
import { greatestOf, leastOf } from '../../contract/extremes.ts';
import { endedMs, type Step } from '../steps.ts';
import { send, type Unknown } from './unknown.ts';

/** As many answers in a row have to come evenly spaced before a limiter is taken for one that lets requests wait. */
const spacedMin = 8;

/** Evenly: the longest of the gaps is at most this many times the shortest, with room for a timer of the service, ms. */
const unevenMax = 1.5;
const timerMs = 10;

/** Each gap is this many times as long as an answer takes without others: else the service is just slow. */
const slowerMin = 3;

/** Requests that ask how many may wait: as many as connections stand open. */
const queueBurst = 64;

/**
 * Where requests wait for their turn instead of being refused: one burst that is larger than most queues, and the end.
 * Its refusals show how many may wait, and the spacing of its answers shows the rate. A window is not looked for: each
 * burst would have to wait until the queue has drained. `null` where requests do not wait.
 */
export function queued(target: Unknown, run: readonly Exchange[]): Step | null {
  if (run.some(({ purpose }) => purpose === 'queue')) return { kind: 'done' };
  return isQueue(run) ? send(target, 'queue', queueBurst) : null;
}

/** Whether the answers of the first bursts came one after another, evenly, although the first request was answered at once. */
function isQueue(run: readonly Exchange[]): boolean {
  const [anchor] = run;
  const burst = run.filter(({ purpose }) => purpose === 'saturate');
  if (anchor === undefined || burst.length !== run.length - 1) return false;
  const ends = burst
    .filter(({ outcome }) => outcome === 'admitted')
    .map(endedMs)
    .sort((left, right) => left - right)
    .slice(-spacedMin - 1);
  if (ends.length <= spacedMin) return false;
  const gaps = ends.slice(1).map((ms, at) => ms - (ends[at] as number));
  const [least, most] = [leastOf(gaps), greatestOf(gaps)];
  const aloneMs = endedMs(anchor) - anchor.sentMs;
  return least >= slowerMin * aloneMs && least >= timerMs && most <= unevenMax * least + timerMs;
}

import type { Exchange } from '../../contract/exchange.ts';
import { seconds } from '../../contract/quantities.ts';

/** Purposes of the requests that fill a limit, and of those that make sure that it is full. */
const opening = [
  'anchor',
  'saturate',
  'confirm',
  'queue',
  'alone',
  'part',
  'together',
  'sustain',
  'sustain-back',
];

/**
 * What there is to say where nothing was admitted any more after the limit had been reached: for how long, after which
 * silence, and what that may mean. `null` where something was, or nobody asked.
 * @param announcedMs the window that the refusals announce, where that is longer than was waited; else `null`.
 */
export function silenceText(
  trace: readonly Pick<Exchange, 'purpose' | 'outcome' | 'sentMs'>[],
  announcedMs: number | null,
): string | null {
  const full = trace.findLast(({ purpose }) => opening.includes(purpose));
  const later = trace.filter(({ purpose }) => !opening.includes(purpose));
  const last = later.at(-1);
  if (full === undefined || last === undefined) return null;
  if (later.some(({ outcome }) => outcome !== 'limited')) return null;
  const sent = [full, ...later].map(({ sentMs }) => sentMs);
  const longestMs = Math.max(...sent.slice(1).map((ms, at) => ms - (sent[at] as number)));
  return (
    `nothing was admitted in ${seconds(last.sentMs - full.sentMs, 0)} after the limit was reached, not even after ` +
    `${seconds(longestMs, 0)} without a request: the block is longer, or each request prolongs it. ` +
    longerText(announcedMs)
  );
}

function longerText(announcedMs: number | null): string {
  if (announcedMs === null) return '--longest waits longer.';
  const text = seconds(announcedMs, 0);
  return `The refusals announce capacity after ${text}: --longest ${Math.ceil(announcedMs / 1_000)} waits for it.`;
}

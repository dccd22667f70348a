import type { Exchange } from '../../contract/exchange.ts';
import type { Step } from '../steps.ts';
import { send, type Unknown } from './unknown.ts';

/** Times that a part of the burst is sent, each time as soon as the one before it is answered. */
const parts = 4;

/**
 * Where requests pass at once after a burst of them was refused in part, the limit may be on requests in flight. Then as
 * many as the burst held pass one after another; so do smaller bursts, without a pause; and the same burst is refused in part
 * again. That is the end: there is no window. `null` where anything of that was refused, or capacity did not come back at once.
 */
export function inFlight(target: Unknown, run: readonly Exchange[]): Step | null {
  const by = (name: string) => run.filter(({ purpose }) => purpose === name);
  const [confirmed, alone, part, together] = [by('confirm'), by('alone'), by('part'), by('together')];
  if (!confirmed.some(isAdmitted) || ![...alone, ...part].every(isAdmitted)) return null;
  if (together.length > 0) return together.some(isLimited) ? { kind: 'done' } : null;
  const burst = lastBurst(run);
  if (alone.length < burst.length) return send(target, 'alone', 1);
  const size = Math.max(1, Math.floor(burst.filter(isAdmitted).length / 2));
  if (part.length < parts * size) return send(target, 'part', size);
  return send(target, 'together', burst.length);
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

import { settledAfterMs } from '../../contract/bounds.ts';

/** For whatever is late, ms. */
const spareMs = 150;

/** From so long after a key's first request on its refusals can be judged, whole ms. */
export function settledLaterMs(windowMs: number): number {
  return Math.ceil(settledAfterMs(windowMs)) + spareMs;
}

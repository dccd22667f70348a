import { windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import { costOf } from '../../contract/document/cost.ts';
import type { Entry, Group } from '../entries.ts';

/** Whether a service that never refused anybody gave what it guarantees twice, one window apart: so many units within one window. */
export function wasGrantedTwice(group: Pick<Group, 'admitted' | 'limited' | 'limit' | 'windowMs'>): boolean {
  const { limited, windowMs } = group;
  if (limited.length > 0) return false;
  const first = grantedFrom(group, Number.NEGATIVE_INFINITY);
  return first !== null && grantedFrom(group, first + windowMsAtMost(windowMs)) !== null;
}

/** When a window began in which the limit was granted, ms, from a moment on; `null` where none did. */
function grantedFrom(
  { admitted, limit, windowMs }: Pick<Group, 'admitted' | 'limit' | 'windowMs'>,
  fromMs: number,
): number | null {
  const within: Entry[] = [];
  let units = 0;
  let from = 0;
  for (const entry of admitted) {
    if (entry.lowMs < fromMs) continue;
    within.push(entry);
    units += costOf(entry.exchange);
    for (let first = within[from]; first !== undefined; first = within[from]) {
      if (entry.highMs - first.lowMs <= windowMsAtLeast(windowMs)) break;
      units -= costOf(first.exchange);
      from += 1;
    }
    if (units >= limit) return within[from]?.lowMs ?? null;
  }
  return null;
}

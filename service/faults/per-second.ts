import { documentedPerSecond } from '../../contract/scopes.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { perSecondCap } from '../../limiters/per-second-cap.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import type { Patch } from './fault.ts';
import { otherWindow } from './other-window.ts';

/** The parentheses of section "Limits" enforced as caps of their own. */
export const perSecondCaps: Patch = otherWindow((rate, scope) => {
  const perSecond = documentedPerSecond[scope];
  const minute = slidingLog(rate);
  return perSecond === null ? openWindow(minute) : openWindow(perSecondCap(minute, perSecond));
});

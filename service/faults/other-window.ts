import { perSecondOf } from '../../contract/document/document.ts';
import { messagingDocument } from '../../contract/document/messaging.ts';
import type { Scope } from '../../contract/scopes.ts';
import { type Limiter, openWindow, type Rate, type RateWindow } from '../../limiters/limiter.ts';
import { type CapKind, perSecondCap } from '../../limiters/per-second-cap.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Patch } from './fault.ts';

/** Another algorithm in place of the documented sliding log. */
export function otherLimiter<State>(limiterOf: (rate: Rate, scope: Scope) => Limiter<State>): Patch {
  return otherWindow((rate, scope) => openWindow(limiterOf(rate, scope)));
}

export function otherWindow(windowOf: (rate: Rate, scope: Scope) => RateWindow): Patch {
  return (behaviour) => ({ ...behaviour, openWindow: (scope, rate) => windowOf(rate, scope) });
}

/** Other requests that share one window: those of the same text. */
export function otherWindowKey(windowKey: Behaviour['windowKey']): Patch {
  return (behaviour) => ({ ...behaviour, windowKey });
}

/** The documented algorithm at another rate than the settings have, and than the headers announce. */
export function otherRate(change: (rate: Rate, scope: Scope) => Rate): Patch {
  return (behaviour) => ({
    ...behaviour,
    openWindow: (scope, rate) => behaviour.openWindow(scope, change(rate, scope)),
  });
}

/** The parentheses of section "Limits" enforced as caps of their own, of one kind; default: in rolling seconds. */
export function cappedBy(kind?: CapKind): Patch {
  return otherWindow((rate, scope) => {
    const perSecond = perSecondOf(messagingDocument, scope);
    const minute = slidingLog(rate);
    return perSecond === null ? openWindow(minute) : openWindow(perSecondCap(minute, perSecond, kind));
  });
}

export const perSecondCaps: Patch = cappedBy();

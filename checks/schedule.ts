import type { Exchange } from '../contract/exchange.ts';
import { lateVisit } from './burst.ts';
import { askAtBoundary } from './few-places.ts';
import { confirm, fill, saturate, single } from './filling.ts';
import { gap } from './gap.ts';
import { nextPromisedStep } from './promised-schedule.ts';
import { quiet } from './quiet.ts';
import { askLate, followUp, reburst, singleReturn } from './reburst.ts';
import { nextOfSeveral } from './several-schedule.ts';
import { sortedOf } from './sorted-history.ts';
import { keepStatedWait } from './stated-wait.ts';
import { type History, isOfOneCost, type ProbeRequest, type Step, send, type Target } from './steps.ts';
import { untilTurn } from './turns.ts';

/**
 * The probe of one scope as a pure function of the answers so far: the same code runs over sockets and in virtual time.
 * The first exchange, sent by the preflight, is the anchor: it is the first request to leave the window.
 *
 * The order: a partial fill at once; some places one by one; saturation a little later, so that all these leave the
 * window separately; confirming 429s at different fractions of a second; single requests through the quiet part of the
 * window; a ladder of single requests around the expiry of the anchor; a burst into the gap before the saturation
 * expires, where only the fill may have come back; where the anchor left late, single requests around the expiry of each
 * place taken alone; and a burst once everything has left. A run that does not announce itself draws gaps, sizes and order,
 * and comes back once more at a late moment. Where the document has a refused client wait for so long, that is kept at last, unless it
 * was already. What shares a limit with other scopes waits for its turn.
 */
export function nextStep(target: Target, soFar: readonly Exchange[], nowMs: number): Step {
  const turn = untilTurn(target, soFar, { nowMs, stepOf: (before) => nextStep(before, soFar, nowMs) });
  if (turn !== null) return turn;
  const step = nextOfLimit(target, soFar, nowMs);
  return step.kind === 'done' ? (keepStatedWait(target, soFar, nowMs) ?? step) : step;
}

function nextOfLimit(target: Target, soFar: readonly Exchange[], nowMs: number): Step {
  if (target.parts !== undefined) return nextOfSeveral(target, soFar, nowMs);
  const isRolling = target.promise === 'rolling' && target.isShared !== true && isOfOneCost(target);
  if (!isRolling) return nextPromisedStep(target, soFar, nowMs);
  const seen = historyOf(target, soFar);
  return (
    fill(target, seen, nowMs) ??
    single(target, seen, nowMs) ??
    saturate(target, seen, nowMs) ??
    confirm(target, seen, nowMs) ??
    askOtherKey(target, soFar, 'other-key') ??
    quiet(target, seen, nowMs) ??
    gap(target, seen, nowMs) ??
    followUp(target, seen, nowMs) ??
    singleReturn(target, seen, nowMs) ??
    reburst(target, seen, nowMs) ??
    askAtBoundary(target, seen, nowMs) ??
    askOtherKey(target, soFar, 'other-key-late') ??
    askLate(target, seen, nowMs) ??
    lateVisit(target, seen, nowMs) ?? { kind: 'done' }
  );
}

function historyOf(target: Target, soFar: readonly Exchange[]): History {
  const { anchor, own, by, limited } = sortedOf(target, soFar);
  return { anchor, own, by, wasLimited: (purpose) => limited.has(purpose) };
}

/** A few requests with the second key. A window of its own admits them. */
function askOtherKey(target: Target, soFar: readonly Exchange[], purpose: string): Step | null {
  const { otherKey, scope } = target;
  if (otherKey === null || sortedOf(target, soFar).asked.has(purpose)) return null;
  const request: ProbeRequest = { scope, route: 'main', key: otherKey, credential: 'valid' };
  // Of a limit of 1, a second one would be a 429 that shows nothing.
  return send(purpose, target.limit === 1 ? [request] : [request, request]);
}

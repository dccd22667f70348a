import { waitPlacesOf } from '../contract/announced-wait.ts';
import { costOfAll } from '../contract/document/cost.ts';
import type { Exchange } from '../contract/exchange.ts';
import { cheapest, dearestOf, isOfOnePrice, mixed } from './mixed-requests.ts';
import { beyondRefill, burst } from './promised-burst.ts';
import { byPurpose, filledMs, type ProbeHistory, purposeOf } from './promised-seen.ts';
import {
  boundaryAsks,
  confirmAtMs,
  dropRetriesMax,
  dropRetriesShare,
  promisedFillMs,
  soonShare,
} from './promised-times.ts';
import { announcedOverMs } from './retries.ts';
import { lastEndedMs, type Step, send, type Target } from './steps.ts';

/** What is sent before capacity is asked for. */
export const opening = ['fill', 'saturate', 'edge', 'confirm', 'retry'] as const;

/** How much of a limit is filled first. */
const fillShare = 1 / 3;

/** A third of the limit. */
export function fillPromised(target: Target, seen: ProbeHistory): Step | null {
  const { since } = seen;
  if (byPurpose(target, seen, 'fill').length > 0) return null;
  const spent = costOfAll(since);
  const next = mixed(target, since, {
    units: Math.round(target.limit * fillShare) - spent,
    room: target.limit - spent,
  });
  return next.length === 0 ? null : send(purposeOf(target, 'fill'), next);
}

/** All that is left of it, until a 429. */
export function saturatePromised(target: Target, seen: ProbeHistory, nowMs: number): Step | null {
  const { since } = seen;
  const dueMs = filledMs(target, seen) + promisedFillMs(target.windowMs);
  const sent = byPurpose(target, seen, 'saturate');
  if (sent.length === 0 && nowMs < dueMs)
    return { kind: 'wait', why: 'between fill and saturation', untilMs: dueMs };
  const own = ['saturate', 'edge'].map((purpose) => purposeOf(target, purpose));
  const before = since.filter(({ purpose }) => !own.includes(purpose));
  // A bucket has its edge while it is empty.
  const dear = target.promise === 'token-bucket' ? 'first' : { edge: 'edge' };
  return burst(target, 'saturate', { seen, sent, before, dear });
}

/** A request soon after the 429, and more of them later: only a limit that is met refuses them. */
export function confirmPromised(target: Target, seen: ProbeHistory, nowMs: number): Step | null {
  const sent = byPurpose(target, seen, 'confirm');
  const isLate = sent.length > 0;
  if (sent.length > 1) return null;
  const isEdge = isLate && hasEdgeWhileEmpty(target) && byPurpose(target, seen, 'edge').length === 0;
  const dueMs = lastEndedMs(byPurpose(target, seen, 'saturate')) + confirmAtMs(target)[isLate ? 1 : 0];
  if (nowMs < dueMs) return { kind: 'wait', why: 'confirming that the limit is met', untilMs: dueMs };
  if (isEdge) return send(purposeOf(target, 'edge'), [dearestOf(target).request]);
  return send(purposeOf(target, 'confirm'), cheapest(target, isLate ? beyondRefill(target) : 1));
}

/** Whether what comes back in drops is asked for by the dearest request before it is enough for one. */
function hasEdgeWhileEmpty(target: Target): boolean {
  return target.promise === 'token-bucket' && !isOfOnePrice(target);
}

/** One request when the wait is over that a confirming 429 announced, where that is long before any window is. */
export function retry(target: Target, seen: ProbeHistory, nowMs: number): Step | null {
  if (target.promise === 'token-bucket') return retryInDrops(target, seen, nowMs);
  const { anchor } = seen;
  const [confirmed] = byPurpose(target, seen, 'confirm');
  const dueMs = confirmed === undefined ? null : announcedOverMs(confirmed, target);
  // By the clock all has come back once a window of it begins: it is asked for then, however long a refusal has one wait.
  const [, begunMs = Number.POSITIVE_INFINITY] = boundaryAsks(target, filledMs(target, seen));
  const latestMs = Math.min(anchor.sentMs + soonShare * target.windowMs, begunMs);
  if (dueMs === null || dueMs > latestMs) return null;
  if (byPurpose(target, seen, 'retry').length > 0) return null;
  if (nowMs < dueMs) return { kind: 'wait', why: 'waiting as announced', untilMs: dueMs };
  return send(purposeOf(target, 'retry'), cheapest(target, 1));
}

/**
 * The same for a bucket, to which a place comes back soon: for each way in which refusals say how long to wait, a single request
 * that is refused right after another one was admitted, so that a whole place is missing, and one more when its wait is over.
 */
function retryInDrops(target: Target, seen: ProbeHistory, nowMs: number): Step | null {
  const confirmed = byPurpose(target, seen, 'confirm');
  const sent = byPurpose(target, seen, 'retry');
  if (!confirmed.some((one) => announcedOverMs(one, target) !== null)) return null;
  // How many waits were kept from a moment at which a whole place was missing.
  const kept = sent.filter((_, at) => isRefused(sent[at - 1]) && at > 1 && !isRefused(sent[at - 2])).length;
  if (kept >= waitPlacesOf(target.announcing).length || sent.length >= dropRetriesMax) return null;
  const untilMs = lastEndedMs(confirmed) + dropRetriesShare * target.windowMs;
  const last = sent.at(-1);
  const dueMs =
    last !== undefined && isRefused(last)
      ? announcedOverMs(last, target, kept)
      : lastEndedMs(last === undefined ? confirmed : [last]) + retryApartMs;
  if (dueMs === null || dueMs > untilMs) return null;
  if (nowMs < dueMs) return { kind: 'wait', why: 'waiting as announced', untilMs: dueMs };
  return send(purposeOf(target, 'retry'), cheapest(target, 1));
}

function isRefused(exchange: Exchange | undefined): boolean {
  return exchange?.outcome === 'limited';
}

/** Apart from what was answered before it, even by a clock of whole milliseconds. */
const retryApartMs = 5;

/** Two requests with the second key, while the first has none left. */
export function askOtherKey(target: Target, { asked }: ProbeHistory, why: string): Step | null {
  const { otherKey } = target;
  const purpose = purposeOf(target, why);
  if (otherKey === null || asked.has(purpose)) return null;
  // The cheapest, since what another key takes may explain what this one is refused.
  return send(purpose, cheapest({ ...target, key: otherKey }, 2));
}

import type { Exchange } from '../contract/exchange.ts';
import { cheapest } from './mixed-requests.ts';
import { beyondRefill, burst, type Dear } from './promised-burst.ts';
import { askOtherKey, opening } from './promised-opening.ts';
import { type Cycle, isOver, momentsOf, restedIfOver, roundAfter } from './promised-rounds.ts';
import { byPurpose, filledMs, type ProbeHistory, purposeOf } from './promised-seen.ts';
import {
  aloneFrom,
  backAfterMs,
  begunLateMs,
  confirmAtMs,
  isBeyondIn,
  pauseMs,
  soonShare,
} from './promised-times.ts';
import { announcedOverMs } from './retries.ts';
import { endedMs, lastEndedMs, lastSentMs, type Step, send, type Target } from './steps.ts';
import { tooSoon } from './too-soon.ts';

/**
 * Single requests until capacity has come back, and a burst at once when one of them is admitted: as many cycles as show
 * how it comes back.
 */
export function askAgain(target: Target, seen: ProbeHistory, nowMs: number): Step | null {
  const { since, anchor } = seen;
  const asks = byPurpose(target, seen, 'ask');
  const filled = filledMs(target, seen);
  const opened = opening.flatMap((purpose) => byPurpose(target, seen, purpose));
  let cycle: Cycle = {
    at: 0,
    fromMs: Math.max(filled, begunMeanwhileMs(target, seen)),
    askedMs: null,
    fullMs: Math.max(anchor.sentMs, lastEndedMs(opened)),
    round: { kind: 'first', beganMs: anchor.sentMs, cycles: 0 },
  };
  const { fullMs: openedMs } = cycle;
  let lastMs = cycle.fullMs;
  /** When the limit was last seen to be met before any of it came back. */
  let metMs: number | null = null;
  let wasTooMuch = false;
  for (const ask of asks) {
    cycle = restedIfOver(target, cycle, { lastMs, anchor });
    if (ask.outcome === 'limited') {
      lastMs = ask.sentMs;
      continue;
    }
    const { at } = cycle;
    const sent = byPurpose(target, seen, burstName(at));
    const step =
      pause(target, { ask, sent, cycle: at }, nowMs) ??
      burst(target, burstName(at), {
        seen,
        sent,
        before: [ask],
        dear: dearIn(target, cycle),
        isBeyond: isBeyondIn(target, at),
      }) ??
      askOtherKey(target, seen, `other-key-${at + 1}`) ??
      confirmLate(target, { seen, sent, cycle: at }, nowMs);
    if (step !== null) return step;
    const confirmed = byPurpose(target, seen, confirmName(at));
    const edged = byPurpose(target, seen, edgeName(at));
    const fullMs = lastEndedMs([ask, ...sent, ...edged, ...confirmed]);
    // When in the rest it came back says nothing of what comes next.
    const fromMs = cycle.round.kind === 'rest' ? ask.sentMs : lastMs;
    metMs ??= lastMs;
    const { round } = cycle;
    const back = { at, counted: round.cycles, beganMs: round.beganMs, openedMs, metMs, fullMs, wasTooMuch };
    const soon = tooSoon(target, since, back);
    wasTooMuch ||= soon === 'too-much';
    const next = soon === null ? roundAfter(cycle, ask) : round;
    cycle = { at: at + 1, fromMs, askedMs: endedMs(ask), fullMs, round: next };
    lastMs = fullMs;
  }
  cycle = restedIfOver(target, cycle, { lastMs, anchor });
  const announced = since.flatMap((one) =>
    endedMs(one) >= cycle.fullMs ? (announcedOverMs(one, target) ?? []) : [],
  );
  const { windowMs } = target;
  const isUsable = (ms: number): boolean =>
    ms > cycle.fromMs + soonShare * windowMs && ms <= cycle.fullMs + backAfterMs(windowMs);
  const dueMs = isOver(target, cycle, { lastMs, anchor })
    ? undefined
    : momentsOf(target, cycle, {
        announced: announced.filter(isUsable),
        anchor,
        filledMs: filled,
      }).find((ms) => ms > lastMs);
  if (dueMs === undefined) return null;
  if (nowMs < dueMs) return { kind: 'wait', why: 'until the limit has come back', untilMs: dueMs };
  return send(purposeOf(target, 'ask'), cheapest(target, 1));
}

/** When a window began with a request that was admitted though the limit had been met; of windows that begin otherwise, never. */
function begunMeanwhileMs(target: Target, seen: ProbeHistory): number {
  if (begunLateMs(target) === null) return Number.NEGATIVE_INFINITY;
  const sent = ['confirm', 'retry'].flatMap((purpose) => byPurpose(target, seen, purpose));
  return lastSentMs(sent.filter(({ outcome }) => outcome === 'admitted'));
}

/** Before the burst after a request that was admitted: clocks may run apart, and a window begins before both, or after. */
function pause(target: Target, { ask, sent, cycle }: InCycle, nowMs: number): Step | null {
  const dueMs = endedMs(ask) + pauseMs(target, cycle);
  if (sent.length > 0 || nowMs >= dueMs) return null;
  return { kind: 'wait', why: 'before a burst', untilMs: dueMs };
}

/** The request that a cycle began with, and what its burst has sent so far. */
type InCycle = { readonly ask: Exchange; readonly sent: readonly Exchange[]; readonly cycle: number };

/** A bucket is left to fill; so is who counts rejected requests, before the key is left alone. */
function isUnasked(target: Target, cycle: number): boolean {
  return target.promise === 'token-bucket' || cycle + 1 === aloneFrom(target);
}

/** One request more than a second after a burst: only a limit that is met refuses it. */
function confirmLate(
  target: Target,
  { seen, sent, cycle }: Omit<InCycle, 'ask'> & { readonly seen: ProbeHistory },
  nowMs: number,
): Step | null {
  const purpose = confirmName(cycle);
  if (byPurpose(target, seen, purpose).length > 0 || isUnasked(target, cycle)) return null;
  const dueMs = lastEndedMs(sent) + confirmAtMs(target)[1];
  if (nowMs < dueMs) return { kind: 'wait', why: 'confirming that the limit is met', untilMs: dueMs };
  return send(purposeOf(target, purpose), cheapest(target, beyondRefill(target)));
}

function burstName(cycle: number): string {
  return `burst-${cycle + 1}`;
}

function confirmName(cycle: number): string {
  return `confirm-${cycle + 1}`;
}

/**
 * Where the burst of a cycle has dear requests: last, since a place that came back early is told by the cheapest. Where
 * windows may begin anew, too much has to pass twice, so the edge is tried a second time; who counts what it rejects has
 * less left after that, so it is tried nowhere else.
 */
function dearIn({ promise }: Target, { at, round }: Cycle): Dear {
  const { cycles, kind } = round;
  const hasEdge = kind !== 'rest' && cycles === 1 && (promise === 'fixed' || promise === 'unsaid');
  return hasEdge ? { edge: edgeName(at) } : 'last';
}

function edgeName(cycle: number): string {
  return `edge-${cycle + 1}`;
}

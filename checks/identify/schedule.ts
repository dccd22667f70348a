import type { Exchange } from '../../contract/exchange.ts';
import { leastOf } from '../../contract/extremes.ts';
import { seconds } from '../../contract/quantities.ts';
import { headerInteger } from '../../contract/rate-limit-headers.ts';
import { endedMs, lastEndedMs, type Step } from '../steps.ts';
import { endsInRefusals, endsShort, type Facts, factsOf } from './facts.ts';
import { firstWindowMoments } from './first-window.ts';
import { inFlight, letGoMs } from './in-flight.ts';
import { laterMomentMs } from './later-windows.ts';
import { queued } from './queued.ts';
import { expectedIn, secondLook } from './second-look.ts';
import {
  calmFromMs,
  expectedWindowMs,
  isBeyondLongest,
  send,
  type Unknown,
  untilBurstMs,
} from './unknown.ts';
import { withinBounds } from './within-bounds.ts';

/**
 * The probe of an unknown limiter, as a pure function of the answers so far: one request as the anchor; growing bursts
 * until the first refusal; a few more requests that confirm it; then single requests at informative moments. When one
 * of those is admitted, a burst takes all the capacity that came back, which shows how much it is. Refusals stay fewer
 * than the limit, because a log that counts them would never open again. Where answers queue up, or requests are refused
 * only while others are in flight, no window is looked for. Bounded by requests and by time.
 */
export function identifyStep(target: Unknown, soFar: readonly Exchange[], nowMs: number): Step {
  return withinBounds(target, soFar, { step: nextStep(target, soFar, nowMs), nowMs });
}

/** Whether an identification ends at a bound of its own, with questions left. */
export function isCutShort(target: Unknown, soFar: readonly Exchange[], nowMs: number): boolean {
  const step = nextStep(target, soFar, nowMs);
  return step.kind !== 'done' && withinBounds(target, soFar, { step, nowMs }).kind === 'done';
}

function nextStep(target: Unknown, soFar: readonly Exchange[], nowMs: number): Step {
  const step = lookStep(expectedIn(target, soFar), soFar, nowMs);
  return step.kind === 'done' ? (secondLook(target, soFar, nowMs) ?? step) : step;
}

function lookStep(target: Unknown, soFar: readonly Exchange[], nowMs: number): Step {
  const run = sinceAnchor(soFar);
  return (
    begin(target, soFar, nowMs) ??
    queued(target, run) ??
    saturateUnknown(target, run, nowMs) ??
    confirmUnknown(target, run, nowMs) ??
    inFlight(target, run, nowMs) ??
    takeBack(target, run) ??
    climb(target, run, nowMs)
  );
}

/** The exchanges since the last anchor: these are to be identified. */
export function sinceAnchor(soFar: readonly Exchange[]): readonly Exchange[] {
  const at = soFar.findLastIndex(({ purpose }) => purpose === 'anchor');
  return at === -1 ? [] : soFar.slice(at);
}

/** Most anchors of a run. All but the last of them found the key or the address in use. */
const beginningsMax = 3;

function begin(target: Unknown, soFar: readonly Exchange[], nowMs: number): Step | null {
  const anchors = soFar.filter(({ purpose }) => purpose === 'anchor');
  const last = anchors.at(-1);
  if (last === undefined) {
    const untilMs = calmFromMs(nowMs, expectedWindowMs(target));
    return untilMs > nowMs
      ? { kind: 'wait', why: 'until no boundary of the wall clock is near', untilMs }
      : send(target, 'anchor', 1);
  }
  if (soFar.at(-1) !== last || anchors.length >= beginningsMax || !isBusy(last)) return null;
  const untilMs = calmFromMs(endedMs(last) + busyMs(target, last), expectedWindowMs(target));
  return nowMs < untilMs
    ? { kind: 'wait', why: 'in use: waiting until it is idle', untilMs }
    : send(target, 'anchor', 1);
}

/** Whether an answer shows other recent requests. */
function isBusy(exchange: Exchange): boolean {
  if (exchange.outcome === 'limited') return true;
  const limit = headerInteger(exchange, 'limit');
  const remaining = headerInteger(exchange, 'remaining');
  return limit !== null && remaining !== null && remaining < limit - 1;
}

/** The wait that the answer announces, and at least a whole window, ms. */
function busyMs(target: Unknown, { retryAfter }: Exchange): number {
  const seconds = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : 0;
  return Math.min(target.windowMsMax, Math.max(expectedWindowMs(target) * 1.05, seconds * 1_000) + 1_000);
}

const burstMax = 32;

/** After this many admitted requests a limit is rather on those in flight at once: all connections are used. */
const manyAdmitted = 500;
const allConnections = 64;

function saturateUnknown(target: Unknown, run: readonly Exchange[], nowMs: number): Step | null {
  const [anchor] = run;
  if (anchor === undefined) return { kind: 'done' };
  const sent = run.filter(({ purpose }) => purpose === 'saturate');
  const untilMs = anchor.sentMs + untilBurstMs(expectedWindowMs(target));
  if (sent.length === 0 && nowMs < untilMs) return { kind: 'wait', why: 'before the burst', untilMs };
  if (sent.some(({ outcome }) => outcome === 'limited')) return null;
  const admitted = run.filter(({ outcome }) => outcome === 'admitted').length;
  if (run.length > target.unlimitedAfter || (run.length > 8 && admitted === 0)) return { kind: 'done' };
  const most = admitted < manyAdmitted ? burstMax : allConnections;
  const grown = Math.min(most, Math.max(2, Math.ceil(admitted / 4)));
  const short = target.limit === null ? 0 : Math.min(2 * burstMax, target.limit - admitted - 4);
  return send(target, 'saturate', Math.max(grown, short));
}

function confirmUnknown(target: Unknown, run: readonly Exchange[], nowMs: number): Step | null {
  if (run.some(({ purpose }) => purpose === 'confirm')) return null;
  const untilMs = lastEndedMs(run.slice(-allConnections)) + letGoMs;
  if (nowMs < untilMs) return { kind: 'wait', why: 'until all is answered', untilMs };
  const admitted = run.filter(({ outcome }) => outcome === 'admitted').length;
  return send(target, 'confirm', Math.min(4, Math.max(1, Math.floor(admitted / 6))));
}

/** Once as much came back as the limit was taken for, a few at a time; then ever more, of what there is beyond it. */
const beyondShare = 0.5;

/** After a refusal and an admission: takes more, until something is refused again. */
function takeBack(target: Unknown, run: readonly Exchange[]): Step | null {
  const lastRefusal = run.findLastIndex(({ outcome }) => outcome === 'limited');
  const taken = run.slice(lastRefusal + 1).filter(({ outcome }) => outcome === 'admitted').length;
  if (taken === 0) return null;
  const opening = run.filter(({ purpose }) => purpose === 'anchor' || purpose === 'saturate');
  const limit = opening.filter(({ outcome }) => outcome === 'admitted').length;
  if (taken > 3 * limit + burstMax) return { kind: 'done' };
  const { cap, isSustained } = factsOf(run);
  const most = cap ?? limit;
  const left = most > taken ? most - taken : Math.max(2, Math.ceil(beyondShare * (taken - most)));
  const purpose = run.at(-1)?.purpose.startsWith('sustain') ? 'sustain-back' : 'take-back';
  // Under a cap all of it has to be taken within its second, but no longer once another limit is known to refuse the rest.
  const part = cap === null ? Math.max(1, Math.ceil(taken / 3)) : taken;
  const more = cap === null || isSustained ? part : left;
  return send(target, purpose, Math.min(burstMax, more, left));
}

/** The next single request; after the first window only where several explanations remain. */
function climb(target: Unknown, run: readonly Exchange[], nowMs: number): Step {
  const facts = factsOf(run);
  if (facts.cap !== null) {
    const step = underCap(target, run, { facts, nowMs });
    if (step !== null) return step;
  }
  const paceMs = gapMomentMs(facts);
  if (paceMs !== null)
    return single(target, {
      untilMs: paceMs,
      nowMs,
      purpose: 'rung',
      why: 'measuring the gap between admissions',
    });
  const first = firstWindowMoments(target, facts).find((ms) => ms > facts.lastSentMs);
  const untilMs = first ?? laterMomentMs(target, run, facts);
  if (untilMs === null) return { kind: 'done' };
  return single(target, { untilMs, nowMs, purpose: 'rung', why: whyWaiting(target) });
}

function whyWaiting(target: Unknown): string {
  const { announcedMs = 0 } = target;
  const beyond = isBeyondLongest(target)
    ? `: ${seconds(announcedMs, 0)} are announced, longer than this waits`
    : '';
  return `until capacity may come back${beyond}`;
}

/** How many gaps are measured together, and how many requests go into each. */
const gapsMeasured = 20;
const requestsPerGap = 5;

/** Where one request at a time is admitted: many more requests, because many gaps together show the length of one. */
function gapMomentMs({ limit, returns, fullMs, lastSentMs }: Facts): number | null {
  const [first] = returns;
  if (limit > 2 || first === undefined) return null;
  const gaps = returns.map(({ sentMs }, at) => sentMs - (returns[at - 1]?.sentMs ?? fullMs));
  const gapMs = Math.max(gapMsMin, leastOf(gaps));
  const untilMs = first.sentMs + Math.max(measuredMsMin, Math.min(measuredMsMax, gapsMeasured * gapMs));
  return lastSentMs < untilMs ? lastSentMs + gapMs / requestsPerGap : null;
}

/** A shorter gap cannot be distinguished from none; then how long gaps are measured, ms. */
const gapMsMin = 50;
const measuredMsMin = 6_000;
const measuredMsMax = 40_000;

/** A second, with room for two clocks and a slow answer, ms. */
const secondMs = 1_060;

/**
 * Sends the most that passes in a second, each second: first until that is refused too, because there may be a longer
 * window under the cap, but no more than what shows that there is no limiter at all; later, when something has come back, until everything has.
 */
function underCap(target: Unknown, run: readonly Exchange[], { facts, nowMs }: Moment): Step | null {
  const untilMs = facts.lastSentMs + secondMs;
  if (!facts.isSustained) {
    const isOver =
      run.length > target.unlimitedAfter ||
      facts.lastSentMs > facts.anchorMs + 1.1 * expectedWindowMs(target);
    return isOver
      ? { kind: 'done' }
      : single(target, { untilMs, nowMs, purpose: 'sustain', why: 'until the next second of the cap' });
  }
  const sustained = run.findLastIndex(({ purpose }) => purpose === 'sustain');
  const later = run.slice(sustained + 1);
  const back = later.findIndex(({ outcome }) => outcome === 'admitted');
  const isOver =
    later.filter(({ outcome }) => outcome === 'admitted').length > returnsMax * facts.limit ||
    endsInRefusals(later.filter(({ purpose }) => purpose === 'rung')) ||
    endsShort(later.slice(back), { cap: facts.cap, seconds: laterSeconds });
  return back === -1 || isOver
    ? null
    : single(target, { untilMs, nowMs, purpose: 'rung', why: 'until the next second of the cap' });
}

/** A longer window gives back what it let pass, and refuses: where this many times as much passed, there is none. */
const returnsMax = 2;

/** A window that gives its capacity back in parts may do so for some seconds, each of which lets less pass than the cap. */
const laterSeconds = 6;

type Moment = { readonly facts: Facts; readonly nowMs: number };

type Single = {
  readonly untilMs: number;
  readonly nowMs: number;
  readonly purpose: string;
  readonly why: string;
};

function single(target: Unknown, { untilMs, nowMs, purpose, why }: Single): Step {
  return nowMs < untilMs ? { kind: 'wait', why, untilMs } : send(target, purpose, 1);
}

import { windowMsAtLeast } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { greatestOf, leastOf } from '../contract/extremes.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import { madeForMs, paceOf, usualPace } from './pace.ts';
import { endedMs, type History, lastEndedMs, requests, type Step, send, type Target } from './steps.ts';
import { drawn, type Vary } from './variation.ts';

/**
 * Between fill and saturation a few places are taken one by one. Each of them leaves the window at a moment of its own,
 * at another fraction of a second. Where the first request left late, the others show whether all are held equally long,
 * as in a window that is too long, or until the end of a part of a second, as where a limiter counts in such parts.
 */

/** When they are taken in a run that does not announce itself, ms after the first of them, at phases as well spread as those of a pace: it draws one of these. */
const drawnPatterns = [
  [0, 106, 230, 326, 413, 546, 759, 884, 1_034, 1_182, 1_274, 1_440],
  [0, 106, 193, 282, 381, 516, 710, 830, 1_011, 1_144, 1_270, 1_488],
] as const;

/** The share of the limit that may be taken one by one. */
const shareMax = 0.4;

/** The most places that are taken one by one. */
export function singlesTakenMax(limit: number): number {
  return Math.min(usualPace.singlesMs.length, Math.floor(limit * shareMax));
}

type Between = { readonly fromMs: number; readonly untilMs: number };

/** The next single place; `null` where it is time for the saturation, or the window is full already. */
export function takeSingle(target: Target, history: History, until: Between, nowMs: number): Step | null {
  const sent = history.by('single');
  if (sent.length >= singlesTakenMax(target.limit) || history.wasLimited('single')) return null;
  const lastMs = Math.max(until.fromMs, lastEndedMs(sent));
  // What slow answers have delayed is left out: the saturation does not wait for it.
  const dueMs = momentsOf(target, history, until).find((ms) => ms > lastMs);
  if (dueMs === undefined || nowMs >= until.untilMs) return null;
  if (nowMs < dueMs) return { kind: 'wait', why: 'between fill and saturation', untilMs: dueMs };
  return send('single', requests(target, 1));
}

function momentsOf(target: Target, history: History, until: Between): readonly number[] {
  const { vary, windowMs } = target;
  const scale = windowMs / madeForMs;
  if (vary === null) return paceOf(target, history).singlesMs.map((ms) => history.anchor.sentMs + ms * scale);
  return variedMs(vary).map((ms) => until.untilMs + ms * scale);
}

/** How far a moment is moved at most, ms: their phases stay spread. */
const movedMsMax = 1;

/** In a run that does not announce itself they end somewhere before the saturation, in one order or the other. */
function variedMs(vary: Vary): readonly number[] {
  const pattern = drawnPatterns[Math.floor(vary('singles') * drawnPatterns.length)] ?? drawnPatterns[0];
  const lastMs = greatestOf(pattern);
  const isTurned = vary('singles-turned') < 0.5;
  const endMs = drawn(vary, { usual: 0, least: -400, most: -60 }, 'singles-end');
  return pattern
    .map((ms, at) => (isTurned ? -ms : ms - lastMs) + endMs + movedMsMax * (2 * vary('single', at) - 1))
    .sort((left, right) => left - right);
}

/** The most requests that ask when single places come back. */
const returnsMax = 44;

/** The first request left late for certain if it was refused so long after it should have left, ms. */
const suspiciousMs = 10;

/** Beyond this, ms, one refusal alone shows a window that is too long. */
export const lateMaxMs = 1_200;

/** Refusals closer to a window than this, ms by which it was answered, are within the uncertainty of the clocks. */
const uncertainMs = 27;

/** The shortest step, ms, in which the moment of a return is searched. */
const stepMsMin = 4;

/**
 * The next request that asks whether a single place has come back; `null` where none is left, or the first request
 * left in time. Each place is asked for from where the one before was refused last, in steps that become shorter.
 */
export function askForSingle(target: Target, history: History, endMs: number, nowMs: number): Step | null {
  const sent = history.by('single-return');
  const known = heldSoFar(target, history);
  if (known === null || sent.length >= returnsMax || !areRejectionsFree(target, history)) return null;
  const fullMs = lastEndedMs(history.by('gap-edge'));
  // What had come back when the window was filled up is taken again.
  const places = history
    .by('single')
    .filter((place) => isAdmitted(place) && endedMs(place) + target.windowMs + known.refusedMs > fullMs);
  const { lateness, at, tries } = sent.reduce((state, exchange) => follow(state, exchange, places, target), {
    lateness: known,
    at: 0,
    tries: 0,
  });
  const place = places[at];
  if (place === undefined) return null;
  const { refusedMs, admittedMs } = lateness;
  const stepMs = Math.max(stepMsMin, (admittedMs - refusedMs) / 4);
  const offsetMs = Math.max(uncertainMs, refusedMs + (tries === 0 ? -roundTripMs(places) : stepMs));
  const dueMs = endedMs(place) + target.windowMs + offsetMs;
  if (Math.max(dueMs, nowMs) >= endMs) return null;
  if (nowMs < dueMs) return { kind: 'wait', why: 'until single requests leave the window', untilMs: dueMs };
  return send('single-return', requests(target, 1));
}

/** What answers take, on the average of these, ms: places seem to come back earlier and later by so much. */
function roundTripMs(places: readonly Exchange[]): number {
  return places.reduce((sum, place) => sum + endedMs(place) - place.sentMs, 0) / places.length;
}

/** How long after its window, ms, a place was last seen held, and first seen free. */
type Lateness = { readonly refusedMs: number; readonly admittedMs: number };

type Search = { readonly lateness: Lateness; readonly at: number; readonly tries: number };

function follow(
  { lateness, at, tries }: Search,
  exchange: Exchange,
  places: readonly Exchange[],
  { windowMs }: Target,
): Search {
  const place = places[at];
  if (place === undefined) return { lateness, at, tries };
  const offsetMs = exchange.sentMs - endedMs(place) - windowMs;
  const { refusedMs, admittedMs } = lateness;
  if (exchange.outcome !== 'admitted') {
    const after = { refusedMs: offsetMs, admittedMs: Math.max(admittedMs, offsetMs + stepMsMin) };
    return { lateness: after, at, tries: tries + 1 };
  }
  const widthMs = admittedMs - refusedMs;
  const next = { at: at + 1, tries: 0 };
  if (tries > 0) return { ...next, lateness: { refusedMs, admittedMs: offsetMs } };
  // Admitted at once: asked for too late, or it came back a little earlier than the others.
  if (offsetMs > admittedMs) return { ...next, lateness };
  return {
    ...next,
    lateness: { refusedMs: offsetMs - Math.max(2 * stepMsMin, widthMs), admittedMs: offsetMs },
  };
}

/** How late the first request left, as the ladder saw it; `null` where it left in time, or not at all. */
function heldSoFar({ windowMs }: Target, { anchor, own }: History): Lateness | null {
  const freeMs = endedMs(anchor) + windowMs;
  const asked = own.filter((one) => one.sentMs > freeMs + suspiciousMs && isSearch(one));
  const admittedMs = leastOf(asked.filter(isAdmitted).map(({ sentMs }) => sentMs - freeMs));
  const refused = asked.filter(
    (exchange) => exchange.outcome === 'limited' && exchange.sentMs - freeMs < admittedMs,
  );
  if (refused.length === 0 || admittedMs > lateMaxMs) return null;
  return { refusedMs: greatestOf(refused.map(({ sentMs }) => sentMs - freeMs)), admittedMs };
}

/** Whether a request asks for the first places that come back. */
export function isSearch({ purpose }: Exchange): boolean {
  return purpose === 'ladder' || purpose.startsWith('retry-');
}

function isAdmitted({ outcome }: Exchange): boolean {
  return outcome === 'admitted';
}

/**
 * Whether an admission shows that rejections take no places: it comes after as many requests as the limit, rejections among
 * them, or its Remaining counts fewer than these.
 */
export function areRejectionsFree({ limit, windowMs }: Target, { own, by }: History): boolean {
  return [...by('gap-edge'), ...own.filter(isSearch)].filter(isAdmitted).some((back) => {
    const fromMs = endedMs(back) - windowMsAtLeast(windowMs);
    const before = own.filter((one) => one.sentMs > fromMs && endedMs(one) < back.sentMs).length;
    const remaining = headerInteger(back, 'remaining');
    return before >= limit || (remaining !== null && limit - remaining <= before);
  });
}

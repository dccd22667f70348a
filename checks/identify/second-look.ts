import type { Exchange } from '../../contract/exchange.ts';
import { leastOf } from '../../contract/extremes.ts';
import { mayHaveBegunEmpty } from '../../judge/identify/empty-bucket.ts';
import type { Fit } from '../../judge/identify/fit.ts';
import { type Identified, identify } from '../../judge/identify/identify.ts';
import { usualSeconds } from '../../judge/identify/usual-windows.ts';
import { lastEndedMs, type Step } from '../steps.ts';
import { announcedWindowMs } from './announced.ts';
import { type Facts, factsOf } from './facts.ts';
import { identifiedUntilReturn } from './later-windows.ts';
import { calmFromMs, expectedWindowMs, isBeyondLongest, type Unknown, waitShare } from './unknown.ts';

/** Windows up to this length get a second look, ms: for a longer one it would take longer than the first look. */
export const secondLookMsMax = 30_000;

/** A cap without a longer window under it looks like a window of a second. */
const secondMs = 1_000;

/**
 * Idle time before the second look, in windows: a count may be carried over into the next window. A second is added for
 * limiters that count in whole seconds.
 */
const idleWindows = 2.2;

/**
 * The first look was made for the window that was expected, or for a minute, and shows little about a much shorter one.
 * The second look starts with an idle key and is made for the length that the first one found. `null` where it would
 * show nothing new.
 */
export function secondLook(target: Unknown, soFar: readonly Exchange[], nowMs: number): Step | null {
  const [first, ...others] = looksOf(soFar);
  const last = soFar.at(-1);
  if (first === undefined || others.length > 0 || last === undefined) return null;
  const windowMs = windowFoundMs(target, first);
  if (windowMs === null) return null;
  const idleMs = idleWindows * windowMs + secondMs;
  const untilMs = calmFromMs(lastEndedMs(first.slice(-lateMax)) + idleMs, windowMs);
  return nowMs < untilMs
    ? { kind: 'wait', why: whyAgain(first), untilMs }
    : { kind: 'send', purpose: 'anchor', requests: [target.request] };
}

/** A window that is announced is waited for where the longest wait allows it, and then a little longer than it lasts. */
function asAnnounced(target: Unknown, look: readonly Exchange[]): Unknown {
  const announcedMs = announcedWindowMs(look);
  if (announcedMs === null) return target;
  const announced = { ...target, announcedMs };
  if (isBeyondLongest(announced)) return announced;
  return { ...announced, windowMsMax: Math.max(target.windowMsMax, waitShare * announcedMs) };
}

function whyAgain(first: readonly Exchange[]): string {
  return mayHaveBegunEmpty(identify(first))
    ? 'less passed at first than later: probing again once a bucket has had the time to fill'
    : 'the window is shorter than expected: probing again once it is idle';
}

/** Among this many last exchanges is the one with the latest answer. */
const lateMax = 64;

/** What the current look expects: the first one what its refusals announce, the second one what the first one found. */
export function expectedIn(target: Unknown, soFar: readonly Exchange[]): Unknown {
  const [first, second] = looksOf(soFar);
  if (first === undefined) return target;
  if (second === undefined) return asAnnounced(target, first);
  return { ...target, windowMs: windowFoundMs(target, first) };
}

/**
 * The evidence of a run: all exchanges since the anchor that found the key idle. Under a cap everything came back each second
 * of the first look, and a bucket that began empty was not full in it. What both looks together do not explain may be explained by
 * one of them, rather the second.
 */
export function evidenceOf(soFar: readonly Exchange[]): readonly Exchange[] {
  const [first, second] = looksOf(soFar);
  if (first === undefined) return soFar.slice(Math.max(0, soFar.findLastIndex(isAnchor)));
  if (second === undefined) return first;
  const both = [...first, ...second];
  if (beganEmpty(soFar)) return explained([second, both]) ?? second;
  if (factsOf(first).cap === null) return both;
  return explained([both, second, first]) ?? second;
}

/** Whether a second look was made because the first one found a bucket that was not full when it was first asked. */
export function beganEmpty(soFar: readonly Exchange[]): boolean {
  const [first, second] = looksOf(soFar);
  return first !== undefined && second !== undefined && mayHaveBegunEmpty(identify(first));
}

/** The first of some looks that something explains. */
function explained(looks: readonly (readonly Exchange[])[]): readonly Exchange[] | undefined {
  return looks.find((look) => identify(look).tied.length > 0);
}

function isAnchor({ purpose }: Exchange): boolean {
  return purpose === 'anchor';
}

/**
 * The looks, each from its anchor. Anchors that no burst followed found the key in use, and begin no look. The second
 * look may have its anchor alone.
 */
function looksOf(soFar: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const filled = soFar.findIndex(({ purpose }) => purpose === 'saturate');
  if (filled === -1) return [];
  const anchor = soFar.findLastIndex((one, at) => at < filled && isAnchor(one));
  const again = soFar.findIndex((one, at) => at > filled && isAnchor(one));
  return again === -1 ? [soFar.slice(anchor)] : [soFar.slice(anchor, again), soFar.slice(again)];
}

/** The length that a first look found, by its last exchange: each step of the second look asks for it. */
const memory = new WeakMap<Exchange, number | null>();

/** The length that a look found but did not measure well, ms; `null` where it is known well enough, or is long. */
function windowFoundMs(target: Unknown, look: readonly Exchange[]): number | null {
  const last = look.at(-1) as Exchange;
  const known = memory.get(last);
  if (known !== undefined) return known;
  const found = windowIn(target, look);
  memory.set(last, found);
  return found;
}

/** Purposes of the last requests to a limiter without a window. */
const windowless = ['queue', 'together'];

function windowIn(target: Unknown, look: readonly Exchange[]): number | null {
  const facts = factsOf(look);
  if (facts.refusals === 0 || look.some(({ purpose }) => windowless.includes(purpose))) return null;
  const [last] = facts.returns.slice(-1);
  if (last !== undefined && isAsExpected(target, identifiedUntilReturn(target, look, last.sentMs)))
    return null;
  const found = identify(look, { limit: target.limit ?? undefined });
  if (isClear(found)) return null;
  if (mayHaveBegunEmpty(found)) return expectedWindowMs(target);
  const isCap = facts.cap !== null && !facts.isSustained;
  const lengthMs = isCap ? secondMs : Math.max(secondMs, likeliestMs(found.tied, facts));
  const longestMs = Math.min(secondLookMsMax, expectedWindowMs(target) / 2);
  return lengthMs <= longestMs && lengthMs >= latenciesMin * facts.latencyMs ? lengthMs : null;
}

/** No look shows more about a window that is not this many times as long as an answer takes. */
const latenciesMin = 8;

/**
 * The longest usual length that fits the most plausible explanation and in which everything came back; otherwise the
 * length that most explanations have. Infinite where there is none.
 */
function likeliestMs(tied: readonly Fit[], facts: Facts): number {
  const [best] = tied;
  if (best === undefined) return Number.POSITIVE_INFINITY;
  const spacingMs = clock * fullReturnMs(facts);
  const usual = usualSeconds
    .map((seconds) => seconds * 1_000)
    .filter((ms) => ms <= spacingMs && mayBe(ms, best));
  const held = (ms: number): number => tied.filter((fit) => mayBe(ms, fit)).length;
  const lengths = [...usual.slice(-1), ...tied.map(({ lengthMs }) => lengthMs)];
  return lengths.reduce((left, right) => (held(right) > held(left) ? right : left));
}

/** The shortest time in which nearly everything came back, ms. */
function fullReturnMs({ anchorMs, limit, returns }: Facts): number {
  const full = returns.filter(({ taken }) => taken >= fullShare * limit).map(({ sentMs }) => sentMs);
  return leastOf(full.map((ms, at) => ms - (full[at - 1] ?? anchorMs)));
}

const fullShare = 0.8;

function mayBe(ms: number, { window }: Fit): boolean {
  return window.lowMs <= ms * clock && window.highMs * clock >= ms;
}

/** Two clocks may measure a length this differently, and a rung comes a little later than the moment that it tests. */
const clock = 1.01;

/** Whether the expected length was measured, and nothing else explains as much: it was identified already. */
function isAsExpected({ windowMs }: Unknown, found: Identified): boolean {
  return isClear(found) && found.tied[0]?.lengthMs === windowMs;
}

/** A length whose interval is narrower than this ratio needs no second look. */
const clearShare = 1.4;

/** Something that hardly anybody sets explains what was seen once: two limits on top of each other may look like it. */
const clearPlausibility = 1e-4;

function isClear({ tied: [best, ...others] }: Identified): boolean {
  if (best === undefined || others.length > 0 || best.plausibility < clearPlausibility) return false;
  // Whether the sub-window in progress is one of a window's is a matter of words: that makes no length unclear.
  const { lowMs, highMs } = best.window;
  const worded = best.algorithm === 'sub-window-log' ? (best.granularityMs ?? 0) : 0;
  return highMs - worded <= clearShare * lowMs;
}

import type { Exchange } from '../../contract/exchange.ts';
import type { Fit } from '../../judge/identify/fit.ts';
import { type Identified, identify } from '../../judge/identify/identify.ts';
import { endedMs, type Step } from '../steps.ts';
import { type Facts, factsOf } from './facts.ts';
import { usualSeconds } from './first-window.ts';
import { calmFromMs, type Unknown } from './unknown.ts';

/** Windows up to this are looked at once more, ms: a longer one would take longer than the first look. */
const secondLookMsMax = 30_000;

/** A window of a second is what a cap looks like under which there is nothing else. */
const secondMs = 1_000;

/** So many windows, for a count that is carried over into the next; then a second for limiters that count in whole ones. */
const idleWindows = 2.2;

/**
 * Where no window was expected, requests were laid out for one of a minute, and tell little of a shorter one: once more from
 * an idle key, laid out for the length that the first look found. `null` where that would tell nothing new.
 */
export function secondLook(target: Unknown, soFar: readonly Exchange[], nowMs: number): Step | null {
  const [first, ...others] = looksOf(soFar);
  const last = soFar.at(-1);
  if (first === undefined || others.length > 0 || last === undefined || target.windowMs !== null) return null;
  const windowMs = windowFoundMs(target, first);
  if (windowMs === null) return null;
  const idleMs = idleWindows * windowMs + secondMs;
  const untilMs = calmFromMs(Math.max(...first.slice(-lateMax).map(endedMs)) + idleMs, windowMs);
  return nowMs < untilMs
    ? { kind: 'wait', why: 'a shorter window than expected: once more when it is idle', untilMs }
    : { kind: 'send', purpose: 'anchor', requests: [target.request] };
}

/** The last answer of a look is one of so many. */
const lateMax = 64;

/** What is expected in the look that is on: in the second one, what the first found. */
export function expectedIn(target: Unknown, soFar: readonly Exchange[]): Unknown {
  if (target.windowMs !== null) return target;
  const [first, second] = looksOf(soFar);
  if (first === undefined || second === undefined) return target;
  return { ...target, windowMs: windowFoundMs(target, first) };
}

/**
 * What a run says of its limiter: all from the first request that found the key idle. A cap needs a look of its own, as it lets
 * all come back each second of the first.
 */
export function evidenceOf(soFar: readonly Exchange[]): readonly Exchange[] {
  const [first, second] = looksOf(soFar);
  if (first === undefined) return soFar.slice(Math.max(0, soFar.findLastIndex(isAnchor)));
  if (second === undefined) return first;
  return factsOf(first).cap === null ? [...first, ...second] : second;
}

function isAnchor({ purpose }: Exchange): boolean {
  return purpose === 'anchor';
}

/** From each first request of which more came than itself; those before found the key in use. The second may have only one. */
function looksOf(soFar: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const filled = soFar.findIndex(({ purpose }) => purpose === 'saturate');
  if (filled === -1) return [];
  const anchor = soFar.findLastIndex((one, at) => at < filled && isAnchor(one));
  const again = soFar.findIndex((one, at) => at > filled && isAnchor(one));
  return again === -1 ? [soFar.slice(anchor)] : [soFar.slice(anchor, again), soFar.slice(again)];
}

/** Of the first look of one run at a time: each step of the second asks for it. */
const memory = new WeakMap<Exchange, number | null>();

/** The length that a look found and could not tell more about, ms; `null` where it was told well enough, or is long. */
function windowFoundMs(target: Unknown, look: readonly Exchange[]): number | null {
  const last = look.at(-1) as Exchange;
  const known = memory.get(last);
  if (known !== undefined) return known;
  const found = windowIn(target, look);
  memory.set(last, found);
  return found;
}

function windowIn({ limit }: Unknown, look: readonly Exchange[]): number | null {
  const facts = factsOf(look);
  if (facts.refusals === 0) return null;
  const found = identify(look, { limit: limit ?? undefined });
  if (isClear(found)) return null;
  const isCap = facts.cap !== null && !facts.isSustained;
  const lengthMs = isCap ? secondMs : Math.max(secondMs, likeliestMs(found.tied, facts));
  return lengthMs <= secondLookMsMax && lengthMs >= latenciesMin * facts.latencyMs ? lengthMs : null;
}

/** Of a window that is not so many times as long as an answer takes, no look tells more. */
const latenciesMin = 8;

/**
 * The longest usual length that the most plausible explanation leaves and in which all came back; else that which most of
 * the explanations have. Infinite where there is none.
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

/** The shortest time in which nearly all came back, ms. */
function fullReturnMs({ anchorMs, limit, returns }: Facts): number {
  const full = returns.filter(({ taken }) => taken >= fullShare * limit).map(({ sentMs }) => sentMs);
  return Math.min(...full.map((ms, at) => ms - (full[at - 1] ?? anchorMs)));
}

const fullShare = 0.8;

function mayBe(ms: number, { window }: Fit): boolean {
  return window.lowMs <= ms * clock && window.highMs * clock >= ms;
}

/** Two clocks tell one length so differently, and a rung comes a little later than what it asks for. */
const clock = 1.01;

/** A length that is known better than that needs no second look. */
const clearShare = 1.4;

function isClear({ tied: [best, ...others] }: Identified): boolean {
  return best !== undefined && others.length === 0 && best.window.highMs <= clearShare * best.window.lowMs;
}

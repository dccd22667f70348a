import { settledAfterMs } from '../contract/bounds.ts';
import { asksWithoutKey, type Deployment, scopesWithKey, scopesWithRequest } from '../contract/deployment.ts';
import { costOfAll, othersOf, usualCostOf } from '../contract/document/cost.ts';
import { areKeysCountedTogether, countedByIn } from '../contract/document/counted-by.ts';
import {
  type Document,
  furtherIn,
  partsOf,
  passedPartsOf,
  promiseIn,
  refusesLikeOutage,
  scopesOf,
} from '../contract/document/document.ts';
import { keptFrom } from '../contract/document/unreached.ts';
import { countedWith, innerMark, innerOf, sharesLimits } from '../contract/document/within.ts';
import type { Credential, Exchange } from '../contract/exchange.ts';
import { leastOf } from '../contract/extremes.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import { type Limits, limitIn, type Scope } from '../contract/scopes.ts';
import { longestProbedMsIn, windowMsIn } from '../contract/trace-windows.ts';
import { alignmentOf, apartFromBoundariesMs, type ClockWindows, haveApart } from './clock-windows.ts';
import { fillToSaturationMs } from './filling.ts';
import { nextBoundaryMs, scaled } from './moments.ts';
import { otherErrorRequest } from './probe-template.ts';
import { probedParts } from './several-schedule.ts';
import { lastEndedMs, type ProbeRequest, type Step, type Target, type TargetPart } from './steps.ts';
import { type Turn, turnsIn } from './turns.ts';
import { drawn, shuffled, type Vary, varyBy } from './variation.ts';

export type Opening = {
  readonly deployment: Deployment;
  readonly limits: Limits;
  readonly windowMs: number;
  readonly mode: 'full' | 'light';
  /** Aliases of the keys; the first is the one that will be filled. */
  readonly keys: readonly string[];
  /** The seed of a run that does not announce itself; left out in one that does. */
  readonly unannouncedSeed?: number | undefined;
};

/** What to probe: each scope that has a request. In the first that counts by key, by account or by address, the second key is used too. */
export function targetsOf(opening: Opening): readonly Target[] {
  const { deployment, limits, keys } = opening;
  const [key, otherKey] = keys;
  if (key === undefined) throw new Error('probing needs a key');
  const scopes = scopesWithRequest(deployment);
  // Only a limit that is an upper bound shows that another key has one of its own.
  const { document } = deployment;
  const isBounded = (scope: Scope): boolean =>
    partsOf(document, scope).some(({ promise }) => promise.kind !== 'at-least');
  const firstAsked = (all: readonly Scope[]): Scope | undefined => all.find(isBounded) ?? all[0];
  const ways = Map.groupBy(scopesWithKey(deployment), (scope) => countedByIn(document, scope));
  const askedByOther = new Set([...ways.values()].map(firstAsked));
  const turns = turnsOf(opening);
  const made = new Map<Scope, Target>();
  const targetOf = (scope: Scope): Target => {
    const [{ promise }] = partsOf(document, scope);
    return {
      scope,
      limit: limitIn(limits, scope),
      ...costsOf(document, scope),
      windowMs: windowMsIn(opening, scope),
      promise: promise.kind,
      aligned: alignmentOf(promise),
      ...(furtherIn(document, scope).length === 0 && !sharesLimits(document, scope)
        ? {}
        : { parts: targetPartsOf(opening, scope) }),
      ...afterOthers(turns.get(scope)),
      ...innerAlike(scope),
      isDoubtful: refusesLikeOutage(document),
      key,
      ...(areKeysCountedTogether(document, scope) ? { isShared: true } : {}),
      otherKey: askedByOther.has(scope) ? (otherKey ?? null) : null,
      hasSubpath: scope === 'messages' && deployment.requests.messagesSubpath !== undefined,
      hasOtherMethod: deployment.otherMethods[scope] !== undefined,
      vary: variationOf(opening, scope),
      announcing: deployment,
    };
  };
  const known = (scope: Scope): Target => {
    const target = made.get(scope) ?? targetOf(scope);
    made.set(scope, target);
    return target;
  };
  const innerAlike = (scope: Scope) => {
    const { cost } = costsOf(document, scope);
    const inner = innerOf(document, scope);
    const isAlike = (one: Scope): boolean => scopes.includes(one) && costsOf(document, one).cost === cost;
    return inner.length === 0 ? {} : { inner: inner.filter(isAlike) };
  };
  const afterOthers = (turn: Turn | undefined) =>
    turn === undefined || turn.after.length === 0
      ? {}
      : { after: turn.after.map(known), pauseMs: turn.pauseMs };
  return scopes.map(known);
}

/** When each scope is probed that shares a limit with others. */
export function turnsOf(
  opening: Pick<Opening, 'deployment' | 'limits' | 'windowMs'>,
): ReadonlyMap<Scope, Turn> {
  const { document } = opening.deployment;
  const scopes = scopesWithRequest(opening.deployment);
  const withParts = (scope: Scope) => ({ scope, parts: targetPartsOf(opening, scope) });
  return new Map(
    scopesOf(document).flatMap((outer) => {
      const inner = innerOf(document, outer).filter((scope) => scopes.includes(scope));
      return inner.length === 0 ? [] : [...turnsIn(withParts(outer), inner.map(withParts))];
    }),
  );
}

/** What the requests of a scope cost that a run sends. */
export function costsOf({ scopes }: Pick<Document, 'scopes'>, scope: Scope): Pick<Target, 'cost' | 'others'> {
  const named = scopes[scope] ?? {};
  return {
    cost: usualCostOf(named),
    others: othersOf(named).map(({ cost }, beside) => ({ beside, cost })),
  };
}

/** All limits of a scope that a run can probe, the first one first: not those that another one keeps from being reached. */
export function targetPartsOf(
  opening: Pick<Opening, 'deployment' | 'limits' | 'windowMs'>,
  scope: Scope,
): readonly TargetPart[] {
  const { document } = opening.deployment;
  const parts = passedPartsOf(document, scope);
  const asked = parts.filter((part) => part.of !== undefined || keptFrom(part, parts) === null);
  return asked.map(({ name, limit, wholeSeconds, promise, of }) => ({
    name: `${name ?? 'first'}${innerOf(document, scope).length === 0 ? '' : innerMark}`,
    ...(of === undefined ? {} : { isOuter: true }),
    limit: (of ?? { name }).name === null ? limitIn(opening.limits, of?.scope ?? scope) : limit,
    windowMs: (opening.windowMs * wholeSeconds) / document.windowSeconds,
    promise: promise.kind,
    aligned: alignmentOf(promise),
  }));
}

/**
 * What a run sends before it fills its scopes, as a pure function of the answers so far: one request for each key and
 * scope (the anchors of the schedules); a wait of one window where a key is in use; then requests without a valid key,
 * and one for another error.
 */
export function openingStep(opening: Opening, soFar: readonly Exchange[], nowMs: number): Step {
  const step = nextOfOpening(opening, soFar, nowMs);
  const vary = variationOf(opening, 'opening');
  if (vary === null || step.kind !== 'send' || soFar.length === 0) return step;
  const gapMs = drawn(vary, { usual: 0, least: 0, most: 40 }, 'gap', soFar.length);
  const dueMs = lastEndedMs(soFar) + scaled(gapMs, opening.windowMs);
  return nowMs < dueMs ? { kind: 'wait', why: 'between two requests', untilMs: dueMs } : step;
}

/** How a part of the run varies; `null` in a run that announces itself. */
function variationOf({ unannouncedSeed }: Opening, part: string): Vary | null {
  return unannouncedSeed === undefined ? null : varyBy(unannouncedSeed, part);
}

function nextOfOpening(opening: Opening, soFar: readonly Exchange[], nowMs: number): Step {
  const by = (purpose: string): readonly Exchange[] =>
    soFar.filter((exchange) => exchange.purpose === purpose);
  return (
    preflight(opening, by('preflight'), nowMs) ??
    withoutKey(opening, by('without-key')) ??
    afterWithoutKey(opening, by('after-without-key')) ??
    otherError(opening, by('other-error')) ?? { kind: 'done' }
  );
}

/** Each key once in each scope; where requests carry none, the first one stands for whoever asks. */
export function firstRequests(
  deployment: Pick<Deployment, 'document' | 'requests'>,
  keys: readonly string[],
): readonly { readonly scope: Scope; readonly key: string }[] {
  return keys.flatMap((key, at) =>
    (at === 0 ? scopesWithRequest : scopesWithKey)(deployment).map((scope) => ({ scope, key })),
  );
}

/** Rounds of the preflight: a second one follows the wait for a key that was in use. */
export const preflightRounds = 2;

function preflight(opening: Opening, sent: readonly Exchange[], nowMs: number): Step | null {
  const { deployment, keys, mode } = opening;
  const vary = variationOf(opening, 'opening');
  const all = firstRequests(deployment, keys).map(({ scope, key }) => keyed(scope, key));
  const requests = shuffled(vary, all, 'preflight');
  const next = requests[sent.length % requests.length];
  if (next === undefined) throw new Error('a run needs a key and a scope');
  const begun: Step = { kind: 'send', purpose: 'preflight', requests: [next] };
  if (sent.length === 0) {
    const calmMs = mode === 'light' ? nowMs : calmFromMs(nowMs, opening);
    return calmMs > nowMs
      ? { kind: 'wait', why: 'until no boundary of the wall clock is near', untilMs: calmMs }
      : begun;
  }
  if (sent.length % requests.length !== 0) return begun;
  // Where there is one request alone, and its answer was lost, nothing is known yet.
  if (sent.length < preflightRounds && sent.every(({ status }) => status === null)) return begun;
  const busy = busyAmong(sent, opening).map(({ answer }) => answer);
  if (mode === 'light' || busy.length === 0 || sent.length >= preflightRounds * requests.length) return null;
  const idleMs = lastEndedMs(sent) + settledAfterMs(longestProbedMsIn(opening));
  const untilMs = calmFromMs(idleMs, opening);
  const names = [...new Set(busy.map(({ key, scope }) => `${key} at ${scope}`))].join(', ');
  const why = `key in use (${names}): waiting one window until it is idle`;
  return nowMs < untilMs ? { kind: 'wait', why, untilMs } : begun;
}

/** An answer that says that somebody else's requests are in the window, and the limit that it may speak of. */
export type Busy = { readonly answer: Exchange; readonly limit: number };

/**
 * The answers to first requests that say that more than these was in the window; nothing is known without the header.
 * @param sent in the order of sending.
 */
export function busyAmong(
  sent: readonly Exchange[],
  { deployment, limits }: Pick<Opening, 'deployment' | 'limits'>,
): readonly Busy[] {
  const { document } = deployment;
  return sent.flatMap((answer, at) => {
    const { scope } = answer;
    const isShared = areKeysCountedTogether(document, scope);
    // Who promises an upper bound alone may leave less from the first request on.
    if (promiseIn(document, scope).kind === 'at-most') return [];
    const [, ...others] = passedPartsOf(document, scope);
    const limit = leastOf([limitIn(limits, scope), ...others.map((one) => one.limit)]);
    const together = countedWith(document, scope);
    const own = costOfAll(
      sent
        .slice(isShared || together.length > 1 ? 0 : at, at + 1)
        .filter((one) => together.includes(one.scope) && (isShared || one.key === answer.key)),
    );
    return (placesLeftIn(answer) ?? limit) >= limit - own ? [] : [{ answer, limit }];
  });
}

/** Places that an answer says are left; `null` where it does not say. */
export function placesLeftIn(answer: Exchange): number | null {
  return answer.outcome === 'limited' ? 0 : headerInteger(answer, 'remaining');
}

/**
 * When a run can begin, ms by the wall clock. A window that is aligned to the wall clock then has no boundary between
 * the first request and the end of the saturation.
 */
function calmFromMs(nowMs: number, opening: Opening): number {
  const { windowMs, unannouncedSeed } = opening;
  const calmMs = calmForMs(windowMs, unannouncedSeed !== undefined);
  const apart = apartWindowsOf(opening);
  if (apart !== null) return apartFromBoundariesMs(nowMs, apart, calmMs);
  const boundaryMs = nextBoundaryMs(nowMs, windowMs);
  return boundaryMs - nowMs < calmMs ? boundaryMs + 20 : nowMs;
}

/** How long no boundary may come once a run has begun, ms. */
export function calmForMs(windowMs: number, isVaried: boolean): number {
  return (isVaried ? 3 : 2) * fillToSaturationMs(windowMs);
}

/**
 * The longest windows that a run fills of those that it has to begin apart from boundaries of the clock; `null` where there are none.
 * Windows by the clock show then that they begin there. A counter that weighs two of them keeps an upper bound where all is sent right
 * after a boundary, and nowhere else.
 */
export function apartWindowsOf(
  opening: Pick<Opening, 'deployment' | 'limits' | 'windowMs'>,
): ClockWindows | null {
  const { deployment } = opening;
  const parts = scopesWithRequest(deployment).flatMap((scope) => targetPartsOf(opening, scope));
  const lengths = probedParts(parts)
    .filter(({ promise, aligned }) => promise === 'at-most' || aligned === 'clock')
    .map((part) => part.windowMs);
  const windows = { windowMs: lengths.at(-1) ?? 0, skewMs: 1_000 * deployment.clockSkewSecondsMax };
  return haveApart(windows) ? windows : null;
}

/** Requests without a valid key that a run sends. */
export function keylessOf(deployment: Deployment): number {
  return asksWithoutKey(deployment) ? invalid.length : 0;
}

const invalid = ['absent', 'malformed', 'unknown'] as const;

function withoutKey(opening: Opening, sent: readonly Exchange[]): Step | null {
  const { deployment } = opening;
  const [scope] = scopesWithKey(deployment);
  const credential = shuffled(variationOf(opening, 'opening'), invalid, 'invalid')[sent.length];
  if (!asksWithoutKey(deployment) || scope === undefined || credential === undefined) return null;
  return { kind: 'send', purpose: 'without-key', requests: [keyless(scope, credential)] };
}

/** The next request with a key shows whether requests without a valid key took places. */
function afterWithoutKey({ deployment, keys }: Opening, sent: readonly Exchange[]): Step | null {
  const [scope] = scopesWithKey(deployment);
  const [key] = keys;
  if (!asksWithoutKey(deployment) || sent.length > 0 || scope === undefined || key === undefined) return null;
  return { kind: 'send', purpose: 'after-without-key', requests: [keyed(scope, key)] };
}

/** Sent with the last key: where there are two, that is not the key that is filled. */
function otherError({ deployment, keys }: Opening, sent: readonly Exchange[]): Step | null {
  const key = keys.at(-1);
  const request = key === undefined ? null : otherErrorRequest(deployment, key);
  if (request === null || sent.length > 0) return null;
  return { kind: 'send', purpose: 'other-error', requests: [request] };
}

function keyed(scope: Scope, key: string): ProbeRequest {
  return { scope, route: 'main', key, credential: 'valid' };
}

function keyless(scope: Scope, credential: Credential): ProbeRequest {
  return { scope, route: 'main', key: null, credential };
}

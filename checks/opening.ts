import { settledAfterMs } from '../contract/bounds.ts';
import { asksWithoutKey, type Deployment, scopesWithKey, scopesWithRequest } from '../contract/deployment.ts';
import { areKeysCountedTogether, countedByIn } from '../contract/document/counted-by.ts';
import { furtherIn, partsOf, refusesLikeOutage } from '../contract/document/document.ts';
import { innerOf, sharesLimits } from '../contract/document/within.ts';
import type { Credential, Exchange } from '../contract/exchange.ts';
import { limitIn, type Scope } from '../contract/scopes.ts';
import { longestProbedMsIn, windowMsIn } from '../contract/trace-windows.ts';
import { busyAmong } from './busy.ts';
import { calmFromMs } from './calm.ts';
import { alignmentOf } from './clock-windows.ts';
import { scaled } from './moments.ts';
import { otherErrorRequest } from './probe-template.ts';
import { quietLooksIn } from './quiet-looks.ts';
import { lastEndedMs, type ProbeRequest, type Step, type Target } from './steps.ts';
import { costsOf, type ProbedRun, targetPartsOf, turnsOf } from './target-parts.ts';
import type { Turn } from './turns.ts';
import { drawn, shuffled, type Vary, varyBy } from './variation.ts';

export type Opening = ProbedRun & {
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
  const looksIn = quietLooksIn(opening, scopes, variationOf(opening, 'quiet'));
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
      looks: looksIn(scope),
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

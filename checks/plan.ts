import { settledAfterMs } from '../contract/bounds.ts';
import { type Deployment, scopesWithRequest } from '../contract/deployment.ts';
import { promiseIn, refusesLikeOutage } from '../contract/document/document.ts';
import type { LimitPromise } from '../contract/document/further-limit.ts';
import { outerOf } from '../contract/document/within.ts';
import { greatestOf } from '../contract/extremes.ts';
import { type Limits, limitIn, type Scope } from '../contract/scopes.ts';
import { windowMsIn } from '../contract/trace-windows.ts';
import { excess, excessMax, lateShareMax } from './burst.ts';
import { apartWindowsOf, calmForMs } from './calm.ts';
import { apartMsMax } from './clock-windows.ts';
import { fillSize, fillSizeMax, fillToSaturationMs, saturationMax } from './filling.ts';
import { besideOuterMax } from './inner-requests.ts';
import { rungsMax } from './ladder.ts';
import { mostRequestsIn } from './mixed-requests.ts';
import { keylessOf, preflightRounds } from './opening.ts';
import { promisedBurstMax } from './promised-burst.ts';
import { promisedMax } from './promised-schedule.ts';
import { promisedMs } from './promised-times.ts';
import { rollingMs, watchShare } from './reburst.ts';
import { probedParts, severalMax, severalMs } from './several-schedule.ts';
import { singlesTakenMax } from './single-places.ts';
import { statedWaitOf } from './stated-wait.ts';
import type { Target, TargetPart } from './steps.ts';
import { costsOf, targetPartsOf, turnsOf } from './target-parts.ts';
import { type Passes, watchedReturns } from './too-soon.ts';
import { lastEndMs } from './turns.ts';

/** What a run will send at most, before anything is sent. */
export type Plan = {
  readonly requestsMax: number;
  /** Of these, the requests without a valid key. Some services shut an address out for them. */
  readonly keyless: number;
  /** The most requests that may leave within one second. */
  readonly peakRequestsPerSecond: number;
  /** How long the probes take where the deployment conforms. */
  readonly seconds: number;
  /** How much longer they take where a service counts more than was sent. */
  readonly watchSeconds: number;
  /** How much longer they take at most where a limit lets too much pass; 0 where that makes no difference. */
  readonly tooMuchSeconds: number;
  /** Of these, what fills the scopes. */
  readonly byScope: readonly { readonly scope: Scope; readonly requestsMax: number }[];
  /** All of them, by what they ask for. */
  readonly bySubject: readonly PlannedRequests[];
};

/** Requests that share a window, or the one for another error. */
export type PlannedRequests = {
  readonly subject: Scope | 'otherError';
  readonly requestsMax: number;
  /** How many of them a service admits that keeps its limits. */
  readonly admittedMax: number;
};

export type PlanOptions = {
  readonly deployment: Deployment;
  readonly limits: Limits;
  readonly windowMs: number;
  /** `load` opens as a whole run does, and fills no scope. */
  readonly mode: 'full' | 'light' | 'load';
  readonly keys: number;
  /** The run does not announce itself: it sends more, and comes back once more. */
  readonly unannounced: boolean;
};

/** Single requests with the second key, while the first is full. */
const besideFilled = 4;

/**
 * Single requests of one scope: confirming, quiet, ladder at its longest with those after a late return, retries, and the second
 * key's. A ladder that ends early enough to be followed by requests for the single places, and by one more retry, leaves room
 * for all of them. One more asks for a single place at the boundary of a clock.
 */
const singlesMax = 4 + 5 + (rungsMax + excess) + 4 + 1 + besideFilled;

export function planRun({ deployment, limits, windowMs, mode, keys, unannounced }: PlanOptions): Plan {
  const scopes = scopesWithRequest(deployment);
  const { document } = deployment;
  /** How many requests fill a scope at most. */
  const filling = (scope: Scope): number => mostRequestsIn(limitIn(limits, scope), costsOf(document, scope));
  /** Of these, what is sent for the scope within which it lies. */
  const forOuter = (scope: Scope): number => {
    const outer = outerOf(document, scope);
    return outer === null
      ? 0
      : besideOuterMax * probedParts(targetPartsOf({ deployment, limits, windowMs }, outer)).length;
  };
  const statedWaitIn = (scope: Scope) =>
    statedWaitOf(
      { announcing: deployment, windowMs: windowMsIn({ windowMs, deployment }, scope) },
      filling(scope),
    );
  const promiseOfScope = (scope: Scope): ScopePromise => ({
    promise: promiseIn(document, scope).kind,
    parts: targetPartsOf({ deployment, limits, windowMs }, scope),
    costs: costsOf(document, scope),
    isDoubtful: refusesLikeOutage(document),
    lastly: statedWaitIn(scope).requests + forOuter(scope),
  });
  const rounds = mode === 'light' ? 1 : preflightRounds;
  const keyless = keylessOf(deployment);
  const opened = openingOf(deployment, { each: keys * rounds, keyless });
  const opening = opened.reduce((sum, { requestsMax }) => sum + requestsMax, 0);
  if (mode !== 'full') return openingPlan(opened, { requestsMax: opening, keyless });
  const byScope = scopes.map((scope) => ({
    scope,
    requestsMax: scopeMax(filling(scope), { unannounced, ...promiseOfScope(scope) }),
  }));
  const turns = turnsOf({ deployment, limits, windowMs });
  const probesMsIf = (passes: Passes): number =>
    lastEndMs(turns, scopes, (scope) => {
      const rate = { limit: limitIn(limits, scope), windowMs: windowMsIn({ windowMs, deployment }, scope) };
      return statedWaitIn(scope).ms + probeMs(promiseOfScope(scope), rate, passes);
    });
  const probesMs = probesMsIf('as-promised');
  // Half of what the late visit may wait, and what the parts of bursts add.
  const lateMs = settledAfterMs(windowMs) + (lateShareMax / 2 + 1 / 12) * windowMs;
  const burst = scopes.reduce(
    (sum, scope) => sum + burstMax(filling(scope), { unannounced, ...promiseOfScope(scope) }),
    0,
  );
  // In a short window fill and saturation leave within one second, with what went before them.
  const isShort = fillToSaturationMs(windowMs) < 1_000;
  const before = scopes.reduce((sum, scope) => sum + beforeMax(filling(scope), { unannounced }), opening);
  const apart = apartWindowsOf({ deployment, limits, windowMs });
  const apartMs = apart === null ? 0 : apartMsMax(apart, calmForMs(windowMs, unannounced));
  const seconds = Math.ceil((apartMs + probesMs + (unannounced ? lateMs : 0)) / 1_000) + 1;
  return {
    requestsMax: opening + byScope.reduce((sum, { requestsMax }) => sum + requestsMax, 0),
    keyless,
    peakRequestsPerSecond: isShort ? before + burst : burst,
    seconds,
    watchSeconds: Math.ceil((windowMs * watchShare) / 1_000),
    tooMuchSeconds: Math.ceil((probesMsIf('too-much') - probesMs) / 1_000),
    byScope,
    bySubject: opened.map((one) => {
      const { subject, requestsMax, admittedMax } = one;
      if (subject === 'otherError') return one;
      const of = promiseOfScope(subject);
      const more = scopeMax(filling(subject), { unannounced, ...of });
      const ownMs = windowMsIn({ windowMs, deployment }, subject);
      const windows = windowsFilled(of.promise, Math.ceil((1_000 * seconds) / ownMs));
      const beside = keys > 1 ? besideFilled : 0;
      const filled = Math.min(more, filling(subject) * windows + beside);
      return { subject, requestsMax: requestsMax + more, admittedMax: admittedMax + filled };
    }),
  };
}

/** Of a run that fills no scope. */
function openingPlan(
  bySubject: readonly PlannedRequests[],
  { requestsMax, keyless }: Pick<Plan, 'requestsMax' | 'keyless'>,
): Plan {
  return {
    requestsMax,
    keyless,
    peakRequestsPerSecond: requestsMax,
    seconds: 1,
    watchSeconds: 0,
    tooMuchSeconds: 0,
    byScope: [],
    bySubject,
  };
}

function probeMs(
  { promise, parts, isDoubtful }: ScopePromise,
  { limit, windowMs }: Rate,
  passes: Passes,
): number {
  if (promise === 'several') return severalMs(parts, isDoubtful, passes);
  if (promise === 'rolling') return rollingMs(windowMs, limit);
  const kind = { promise, limit, isDoubtful, windowMs };
  return promisedMs(kind, watchedReturns(kind, passes));
}

type Rate = { readonly limit: number; readonly windowMs: number };

/** In how many windows the limit may pass, of those that a run lasts. */
function windowsFilled(promise: ScopePromise['promise'], windows: number): number {
  if (promise === 'rolling' || promise === 'at-most') return windows;
  // Who guarantees a limit alone may admit all; where windows begin anew, or drops come back, one more begins within the run.
  return promise === 'at-least' ? Number.POSITIVE_INFINITY : windows + 1;
}

type OpeningCounts = { readonly each: number; readonly keyless: number };

/** What is sent before scopes are filled; of the first scope also what shows how requests without a key are answered. */
function openingOf(deployment: Deployment, { each, keyless }: OpeningCounts): readonly PlannedRequests[] {
  const afterKeyless = keyless === 0 ? 0 : 1;
  const byScope = scopesWithRequest(deployment).map((subject, at) => {
    const keyed = each + (at === 0 ? afterKeyless : 0);
    return { subject, requestsMax: keyed + (at === 0 ? keyless : 0), admittedMax: keyed };
  });
  if (deployment.requests.otherError === undefined) return byScope;
  return [...byScope, { subject: 'otherError', requestsMax: 1, admittedMax: 0 }];
}

type Announced = Pick<PlanOptions, 'unannounced'>;

/** What a scope promises, and all its limits. */
type ScopePromise = {
  readonly promise: LimitPromise['kind'];
  readonly parts: readonly TargetPart[];
  readonly costs: Pick<Target, 'cost' | 'others'>;
  readonly isDoubtful: boolean;
  /** Requests that are sent after all else. */
  readonly lastly: number;
};

type OfPromise = Announced & ScopePromise;

/** Within a second of a burst: the first confirming requests, and two with the second key. */
const besideBurst = 4 + 2;

/**
 * The most requests of a scope within one second: the saturation of a service that refuses nothing, or the burst once all
 * has left.
 */
function burstMax(limit: number, { unannounced, promise, parts, costs }: OfPromise): number {
  if (promise === 'several')
    return (
      greatestOf(probedParts(parts).map((part) => promisedBurstMax(mostRequestsIn(part.limit, costs)))) +
      besideBurst
    );
  if (promise !== 'rolling') return promisedBurstMax(limit) + besideBurst;
  const more = unannounced ? excessMax : excess;
  const saturation = saturationMax(limit) - fillSize(limit) + Math.max(more, Math.ceil(limit / 20));
  return Math.max(saturation, limit + 2 * more) + besideBurst;
}

/** The most requests of a scope before its saturation: the fill, and the places that are taken one by one. */
function beforeMax(limit: number, { unannounced }: Announced): number {
  return (unannounced ? fillSizeMax(limit) : fillSize(limit)) + singlesTakenMax(limit);
}

function scopeMax(limit: number, of: OfPromise): number {
  return probeMax(limit, of) + of.lastly;
}

function probeMax(limit: number, of: OfPromise): number {
  const { unannounced, promise, parts, costs, isDoubtful } = of;
  if (promise === 'several') return severalMax(parts, { ...costs, isDoubtful });
  if (promise !== 'rolling') return promisedMax(limit, of);
  // Once all has left, the limit at once; with the last place of few, some that are refused.
  const again = Math.max(limit, 1 + excess) + 2 * excess;
  const usual = saturationMax(limit) + Math.ceil(limit / 20) + singlesMax + fillSize(limit) + again;
  const more = fillSizeMax(limit) - fillSize(limit) + 3 * (excessMax - excess) + limit + excessMax;
  return unannounced ? usual + more : usual;
}

import { settledAfterMs } from '../contract/bounds.ts';
import { type Deployment, scopesWithRequest } from '../contract/deployment.ts';
import type { Limits, Scope } from '../contract/scopes.ts';
import { excess, excessMax, lateShareMax } from './burst.ts';
import { keylessOf, preflightRounds } from './opening.ts';
import { fillSize, fillSizeMax, fillToSaturationMs, saturationMax } from './schedule.ts';

/** What a run will send at most, before anything is sent. */
export type Plan = {
  readonly requestsMax: number;
  /** Of these, the requests without a valid key. Some services shut an address out for them. */
  readonly keyless: number;
  /** The most requests that may leave within one second. */
  readonly peakRequestsPerSecond: number;
  /** How long the probes take where the deployment conforms. */
  readonly seconds: number;
  readonly byScope: readonly { readonly scope: Scope; readonly requestsMax: number }[];
};

export type PlanOptions = {
  readonly deployment: Deployment;
  readonly limits: Limits;
  readonly windowMs: number;
  readonly mode: 'full' | 'light';
  readonly keys: number;
  /** The run does not announce itself: it sends more, and comes back once more. */
  readonly unannounced: boolean;
};

/** One with a key after those without one, and one for another error. */
const openingSingles = 1 + 1;

/**
 * Single requests of one scope: confirming, quiet, ladder at its longest, retries, and the second key's. A ladder that
 * ends early enough to be followed by requests for the single places leaves room for all of them.
 */
const singlesMax = 4 + 5 + 60 + 4 + 4;

export function planRun({ deployment, limits, windowMs, mode, keys, unannounced }: PlanOptions): Plan {
  const scopes = scopesWithRequest(deployment);
  const rounds = mode === 'light' ? 1 : preflightRounds;
  const keyless = keylessOf(deployment);
  const opening = scopes.length * keys * rounds + keyless + openingSingles;
  if (mode === 'light') {
    return {
      requestsMax: opening,
      keyless,
      peakRequestsPerSecond: opening,
      seconds: 1,
      byScope: scopes.map((scope) => ({ scope, requestsMax: keys })),
    };
  }
  const byScope = scopes.map((scope) => ({ scope, requestsMax: scopeMax(limits[scope], { unannounced }) }));
  const probesMs = fillToSaturationMs(windowMs) + settledAfterMs(windowMs);
  // Half of what the late visit may wait, and what the parts of bursts add.
  const lateMs = settledAfterMs(windowMs) + (lateShareMax / 2 + 1 / 12) * windowMs;
  const peak = scopes.reduce((sum, scope) => sum + limits[scope] - fillSize(limits[scope]) + excess, 0);
  return {
    requestsMax: opening + byScope.reduce((sum, { requestsMax }) => sum + requestsMax, 0),
    keyless,
    peakRequestsPerSecond: peak,
    seconds: Math.ceil((probesMs + (unannounced ? lateMs : 0)) / 1_000) + 1,
    byScope,
  };
}

function scopeMax(limit: number, { unannounced }: Pick<PlanOptions, 'unannounced'>): number {
  const usual =
    saturationMax(limit) + Math.ceil(limit / 20) + singlesMax + fillSize(limit) + limit + 2 * excess;
  const more = fillSizeMax(limit) - fillSize(limit) + 3 * (excessMax - excess) + limit + excessMax;
  return unannounced ? usual + more : usual;
}

import { bounds } from '../contract/bounds.ts';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Deployment } from '../contract/deployment.ts';
import { documentedPerSecond } from '../contract/scopes.ts';
import type { Evidence } from '../contract/verdict.ts';
import type { ClockSteps } from './clock-steps.ts';
import type { Entry, Group } from './entries.ts';
import { evidenceOf, exchangesOf, secondsText } from './evidence.ts';
import { explainedLengths, type Lengths, type Reading, readings } from './lengths.ts';
import { isExplainedTogether } from './sharing.ts';

/**
 * What the admissions and refusals of one group prove, with the blame placed once: on the one clause that a deviation
 * is about, so that a wrong limit is not reported again as a wrong window.
 */
export type Attribution =
  | { readonly kind: 'explained'; readonly granular: boolean }
  | { readonly kind: 'capped'; readonly perSecond: number }
  | {
      readonly kind: 'blamed';
      readonly clause: ClauseId;
      readonly reason: string;
      readonly evidence: Evidence;
    }
  | { readonly kind: 'unsure'; readonly reason: string };

export type Analysis = {
  readonly group: Group;
  readonly attribution: Attribution;
  /** Readings of rejections that the trace has not refuted; both where nothing fits. */
  readonly readings: readonly Reading[];
  /** Lengths of window that explain every admission and 429; `null` where none do, or nothing bounds them. */
  readonly measured: Lengths | null;
  /** Refusals late enough to be judged. */
  readonly judgedRefusals: number;
};

export type Setting = {
  readonly deployment: Deployment;
  readonly stepped: ClockSteps;
  /** Groups of the same key that may share its window; none once an admission has shown scopes apart. */
  readonly otherScopes: readonly Group[];
  /** Groups of the same scope that may share its window; none once an admission has shown keys apart. */
  readonly otherKeys: readonly Group[];
};

type Fit = { readonly reading: Reading; readonly lengths: Lengths };

export function analyse(group: Group, setting: Setting): Analysis {
  const refusals = setting.deployment.exclusiveKeys ? judgedRefusals(group) : [];
  const fits = readings.map((reading) => ({ reading, lengths: lengthsOf(group, reading, refusals) }));
  const fitting = fits.filter((fit) => !tooShort(group, fit.lengths) && !tooLong(group, fit.lengths));
  const left = fitting.length === 0 ? readings : fitting.map(({ reading }) => reading);
  return {
    group,
    attribution: fitting.length === 0 ? blame(group, fits, setting) : explained(group, fitting),
    readings: left,
    measured: measure(group, left),
    judgedRefusals: refusals.length,
  };
}

/** Over-admission: even the shortest window of the documented length would have refused one of these. */
function tooShort(group: Group, lengths: Lengths): boolean {
  return lengths.highMs < group.windowMs;
}

/** Wrongful 429: a window longer than documented, by more than whole-second counting explains. */
function tooLong(group: Group, lengths: Lengths): boolean {
  return lengths.lowMs > group.windowMs + bounds.granularityMs;
}

function judgedRefusals(group: Group): readonly Entry[] {
  return group.limited.filter((entry) => entry.lowMs >= group.settledMs);
}

function lengthsOf(group: Group, reading: Reading, refusals: readonly Entry[], limit = group.limit): Lengths {
  return explainedLengths({ limit, entries: group.entries, reading, refusals });
}

function explained(group: Group, fitting: readonly Fit[]): Attribution {
  return { kind: 'explained', granular: fitting.every(({ lengths }) => lengths.lowMs > group.windowMs) };
}

/** The window as measured: by all refusals where those agree with the admissions, else by the judged ones. */
function measure(group: Group, left: readonly Reading[]): Lengths | null {
  const candidates = [group.limited, judgedRefusals(group)].flatMap((refusals) =>
    left.map((reading) => lengthsOf(group, reading, refusals)),
  );
  const consistent = candidates.find(({ lowMs, highMs }) => lowMs <= highMs);
  if (consistent === undefined) return null;
  return consistent.lowMs === 0 && consistent.highMs === Number.POSITIVE_INFINITY ? null : consistent;
}

function blame(group: Group, fits: readonly Fit[], setting: Setting): Attribution {
  const [notCounted, counted] = fits as readonly [Fit, Fit];
  const overAdmitted = tooShort(group, notCounted.lengths);
  const fit = overAdmitted || notCounted.lengths.lowMs <= counted.lengths.lowMs ? notCounted : counted;
  const deviation = overAdmitted ? overAdmission(group, fit.lengths) : wrongfulRefusal(group, fit.lengths);
  const proof = overAdmitted ? fit.lengths.highBy : [fit.lengths.lowBy].filter((entry) => entry !== null);
  if (acrossStep(proof, group, setting)) {
    return {
      kind: 'unsure',
      reason: 'the clock of this machine stepped while it was measured: run it again',
    };
  }
  const attribution = overAdmitted
    ? blameOverAdmission(group, deviation)
    : blameRefusal(group, fit, deviation, setting);
  return attribution;
}

/** A refusal's proof reaches back one window; an over-admission's from its first to its last admission. */
function acrossStep(proof: readonly Entry[], group: Group, setting: Setting): boolean {
  const fromMs = Math.min(...proof.map((entry) => entry.lowMs));
  const toMs = Math.max(...proof.map((entry) => entry.highMs));
  return setting.stepped(proof.length === 1 ? fromMs - group.windowMs : fromMs, toMs);
}

function blameOverAdmission(group: Group, deviation: Evidence): Attribution {
  const limits: ClauseId = `limits.${group.scope}`;
  if (onlyTogether(group)) {
    return {
      kind: 'blamed',
      clause: 'limits.messages-subpaths',
      reason: 'counted-apart',
      evidence: deviation,
    };
  }
  if (otherLimitFits(group))
    return { kind: 'blamed', clause: limits, reason: 'over-admission', evidence: deviation };
  const length = measuredLength(group);
  if (length !== null)
    return { kind: 'blamed', clause: 'window.length', reason: 'too-short', evidence: deviation };
  const beforeFull = explainedLengths({
    limit: group.limit,
    entries: group.entries.filter((entry) => entry.lowMs <= firstFullMs(group)),
    reading: 'not-counted',
    refusals: [],
  });
  return tooShort(group, beforeFull)
    ? { kind: 'blamed', clause: limits, reason: 'over-admission', evidence: deviation }
    : { kind: 'blamed', clause: 'window.rolling', reason: 'early-return', evidence: deviation };
}

function blameRefusal(group: Group, fit: Fit, deviation: Evidence, setting: Setting): Attribution {
  const limits: ClauseId = `limits.${group.scope}`;
  const unexplainedMs = group.windowMs + bounds.granularityMs;
  if (isExplainedTogether(group, setting.otherScopes, unexplainedMs)) {
    return {
      kind: 'blamed',
      clause: 'limits.per-scope',
      reason: 'one-window-for-scopes',
      evidence: deviation,
    };
  }
  if (isExplainedTogether(group, setting.otherKeys, unexplainedMs)) {
    return { kind: 'blamed', clause: 'limits.per-key', reason: 'one-window-for-keys', evidence: deviation };
  }
  const cap = fittingCap(group);
  if (cap !== null && setting.deployment.perSecond !== 'average') return capped(cap, setting.deployment);
  if (otherLimitFits(group))
    return { kind: 'blamed', clause: limits, reason: 'wrongful-429', evidence: deviation };
  if (measuredLength(group) !== null) {
    return { kind: 'blamed', clause: 'window.length', reason: 'too-long', evidence: deviation };
  }
  return fit.lengths.highMs === Number.POSITIVE_INFINITY && group.admitted.length >= group.limit
    ? { kind: 'blamed', clause: 'window.rolling', reason: 'late-return', evidence: deviation }
    : { kind: 'blamed', clause: limits, reason: 'wrongful-429', evidence: deviation };
}

function capped(perSecond: number, deployment: Deployment): Attribution {
  if (deployment.perSecond === 'cap') return { kind: 'capped', perSecond };
  return {
    kind: 'unsure',
    reason:
      `429s below the minute’s limit all fit a cap of ${perSecond} per second; ` +
      `if this deployment means it so, set perSecond: 'cap', else 'average'`,
  };
}

/** A cap at the parenthesis of the document that explains every refusal, if there is one. */
function fittingCap(group: Group): number | null {
  const cap = documentedPerSecond[group.scope];
  if (cap === null) return null;
  const secondMs = 1_000;
  const { lowMs, highMs } = lengthsOf(group, 'not-counted', group.limited, cap);
  return lowMs <= secondMs + bounds.granularityMs && highMs >= secondMs ? cap : null;
}

/** When a 429 first showed the window full; infinite where nothing ever did. */
function firstFullMs(group: Group): number {
  return group.limited[0]?.highMs ?? Number.POSITIVE_INFINITY;
}

/** Whether another limit, the number admitted before the first 429, explains everything with the documented window. */
function otherLimitFits(group: Group): boolean {
  const plateau = group.admitted.filter((entry) => entry.lowMs <= firstFullMs(group)).length;
  if (plateau === group.limit || plateau === 0) return false;
  return readings.some((reading) => {
    const lengths = lengthsOf(group, reading, judgedRefusals(group), plateau);
    return !tooShort(group, lengths) && !tooLong(group, lengths);
  });
}

/** A rolling window of another length that explains everything and is known to about a second. */
function measuredLength(group: Group): Lengths | null {
  const lengths = measure(group, ['not-counted']);
  return lengths !== null && lengths.highMs - lengths.lowMs <= bounds.granularityMs ? lengths : null;
}

/** Whether requests to the main path and to paths below it keep the limit apart, but not together. */
function onlyTogether(group: Group): boolean {
  const routes = ['main', 'subpath'] as const;
  return routes.every((route) => {
    const entries = group.entries.filter((entry) => entry.exchange.route === route);
    if (entries.length === 0) return false;
    const { limit } = group;
    return !tooShort(group, explainedLengths({ limit, entries, reading: 'not-counted', refusals: [] }));
  });
}

function overAdmission(group: Group, lengths: Lengths): Evidence {
  const by = lengths.highBy;
  const spanMs = Math.max(...by.map((entry) => entry.highMs)) - (by[0]?.lowMs ?? 0);
  return evidenceOf(
    `at most ${group.limit} requests of a key admitted in any ${secondsText(group.windowMs)}`,
    `${by.length} of key ${group.key} at ${group.scope} admitted within ${secondsText(spanMs)}`,
    exchangesOf(by),
  );
}

function wrongfulRefusal(group: Group, lengths: Lengths): Evidence {
  const refusal = lengths.lowBy;
  if (refusal === null) throw new Error('a wrongful refusal needs a refusal');
  const reachMs = group.windowMs + bounds.granularityMs;
  const before = group.mayCount.filter(
    (entry) => entry.highMs > refusal.lowMs - reachMs && entry.lowMs <= refusal.highMs && entry !== refusal,
  );
  return evidenceOf(
    `a request of a key with fewer than ${group.limit} requests in the ${secondsText(group.windowMs)} before is admitted`,
    `a 429 for key ${group.key} at ${group.scope} with at most ${before.length} in the ${secondsText(reachMs)} before`,
    exchangesOf([...before, refusal]),
  );
}

import { bounds, windowMsAtMost } from '../contract/bounds.ts';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Deployment } from '../contract/deployment.ts';
import type { Exchange } from '../contract/exchange.ts';
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
  /** Settings and trace leave open that there is a cap per second on top; `Remaining` may be what that has left. */
  readonly capStands: boolean;
  /** Refusals that a cap per second may explain, as far as settings and trace leave that open. */
  readonly mayBeCapped: ReadonlySet<Exchange>;
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
  const mayBeCapped = cappable(group, setting);
  const refusals = setting.deployment.exclusiveKeys ? judgedRefusals(group) : [];
  const standing = standingFits(group, refusals, setting);
  // A cap on top is one more reading of the document, unless a person has said that there is none.
  const uncapped = refusals.filter((refusal) => !mayBeCapped.has(refusal));
  const standingCapped =
    uncapped.length === refusals.length ? standing : standingFits(group, uncapped, setting);
  const left = standingCapped.length === 0 ? readings : standingCapped.map(({ reading }) => reading);
  return {
    group,
    attribution: attribute(group, { standing, standingCapped }, setting),
    readings: left,
    measured: measure(group, left),
    judgedRefusals: refusals.length,
    capStands: standingCap(group, setting) !== null,
    mayBeCapped: new Set([...mayBeCapped].map(({ exchange }) => exchange)),
  };
}

type Standing = { readonly standing: readonly Fit[]; readonly standingCapped: readonly Fit[] };

function attribute(group: Group, { standing, standingCapped }: Standing, setting: Setting): Attribution {
  if (standing.length > 0) return explained(group, standing);
  if (standingCapped.length > 0) return capped(group, setting.deployment);
  const refusals = setting.deployment.exclusiveKeys ? judgedRefusals(group) : [];
  return blame(group, fitsOf(group, refusals), setting);
}

function fitsOf(group: Group, refusals: readonly Entry[]): readonly Fit[] {
  return readings.map((reading) => ({ reading, lengths: lengthsOf(group, reading, refusals) }));
}

/** The readings of rejections that the trace leaves, with the lengths of window under each. */
function standingFits(group: Group, refusals: readonly Entry[], setting: Setting): readonly Fit[] {
  return fitsOf(group, refusals).filter((fit) => !isRefuted(group, fit, setting));
}

/** A reading is refuted only by proof that lies on one side of every step of this machine's clocks. */
function isRefuted(group: Group, { lengths }: Fit, setting: Setting): boolean {
  const refusal = lengths.lowBy === null ? [] : [lengths.lowBy];
  return (
    (tooShort(group, lengths) && !acrossStep(lengths.highBy, group, setting)) ||
    (tooLong(group, lengths) && !acrossStep(refusal, group, setting))
  );
}

/** A refusal's proof reaches back one window; an over-admission's from its first to its last admission. */
function acrossStep(proof: readonly Entry[], group: Group, setting: Setting): boolean {
  const fromMs = Math.min(...proof.map((entry) => entry.lowMs));
  const toMs = Math.max(...proof.map((entry) => entry.highMs));
  return setting.stepped(proof.length === 1 ? fromMs - group.windowMs : fromMs, toMs);
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

function explained(group: Group, standing: readonly Fit[]): Attribution {
  const fitting = standing.filter(({ lengths }) => !tooShort(group, lengths) && !tooLong(group, lengths));
  if (fitting.length === 0) {
    return {
      kind: 'unsure',
      reason: 'the clock of this machine stepped while it was measured: run it again',
    };
  }
  return { kind: 'explained', granular: fitting.every(({ lengths }) => lengths.lowMs > group.windowMs) };
}

/** The window as measured: by all refusals where those agree with the admissions, else by the judged ones. */
function measure(group: Group, left: readonly Reading[]): Lengths | null {
  for (const refusals of [group.limited, judgedRefusals(group)]) {
    for (const reading of left) {
      const lengths = lengthsOf(group, reading, refusals);
      if (lengths.lowMs > lengths.highMs) continue;
      return lengths.lowMs === 0 && lengths.highMs === Number.POSITIVE_INFINITY ? null : lengths;
    }
  }
  return null;
}

function blame(group: Group, fits: readonly Fit[], setting: Setting): Attribution {
  const [notCounted, counted] = fits as readonly [Fit, Fit];
  const overAdmitted = tooShort(group, notCounted.lengths);
  const isCountedOut = tooShort(group, counted.lengths) || notCounted.lengths.lowMs <= counted.lengths.lowMs;
  const fit = overAdmitted || isCountedOut ? notCounted : counted;
  if (overAdmitted) return blameOverAdmission(group, overAdmission(group, fit.lengths));
  return blameRefusal(group, wrongfulRefusal(group, fit.lengths), setting);
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
  const beforeFull = explainedLengths({
    limit: group.limit,
    entries: group.entries.filter((entry) => entry.lowMs <= firstFullMs(group)),
    reading: 'not-counted',
    refusals: [],
  });
  // Before a window was seen full its length does not matter: any length that fits then is a coincidence.
  if (tooShort(group, beforeFull))
    return { kind: 'blamed', clause: limits, reason: 'over-admission', evidence: deviation };
  return otherLengthFits(group)
    ? { kind: 'blamed', clause: 'window.length', reason: 'too-short', evidence: deviation }
    : { kind: 'blamed', clause: 'window.rolling', reason: 'early-return', evidence: deviation };
}

function blameRefusal(group: Group, deviation: Evidence, setting: Setting): Attribution {
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
  if (otherLimitFits(group))
    return { kind: 'blamed', clause: limits, reason: 'wrongful-429', evidence: deviation };
  if (otherLengthFits(group)) {
    return { kind: 'blamed', clause: 'window.length', reason: 'too-long', evidence: deviation };
  }
  return plateauOf(group) >= group.limit
    ? { kind: 'blamed', clause: 'window.rolling', reason: 'late-return', evidence: deviation }
    : { kind: 'blamed', clause: limits, reason: 'wrongful-429', evidence: deviation };
}

function capped({ scope }: Group, deployment: Deployment): Attribution {
  const perSecond = documentedPerSecond[scope] ?? 0;
  if (deployment.perSecond === 'cap') return { kind: 'capped', perSecond };
  return {
    kind: 'unsure',
    reason:
      `429s below the minute’s limit all fit a cap of ${perSecond} per second; ` +
      `if this deployment means it so, set perSecond: 'cap', else 'average'`,
  };
}

/**
 * The cap at the parenthesis of the document, if there may be one: not where a person has said that there is none, nor
 * where admissions lie closer together than it allows.
 */
function standingCap(group: Group, setting: Setting): number | null {
  const cap = documentedPerSecond[group.scope];
  if (cap === null || setting.deployment.perSecond === 'average') return null;
  const { highMs, highBy } = lengthsOf(group, 'not-counted', [], cap);
  return highMs < secondMs && !acrossStep(highBy, group, setting) ? null : cap;
}

const secondMs = 1_000;

/** The refusals that such a cap may have caused. */
function cappable(group: Group, setting: Setting): ReadonlySet<Entry> {
  const cap = standingCap(group, setting);
  if (cap === null) return new Set();
  const longestMs = secondMs + bounds.granularityMs;
  // Somebody else's last requests may fill the first second.
  const ownFromMs = setting.deployment.exclusiveKeys
    ? (group.entries[0]?.lowMs ?? 0) + longestMs
    : Number.POSITIVE_INFINITY;
  const fits = (refusal: Entry): boolean =>
    refusal.lowMs < ownFromMs ||
    readings.some((reading) => lengthsOf(group, reading, [refusal], cap).lowMs <= longestMs);
  return new Set(group.limited.filter(fits));
}

/** When a 429 first showed the window full; infinite where nothing ever did. */
function firstFullMs(group: Group): number {
  return group.limited[0]?.highMs ?? Number.POSITIVE_INFINITY;
}

/** How many were admitted in the window before the first 429. */
function plateauOf(group: Group): number {
  const fullMs = firstFullMs(group);
  const fromMs = fullMs - windowMsAtMost(group.windowMs);
  return group.admitted.filter((entry) => entry.lowMs <= fullMs && entry.highMs > fromMs).length;
}

/** Whether another limit, the number admitted before the first 429, explains everything with the documented window. */
function otherLimitFits(group: Group): boolean {
  const plateau = plateauOf(group);
  if (plateau === group.limit || plateau === 0) return false;
  return readings.some((reading) => {
    const lengths = lengthsOf(group, reading, judgedRefusals(group), plateau);
    return !tooShort(group, lengths) && !tooLong(group, lengths);
  });
}

/** Whether a rolling window of another length, known to a sixtieth of the documented one, explains everything. */
function otherLengthFits(group: Group): boolean {
  const { lowMs, highMs } = lengthsOf(group, 'not-counted', group.limited);
  return lowMs <= highMs && highMs - lowMs <= group.windowMs / 60;
}

/**
 * Whether requests to the main path and to paths below it keep the limit apart, but not together; and whether those of
 * the main path explain its 429s alone, as they do not where another deviation merely shows on both.
 */
function onlyTogether(group: Group): boolean {
  const routes = ['main', 'subpath'] as const;
  return routes.every((route) => {
    const entries = group.entries.filter((entry) => entry.exchange.route === route);
    if (entries.length === 0) return false;
    const { limit } = group;
    const refusals = route === 'main' ? group.limited.filter((entry) => entries.includes(entry)) : [];
    const lengths = explainedLengths({ limit, entries, reading: 'not-counted', refusals });
    return !tooShort(group, lengths) && !tooLong(group, lengths);
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

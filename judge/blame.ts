import { bounds, windowMsAtMost } from '../contract/bounds.ts';
import type { ClauseId } from '../contract/clauses/registry.ts';
import { greatestOf } from '../contract/extremes.ts';
import { howMany } from '../contract/quantities.ts';
import type { Evidence } from '../contract/verdict.ts';
import { bySent, type Entry, type Group } from './entries.ts';
import { evidenceOf, exchangesOf, secondsText } from './evidence.ts';
import { crowdText, seenOfCrowd } from './first-refused.ts';
import { type Fit, judgedRefusals, lengthsOf, tooLong, tooShort } from './fits.ts';
import { refusalsOfOwn } from './granularity.ts';
import { explainedLengths, type Lengths, readings } from './lengths.ts';
import { type Cause, causeOf, lengthsText } from './other-length.ts';
import { isExplainedTogether } from './sharing.ts';

/** The one clause that a deviation is about, what kind of deviation it is, and what proves it. */
export type Blame = {
  readonly kind: 'blamed';
  readonly clause: ClauseId;
  readonly reason: string;
  readonly evidence: Evidence;
};

/** The other groups of the trace. */
export type OtherGroups = {
  /** Those that may share a window with the one that is judged; none once an admission has shown them apart. */
  readonly otherScopes: readonly Group[];
  readonly otherKeys: readonly Group[];
  /** Those of the same key. */
  readonly ofKey: readonly Group[];
  /** All of them: one service most likely keeps the same kind of window everywhere. */
  readonly peers: readonly Group[];
};

export function blame(group: Group, fits: readonly Fit[], beside: OtherGroups): Blame {
  const [notCounted, counted] = fits as readonly [Fit, Fit];
  const overAdmitted = tooShort(group, notCounted.lengths);
  if (overAdmitted) return blameOverAdmission(group, overAdmission(group, notCounted.lengths), beside);
  if (counted.crowd.length > 0 && !tooShort(group, counted.lengths))
    return blameRefusal(group, crowdRefused(group, counted.crowd), beside);
  const isCountedOut = tooShort(group, counted.lengths) || notCounted.lengths.lowMs <= counted.lengths.lowMs;
  const fit = isCountedOut ? notCounted : counted;
  const { lowBy } = lengthsOf(group, fit.reading, refusalsOfOwn(group));
  return blameRefusal(group, wrongfulRefusal(group, lowBy), beside);
}

function blameOverAdmission(group: Group, deviation: Evidence, { peers }: OtherGroups): Blame {
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
  const cause = causeOf(group, peers, 'too-short');
  if (cause.kind === 'length') return lengthBlame('too-short', deviation, cause);
  // Only of a window that is too long it may be unclear.
  return { kind: 'blamed', clause: 'window.rolling', reason: 'early-return', evidence: deviation };
}

function blameRefusal(group: Group, deviation: Evidence, beside: OtherGroups): Blame {
  const limits: ClauseId = `limits.${group.scope}`;
  const unexplainedMs = group.windowMs + bounds.granularityMs;
  if (isExplainedTogether(group, beside.otherScopes, unexplainedMs)) {
    return {
      kind: 'blamed',
      clause: 'limits.per-scope',
      reason: 'one-window-for-scopes',
      evidence: deviation,
    };
  }
  if (isExplainedTogether(group, beside.otherKeys, unexplainedMs)) {
    return { kind: 'blamed', clause: 'limits.per-key', reason: 'one-window-for-keys', evidence: deviation };
  }
  if (otherLimitFits(group))
    return { kind: 'blamed', clause: limits, reason: 'wrongful-429', evidence: deviation };
  const cause = causeOf(group, beside.peers, 'too-long');
  if (cause.kind === 'length') return lengthBlame('too-long', deviation, cause);
  return cause.kind === 'not-rolling' && plateauOf(group) >= group.limit
    ? { kind: 'blamed', clause: 'window.rolling', reason: 'late-return', evidence: deviation }
    : { kind: 'blamed', clause: limits, reason: 'wrongful-429', evidence: deviation };
}

/** The length is what is wrong. The deviation itself is quoted, and the length that explains it. */
function lengthBlame(
  reason: 'too-short' | 'too-long',
  deviation: Evidence,
  { lengths }: Extract<Cause, { readonly kind: 'length' }>,
): Blame {
  const observed = `${deviation.observed}; ${lengthsText(lengths)} explains every admission and 429`;
  return { kind: 'blamed', clause: 'window.length', reason, evidence: { ...deviation, observed } };
}

/** When a 429 first showed the window full; infinite where nothing ever did. */
function firstFullMs(group: Group): number {
  return group.limited[0]?.highMs ?? Number.POSITIVE_INFINITY;
}

/** How many were admitted in the window before the first 429. */
export function plateauOf(group: Group): number {
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

/**
 * Whether requests to the main path and to paths below it keep the limit apart, but not together; and whether the main
 * path was full by itself, as it was not where another deviation merely shows on both.
 */
function onlyTogether(group: Group): boolean {
  const routes = ['main', 'subpath'] as const;
  return routes.every((route) => {
    const entries = group.entries.filter((entry) => entry.exchange.route === route);
    if (entries.length === 0) return false;
    const { limit } = group;
    const refusals = route === 'main' ? group.limited.filter(({ exchange }) => exchange.route === route) : [];
    if (route === 'main' && refusals.length === 0) return false;
    const lengths = explainedLengths({ limit, entries, reading: 'not-counted', refusals });
    return !tooShort(group, lengths) && !tooLong(group, lengths);
  });
}

function overAdmission(group: Group, lengths: Lengths): Evidence {
  const by = lengths.highBy();
  const spanMs = greatestOf(by.map((entry) => entry.highMs)) - (by[0]?.lowMs ?? 0);
  return evidenceOf(
    `at most ${howMany(group.limit, 'request')} of a key admitted in any ${secondsText(group.windowMs)}`,
    `${by.length} of key ${group.key} at ${group.scope} admitted within ${secondsText(spanMs)}`,
    exchangesOf(by),
  );
}

function wrongfulRefusal(group: Group, refusal: Entry | null): Evidence {
  if (refusal === null) throw new Error('a wrongful refusal needs a refusal');
  const wideMs = group.windowMs + bounds.granularityMs;
  // Where no refusal is later than whole seconds explain, there is room in the window itself.
  const reachMs = mayCountBefore(group, refusal, wideMs).length < group.limit ? wideMs : group.windowMs;
  const before = mayCountBefore(group, refusal, reachMs);
  return evidenceOf(
    `a request is admitted if its key has fewer than ${howMany(group.limit, 'request')} in the ${secondsText(group.windowMs)} before it`,
    `a 429 for key ${group.key} at ${group.scope} with at most ${howMany(before.length, 'request')} in the ${secondsText(reachMs)} before it`,
    exchangesOf([...before, refusal]),
  );
}

/** Refusals of which none can have been decided first; under either reading each had room before it then. */
function crowdRefused(group: Group, crowd: readonly Entry[]): Evidence {
  const reachMs = group.windowMs + bounds.granularityMs;
  const { most, all } = seenOfCrowd({ entries: group.explaining, windowMs: reachMs }, crowd);
  return evidenceOf(
    `a request is admitted if its key has fewer than ${howMany(group.limit, 'request')} in the ${secondsText(group.windowMs)} before it`,
    crowdText(group, crowd, `${howMany(most.length, 'request')} in the ${secondsText(reachMs)} before it`),
    exchangesOf([...all].sort(bySent)),
  );
}

function mayCountBefore(group: Group, refusal: Entry, reachMs: number): readonly Entry[] {
  return group.mayCount.filter(
    (entry) => entry.highMs > refusal.lowMs - reachMs && entry.lowMs <= refusal.highMs,
  );
}

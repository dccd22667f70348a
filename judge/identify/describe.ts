import { bounds } from '../../contract/bounds.ts';
import type { Candidate, Identification } from '../../contract/identification.ts';
import type { Cap } from './cap.ts';
import type { Fit, Span } from './fit.ts';
import type { Identified } from './identify.ts';
import type { Observations } from './observations.ts';
import { secondMs } from './under-cap.ts';

/** Contradictions that are listed one by one. */
const remarksMax = 5;

/** What was found, for people and programs. */
export function describe(found: Identified): Identification {
  const { observations, tied, fits, cap } = found;
  const [best] = tied;
  const [nearest] = fits;
  const candidates = tied.map((fit) => candidateOf(observations, fit));
  const [first] = candidates;
  const names = candidates.map(({ algorithm }) => algorithm);
  return {
    algorithm: names.length > 1 ? names : (names[0] ?? 'unidentified'),
    limit: first?.limit ?? null,
    windowSeconds: first?.windowSeconds ?? null,
    phaseSeconds: first?.phaseSeconds ?? null,
    granularitySeconds: first?.granularitySeconds ?? null,
    rejectionsCount: agreed(candidates),
    ...(first?.forgottenAfterSeconds === undefined
      ? {}
      : { forgottenAfterSeconds: first.forgottenAfterSeconds }),
    perSecondCap: cap?.lengthMs === secondMs ? cap.limit : null,
    shorterWindow: shorterOf(cap),
    contradictions: nearest?.contradictedBy.length ?? 0,
    remarks: best === undefined ? remarksOn(observations, nearest) : [],
    nearest: best === undefined && nearest !== undefined ? candidateOf(observations, nearest) : null,
    tied: candidates.length > 1 ? candidates : [],
    notRuledOut: fits
      .filter((fit) => fit.contradictedBy.length === 0 && fit.plausibility > 0 && !tied.includes(fit))
      .map((fit) => candidateOf(observations, fit)),
    requests: observations.count,
    seconds: rounded(observations.endMs / 1_000),
  };
}

function shorterOf(cap: Cap | null): Identification['shorterWindow'] {
  if (cap === null) return null;
  const shorter = { limit: cap.limit, windowSeconds: cap.lengthMs / 1_000 };
  return cap.kind === 'bucket' ? { ...shorter, isBucket: true } : shorter;
}

function agreed(candidates: readonly Candidate[]): boolean | null {
  const [first] = candidates;
  if (first === undefined) return null;
  return candidates.every(({ rejectionsCount }) => rejectionsCount === first.rejectionsCount)
    ? first.rejectionsCount
    : null;
}

function remarksOn(seen: Observations, nearest: Fit | undefined): string[] {
  if (seen.refusals.length === 0) return ['nothing was ever refused'];
  if (nearest === undefined) return ['nothing was admitted after the first refusal'];
  return nearest.contradictedBy.slice(0, remarksMax).map((at) => {
    const what = seen.isLimited[at] === true ? 'refused' : 'admitted';
    return `${nearest.algorithm}: request ${at + 1}, ${((seen.low[at] as number) / 1_000).toFixed(3)} s after the first, was ${what}`;
  });
}

/** A length above this counts as unbounded, ms. */
const unboundedMs = 7_000_000;

function candidateOf(seen: Observations, fit: Fit): Candidate {
  const { lowMs, highMs } = fit.window;
  const low = lowMs * (1 - bounds.clockRate) - bounds.clockResolutionMs;
  const high = highMs * (1 + bounds.clockRate) + bounds.clockResolutionMs;
  const valueMs = fit.lengthMs;
  return {
    algorithm: fit.algorithm,
    limit: fit.limit,
    windowSeconds: {
      value: rounded(valueMs / 1_000),
      low: rounded(Math.max(0, low) / 1_000),
      high: high > unboundedMs ? null : rounded(high / 1_000),
    },
    phaseSeconds: fit.boundary === undefined ? null : phaseOf(seen, fit.boundary, valueMs),
    granularitySeconds: fit.granularityMs === undefined ? null : fit.granularityMs / 1_000,
    rejectionsCount: fit.rejectionsCount ?? null,
    ...(fit.forgottenAfter === undefined ? {} : { forgottenAfterSeconds: secondsOf(fit.forgottenAfter) }),
  };
}

function secondsOf({ lowMs, highMs }: Span): NonNullable<Candidate['forgottenAfterSeconds']> {
  return { low: rounded(lowMs / 1_000), high: rounded(highMs / 1_000) };
}

function phaseOf({ originMs }: Observations, boundary: NonNullable<Fit['boundary']>, windowMs: number) {
  const lowMs = (((originMs + boundary.lowMs) % windowMs) + windowMs) % windowMs;
  return {
    low: rounded(lowMs / 1_000),
    high: rounded((lowMs + boundary.highMs - boundary.lowMs) / 1_000),
  };
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}

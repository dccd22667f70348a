import { isLengthKnown, windowMsAtLeast, windowMsAtMost } from '../contract/bounds.ts';
import type { ClauseId } from '../contract/clauses/registry.ts';
import { costOfAll } from '../contract/document/cost.ts';
import { greatestOf } from '../contract/extremes.ts';
import type { Scope } from '../contract/scopes.ts';
import {
  compose,
  held,
  inconclusive,
  notApplicable,
  notRun,
  type Verdict,
  violated,
} from '../contract/verdict.ts';
import type { Analysis, Attribution } from './analysis.ts';
import type { Entry, Group } from './entries.ts';
import { exchangesOf, secondsText } from './evidence.ts';
import { everyBound } from './intervals.ts';
import type { Lengths } from './lengths.ts';
import { once } from './once.ts';

/**
 * The verdict of several parts, `null` where one says nothing; inconclusive where none does.
 * @param insufficient why none does; asked only then where it has to be worked out.
 */
export function concluded(
  parts: readonly (Verdict | null)[],
  insufficient: string | (() => string),
): Verdict {
  const said = parts.filter((part) => part !== null);
  if (said.length > 0) return compose(said);
  return inconclusive(typeof insufficient === 'string' ? insufficient : insufficient());
}

/** Why nothing can be said of the API's answers to a key. */
export const nothingKeyed = 'no request with a valid key was answered';

export const needsSecondKey: Verdict = notRun('needs a second key (--key-env A,B)');

/** A group whose deviation another clause answers for cannot be judged here. */
export function inconclusiveBecause(clause: ClauseId): Verdict {
  return inconclusive(`not judged: ${clause} is violated`, [clause]);
}

/** What an attribution means for one clause; `otherwise` where the group conforms. */
export function attributed(
  analysis: Analysis,
  clause: ClauseId,
  otherwise: () => Verdict | null,
): Verdict | null {
  const { attribution } = analysis;
  switch (attribution.kind) {
    case 'blamed':
      return attribution.clause === clause
        ? violated(attribution.reason, attribution.evidence)
        : inconclusiveBecause(attribution.clause);
    case 'follows':
      return inconclusiveBecause(attribution.clause);
    case 'unsure':
    case 'capped':
      return undecided(attribution);
    case 'explained':
      return otherwise();
    default:
      return attribution satisfies never;
  }
}

/** The verdict where the admissions and 429s of a group decide nothing. */
export function undecided(
  attribution: Extract<Attribution, { readonly kind: 'unsure' | 'capped' }>,
): Verdict {
  return attribution.kind === 'unsure'
    ? inconclusive(attribution.reason)
    : notApplicable(
        `under a cap of ${attribution.perSecond} per second the minute’s limit cannot be reached`,
      );
}

/** The longest window, ms, that explains a group whose length is blamed; 0 where no length is. */
export function longestBlamedMs(analyses: readonly Analysis[]): number {
  return greatestOf([0, ...analyses.filter(isLengthBlamed).map(({ measured }) => measured?.highMs ?? 0)]);
}

function isLengthBlamed({ attribution }: Analysis): boolean {
  return attribution.kind === 'blamed' && attribution.clause === 'window.length';
}

/**
 * The clause that answers for a deviation anywhere in a scope: what is counted there cannot be judged further. Where
 * scopes are counted together, or one of them has a window of another length, that is so in each of them.
 */
export function blamedIn(analyses: readonly Analysis[], scope: Scope): ClauseId | null {
  const isBlamed = ({ group, clause }: { readonly group: Group; readonly clause: ClauseId }): boolean =>
    group.scope === scope || clause === 'limits.per-scope' || clause === 'window.length';
  return deviating(analyses).find(isBlamed)?.clause ?? null;
}

/** Of many groups few deviate, and each is asked about them. */
const deviating = once((analyses: readonly Analysis[]) =>
  analyses.flatMap(({ group, attribution }) =>
    attribution.kind === 'blamed' || attribution.kind === 'follows'
      ? [{ group, clause: attribution.clause }]
      : [],
  ),
);

/** The analysis that decides for a scope: where one key may have met a cap per second, so may the others. */
export function decisiveIn(analyses: readonly Analysis[], analysis: Analysis): Analysis {
  return doubtful(analyses).find(({ group }) => group.scope === analysis.group.scope) ?? analysis;
}

const doubtful = once((analyses: readonly Analysis[]) =>
  analyses.filter(({ attribution: { kind } }) => kind === 'capped' || kind === 'unsure'),
);

/**
 * Both ways were tried: the window was full, and after it had rolled on it was full again. One request long before a
 * single burst, as where a run waits for an idle key, has not tried that.
 */
export function wasSaturatedTwice(analysis: Analysis): boolean {
  return wasFullTwice(analysis) && analysis.measured !== null;
}

/** The same for a limit of any kind. */
export function wasFullTwice({ group, judgedRefusals }: Analysis): boolean {
  const { admitted, limited, limit, windowMs } = group;
  const apartMs = (limited.at(-1)?.lowMs ?? 0) - (limited[0]?.highMs ?? 0);
  return judgedRefusals > 0 && isMoreThan(limit, admitted) && apartMs >= windowMsAtLeast(windowMs);
}

/**
 * Whether as many as the limit may have passed within one window. Where rejections do not count, each 429 says so itself; where
 * they count, those of a lower limit may be explained by one another.
 */
function wasLimitMet({ group, readings }: Analysis): boolean {
  if (readings.includes('not-counted')) return true;
  const { mayCount, limit, windowMs } = group;
  const { lows } = everyBound(mayCount);
  const longestMs = windowMsAtMost(windowMs);
  return lows.some((ms, at) => (lows[at + limit - 1] ?? Number.POSITIVE_INFINITY) - ms <= longestMs);
}

/** Whether so many units were admitted, and more. */
function isMoreThan(limit: number, admitted: readonly Entry[]): boolean {
  return costOfAll(exchangesOf(admitted)) > limit;
}

/** Where others may use a key, its 429s prove nothing. */
export function useByOthers({ key, scope }: Group): Verdict {
  return inconclusive(
    `others may use key ${key} too (exclusiveKeys: false), so a 429 at ${scope} can be theirs and proves nothing`,
  );
}

/**
 * Held, with what `say` makes of the measured window; `null` where the window was not seen full twice. To hold is to say
 * that no other length and nobody else's requests explain the trace as well.
 */
export function heldIfKnown(analysis: Analysis, say: (measured: Lengths) => string): Verdict | null {
  const { group, measured, isSoleUser } = analysis;
  const { scope, windowMs, admitted, limited, limit } = group;
  if (!isSoleUser && limited.length > 0 && admitted.length > limit) {
    return useByOthers(group);
  }
  if (measured === null && isInParts(analysis))
    return inconclusive(
      `no exact length of window explains the 429s: ${secondsText(windowMs)} do where the service counts in whole seconds ` +
        'or in parts of one, and perhaps another length does too',
      heldLonger(analysis),
    );
  if (!wasSaturatedTwice(analysis) || measured === null || !wasLimitMet(analysis)) return null;
  if (!isLengthKnown(measured, windowMs)) {
    return inconclusive(
      `the window at ${scope} may last ${lengthText(measured)}: that is known too loosely to say that it lasts ${secondsText(windowMs)}`,
    );
  }
  return held(say(measured));
}

/** Whether the 429s show that places are held longer than the documented window, by less than a second. */
function isInParts({ attribution }: Analysis): boolean {
  return attribution.kind === 'explained' && attribution.granularity !== 'none';
}

/** The clause that says that places are held longer, where it is violated: a step of a clock may keep it from that. */
export function heldLonger({ attribution }: Analysis): readonly ClauseId[] {
  const isShown = attribution.kind === 'explained' && attribution.granularity === 'shown';
  return isShown ? ['window.granularity'] : [];
}

/**
 * A measured length with its uncertainty, "60.004 s ± 0.021"; where that is more than a tenth of the length, the two
 * ends, since their middle says nothing.
 */
export function lengthText({ lowMs, highMs }: Lengths): string {
  if (highMs === Number.POSITIVE_INFINITY) return `at least ${secondsText(lowMs)}`;
  if (lowMs === 0) return `at most ${secondsText(highMs)}`;
  return highMs - lowMs > (highMs + lowMs) / 10
    ? `from ${secondsText(lowMs)} to ${secondsText(highMs)}`
    : `${secondsText((lowMs + highMs) / 2)} ± ${((highMs - lowMs) / 2_000).toFixed(3)}`;
}

/** For how long requests were sent: a limiter that stops limiting later is not held to anything. */
export function watchedText(entries: readonly Entry[]): string {
  const { lows } = everyBound(entries);
  const watchedMs = (lows.at(-1) ?? Number.NEGATIVE_INFINITY) - (lows[0] ?? Number.POSITIVE_INFINITY);
  return `watched for ${(watchedMs / 1_000).toFixed(0)} s, not beyond`;
}

/** Whether a rolling window is promised, and not another kind of limit, which the clause of its scope answers for alone. */
export function isRolling({ promise }: Analysis): boolean {
  return promise.kind === 'rolling';
}

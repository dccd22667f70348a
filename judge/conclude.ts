import type { ClauseId } from '../contract/clauses/registry.ts';
import { greatestOf } from '../contract/extremes.ts';
import { once } from '../contract/once.ts';
import type { Scope } from '../contract/scopes.ts';
import { compose, inconclusive, notApplicable, notRun, type Verdict, violated } from '../contract/verdict.ts';
import type { Analysis, Attribution } from './analysis.ts';
import type { Group } from './entries.ts';

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

/** Whether a rolling window is promised, and not another kind of limit, which the clause of its scope answers for alone. */
export function isRolling({ promise }: Analysis): boolean {
  return promise.kind === 'rolling';
}

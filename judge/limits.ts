import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Scope } from '../contract/scopes.ts';
import { held, inconclusive, notApplicable, type Verdict, violated } from '../contract/verdict.ts';
import type { Analysis } from './attribution.ts';
import { type Case, concluded, inconclusiveBecause, isProbed, type Judge } from './case.ts';
import { secondsText } from './evidence.ts';
import type { Apart } from './sharing.ts';

/** `limits.standard`, `limits.messages`, `limits.media`: exactly so many pass. */
export function judgeLimit(scope: Scope): Judge {
  return ({ analyses }) => {
    const parts = analyses
      .filter((analysis) => analysis.group.scope === scope && isProbed(analysis))
      .map((analysis) => attributed(analysis, `limits.${scope}`, () => heldLimit(analysis)));
    return concluded(
      parts,
      `the limit of ${scope} was not reached twice, a window apart: the run ended before it could be`,
    );
  };
}

/** `limits.messages-subpaths` */
export const judgeSubpaths: Judge = ({ analyses, trace }) => {
  const parts = analyses
    .filter(({ group }) => group.scope === 'messages')
    .map((analysis) => attributed(analysis, 'limits.messages-subpaths', () => heldSubpaths(analysis)));
  const configured = trace.header.deployment.requests.messagesSubpath !== undefined;
  return concluded(
    parts,
    configured
      ? 'no request below /v1/messages met a full window'
      : 'not run: set requests.messagesSubpath to a request below /v1/messages that is answered 2xx',
  );
};

/** `limits.per-key` */
export const judgePerKey: Judge = (subject) => {
  if (subject.trace.header.keys.length < 2)
    return inconclusive('not run: needs a second key (--key-env A,B)');
  return judgeApart(subject, 'limits.per-key', subject.keysApart);
};

/** `limits.per-scope` */
export const judgePerScope: Judge = (subject) => judgeApart(subject, 'limits.per-scope', subject.scopesApart);

function judgeApart({ analyses }: Case, clause: ClauseId, apart: Apart | null): Verdict {
  for (const { attribution } of analyses) {
    if (attribution.kind === 'blamed' && attribution.clause === clause) {
      return violated(attribution.reason, attribution.evidence);
    }
  }
  if (apart === null)
    return inconclusive('no admission came at a time that would have shown one shared count');
  const { scope, key } = apart.by.exchange;
  return held(`key ${key} admitted at ${scope} while ${apart.countedBefore} in all were counted`);
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
    case 'unsure':
      return inconclusive(attribution.reason);
    case 'capped':
      return notApplicable(
        `under a cap of ${attribution.perSecond} per second the minute’s limit cannot be reached`,
      );
    case 'explained':
      return otherwise();
    default:
      return attribution satisfies never;
  }
}

/**
 * The clause that answers for a deviation anywhere in a scope: what is counted there cannot be judged further. Where
 * scopes are counted together that is so in each of them.
 */
export function blamedIn(analyses: readonly Analysis[], scope: Scope): ClauseId | null {
  for (const { group, attribution } of analyses) {
    if (attribution.kind !== 'blamed') continue;
    if (group.scope === scope || attribution.clause === 'limits.per-scope') return attribution.clause;
  }
  return null;
}

/** The analysis that decides for a scope: where one key may have met a cap per second, so may the others. */
export function decisiveIn(analyses: readonly Analysis[], analysis: Analysis): Analysis {
  const doubtful = analyses.find(
    ({ group, attribution }) =>
      group.scope === analysis.group.scope &&
      (attribution.kind === 'capped' || attribution.kind === 'unsure'),
  );
  return doubtful ?? analysis;
}

/** Both ways were tried: the window was full, and after it had rolled on it was full again. */
export function wasSaturatedTwice({ group, measured, judgedRefusals }: Analysis): boolean {
  return judgedRefusals > 0 && group.admitted.length > group.limit && measured !== null;
}

function heldLimit(analysis: Analysis): Verdict | null {
  if (!wasSaturatedTwice(analysis)) return null;
  const { group, measured } = analysis;
  const spanMs = measured?.highMs ?? 0;
  return held(
    `${group.limit} admitted, then 429s, twice; ${group.limit + 1} never within ${secondsText(Math.min(spanMs, group.windowMs))}`,
  );
}

function heldSubpaths({ group }: Analysis): Verdict | null {
  const below = group.entries.filter((entry) => entry.exchange.route === 'subpath');
  const refusal = below.find((entry) => entry.exchange.outcome === 'limited');
  if (refusal === undefined || below.length >= group.limit) return null;
  return held(
    `a path below /v1/messages got a 429 after ${below.length - 1} requests of its own: it shares the window`,
  );
}

import { bounds } from '../../contract/bounds.ts';
import type { CertificateBody, CertifiedGroup, Part } from '../../contract/certificate.ts';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import type { DecidedClauseId } from '../../contract/clauses/registry.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { isRollingAlone, limitedStatusesOf, scopesOf } from '../../contract/document/document.ts';
import { styleOf } from '../../contract/document/headers.ts';
import { allHeadersOf } from '../../contract/document/scope-headers.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { plainExchange } from '../../contract/exchange-store.ts';
import type { ClauseJudgement, Judgement } from '../../contract/judgement.ts';
import { outcomeOf } from '../../contract/outcome.ts';
import { passedStatusesIn } from '../../contract/passed.ts';
import type { Evidence } from '../../contract/verdict.ts';
import type { Case } from '../case.ts';
import { wideningOf } from '../clock-widening.ts';
import type { Group } from '../entries.ts';
import { entryOf } from '../entries.ts';
import { groupsShownFirst, ownScenarioOf } from '../group-shown.ts';
import { answerRules } from './answer-rules.ts';
import { countProof } from './count-proof.ts';
import { finite, type Ground } from './ground.ts';
import { placesLeftProof } from './places-left-proof.ts';
import { promiseProof } from './promise-proof.ts';
import { remainingOn429Proof, remainingProof } from './remaining-proof.ts';
import { resetProof } from './reset-proof.ts';

/**
 * The proof of every violation. Each is found anew from the trace, by the rules of `docs/verdicts.md` alone: what a judge
 * claims without such a proof has no certificate.
 */
export function certificatesOf(
  subject: Case,
  { clauses }: Pick<Judgement, 'clauses'>,
): readonly CertificateBody[] {
  return clauses.flatMap((judged) => {
    const proven = certificateOf(subject, judged);
    return proven === null ? [] : [proven];
  });
}

function certificateOf(subject: Case, { clause, verdict }: ClauseJudgement): CertificateBody | null {
  const { deployment } = subject.trace.header;
  const { document } = deployment;
  const level = clauseIn(document, clause)?.level;
  if (verdict.kind !== 'violated' || level === undefined || level === 'observe') return null;
  if (!isCertifiable(deployment, clause)) return null;
  const { reason, evidence } = verdict;
  const found = proofOf(subject, clause as DecidedClauseId, { reason, evidence });
  if (found === null) return null;
  const { trace } = subject;
  return {
    kind: 'certificate',
    schemaVersion: 2,
    runId: trace.header.runId,
    clause,
    level,
    reason,
    bounds: { ...bounds },
    group: found.group,
    exchanges: exchangesOf(subject, found.named ?? found.parts.flatMap(({ requestIds }) => requestIds)),
    parts: [...found.parts],
  };
}

/**
 * Whether the rules of `docs/verdicts.md` are about a clause: they prove counts of rolling windows, and so nothing where a
 * document promises another kind of limit, or more of refusals than their status; they read the usual three headers, none of
 * another style; and where requests that pass are answered other than by 2xx, nothing.
 */
export function isCertifiable(
  deployment: Pick<Deployment, 'document' | 'requests' | 'otherMethods'>,
  clause: string,
): boolean {
  const { document } = deployment;
  // They know of 2xx alone that it passed.
  if (scopesOf(document).some((scope) => passedStatusesIn(deployment, scope).length > 0)) return false;
  // The figures that were judged stand in no line of such a trace.
  const said = allHeadersOf(document);
  if (said.some((one) => styleOf(one) !== 'plain')) return false;
  const areUsual = said.every(({ headers }) => headers === 'x-ratelimit' || headers === 'none');
  if (clause.startsWith('headers.') && !(areUsual && said.length === 1)) return false;
  if (clause.startsWith('refusal.') || (clause === 'error.status' && document.refusal?.body !== undefined))
    return false;
  const isCount = ['limits.', 'load.', 'headers.remaining'].some((start) => clause.startsWith(start));
  return !isCount || isRollingAlone(document);
}

type Claimed = { readonly reason: string; readonly evidence: Evidence };

type Found = {
  readonly group: CertifiedGroup | null;
  readonly parts: readonly Part[];
  /** The answer that is the whole proof. */
  readonly named?: readonly string[];
};

function proofOf(subject: Case, clause: DecidedClauseId, { reason, evidence }: Claimed): Found | null {
  const { trace, stepped } = subject;
  const shown = evidence.exchanges.map(({ requestId }) => requestId);
  const rule = answerRules[clause]?.[reason];
  if (rule !== undefined) return answerProof(subject, rule, shown);
  if (clause === 'headers.reset') {
    const part = resetProof(trace, stepped, { reason, shown });
    return part === null ? null : { group: null, parts: [part] };
  }
  const scenario = ownScenarioOf(clause);
  for (const group of groupsShownFirst(subject, evidence.exchanges, scenario)) {
    const parts =
      reason === 'refused-while-remaining'
        ? placesLeftProof(subject, group)
        : groupProof(clause, { trace, stepped, group }, { reason, shown });
    if (parts !== null) return { group: certified(group, scenario), parts };
  }
  return null;
}

type Shown = { readonly reason: string; readonly shown: readonly string[] };

function groupProof(
  clause: DecidedClauseId,
  ground: Ground,
  { reason, shown }: Shown,
): readonly Part[] | null {
  if (clause === 'headers.remaining') return remainingProof(ground, reason, shown);
  if (clause === 'headers.remaining-on-429') return remainingOn429Proof(ground, shown);
  if (clause === 'error.retry-after-suffices') return promiseProof(ground);
  return countProof(ground, reason);
}

function certified(
  { key, scope, limit, windowMs, settledMs }: Group,
  scenario: string | null,
): CertifiedGroup {
  return { key, scope, scenario, limit, windowMs, settledMs };
}

type AnswerRule = NonNullable<NonNullable<(typeof answerRules)[DecidedClauseId]>[string]>;

/** The first answer that breaks a rule by itself, those first that the verdict shows. */
function answerProof(subject: Case, rule: AnswerRule, shown: readonly string[]): Found | null {
  const { exchanges } = subject.trace;
  const ids = new Set(shown);
  const isShown = ({ requestId }: Exchange): boolean => ids.has(requestId);
  for (const exchange of [...exchanges.filter(isShown), ...exchanges]) {
    if (rule(exchange, subject)) return { group: null, parts: [], named: [exchange.requestId] };
  }
  return null;
}

/** Every exchange that a proof names, with its interval, in the order of sending. */
function exchangesOf({ trace }: Case, ids: readonly string[]): CertificateBody['exchanges'] {
  const named = new Set(ids);
  const widen = wideningOf(trace);
  const limited = limitedStatusesOf(trace.header.deployment.document);
  return trace.exchanges
    .filter(({ requestId }) => named.has(requestId))
    .map((exchange) => {
      const wideningMs = widen(exchange.clock);
      const { lowMs, highMs } = entryOf(exchange, wideningMs);
      // As it stands in the trace: what is judged of another layer's 429 is another outcome.
      return {
        lowMs,
        highMs,
        exchange: { ...plainExchange(exchange), outcome: outcomeOf(exchange.status, limited) },
      };
    })
    .sort((left, right) => left.lowMs - right.lowMs || left.exchange.index - right.exchange.index)
    .map(({ lowMs, highMs, exchange }) => ({ lowMs: finite(lowMs), highMs: finite(highMs), exchange }));
}

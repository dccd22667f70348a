import { bounds } from '../../contract/bounds.ts';
import type { CapPart, CertifiedGroup, Proof, Proven } from '../../contract/certificate.ts';
import { type DecidedClauseId, findClause } from '../../contract/clauses/registry.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { ClauseJudgement, Judgement } from '../../contract/judgement.ts';
import type { Evidence } from '../../contract/verdict.ts';
import type { Case } from '../case.ts';
import { wideningOf } from '../clock-widening.ts';
import { type Group, groupsOf } from '../entries.ts';
import { answerRules } from './answer-rules.ts';
import { countProof } from './count-proof.ts';
import { capPartOf, type Ground, isClear } from './ground.ts';
import { promiseProof } from './promise-proof.ts';
import { remainingProof } from './remaining-proof.ts';
import { resetProof } from './reset-proof.ts';

/** Clauses that look at the exchanges of their own load scenario alone. */
const ownScenario: ReadonlySet<string> = new Set(['load.messages-burst', 'load.media-burst', 'load.nodes']);

/**
 * The proof of every violation. Each is found anew from the trace, by the rules of `docs/verdicts.md` alone: what a judge
 * claims without such a proof has no certificate.
 */
export function certificatesOf(subject: Case, { clauses }: Judgement): readonly Proven[] {
  return clauses.flatMap((judged) => {
    const proven = certificateOf(subject, judged);
    return proven === null ? [] : [proven];
  });
}

function certificateOf(subject: Case, { clause, verdict }: ClauseJudgement): Proven | null {
  const level = findClause(clause)?.level;
  if (verdict.kind !== 'violated' || level === undefined || level === 'observe') return null;
  const { reason, evidence } = verdict;
  const found = proofOf(subject, clause as DecidedClauseId, { reason, evidence });
  if (found === null) return null;
  const { trace } = subject;
  return {
    kind: 'certificate',
    schemaVersion: 1,
    runId: trace.header.runId,
    clause,
    level,
    reason,
    bounds: { ...bounds },
    group: found.group,
    exchanges: exchangesOf(subject, found.proof),
    proof: found.proof,
  };
}

type Claimed = { readonly reason: string; readonly evidence: Evidence };

type Found = { readonly group: CertifiedGroup | null; readonly proof: Proof };

function proofOf(subject: Case, clause: DecidedClauseId, { reason, evidence }: Claimed): Found | null {
  const { trace, stepped } = subject;
  const shown = evidence.exchanges.map(({ requestId }) => requestId);
  const rule = answerRules[clause]?.[reason];
  if (rule !== undefined) {
    const mayBeCapped = clause === 'headers.remaining-on-429';
    return answerProof(subject, { rule, shown, mayBeCapped });
  }
  if (clause === 'headers.reset') {
    const proof = resetProof(trace, stepped, reason);
    return proof === null ? null : { group: null, proof };
  }
  const scenario = ownScenario.has(clause) ? clause.slice('load.'.length) : null;
  const group = groupShown(subject, shown, scenario);
  if (group === null) return null;
  const proof = groupProof(clause, { trace, stepped, group }, { reason, shown });
  return proof === null ? null : { group: certified(group, scenario), proof };
}

type Shown = { readonly reason: string; readonly shown: readonly string[] };

function groupProof(clause: DecidedClauseId, ground: Ground, { reason, shown }: Shown): Proof | null {
  if (clause === 'headers.remaining') return remainingProof(ground, reason, shown);
  if (clause === 'error.retry-after-suffices') return promiseProof(ground);
  return countProof(ground, reason);
}

/** The group that the exchanges of a violation belong to. */
function groupShown({ trace }: Case, shown: readonly string[], scenario: string | null): Group | null {
  const exchanges =
    scenario === null
      ? trace.exchanges
      : trace.exchanges.filter((exchange) => exchange.scenario === scenario);
  const ids = new Set(shown);
  return (
    groupsOf({ ...trace, exchanges }).find(({ entries }) =>
      entries.some(({ exchange }) => ids.has(exchange.requestId)),
    ) ?? null
  );
}

function certified({ key, scope, limit, windowMs, settledMs }: Group, scenario: string | null) {
  return { key, scope, scenario, limit, windowMs, settledMs };
}

type AnswerRule = NonNullable<NonNullable<(typeof answerRules)[DecidedClauseId]>[string]>;

type Answering = {
  readonly rule: AnswerRule;
  readonly shown: readonly string[];
  /** Whether the answers of a cap per second say the same. */
  readonly mayBeCapped: boolean;
};

/** The first answer that breaks a rule by itself, those first that the verdict shows. */
function answerProof(subject: Case, { rule, shown, mayBeCapped }: Answering): Found | null {
  const { trace } = subject;
  const ids = new Set(shown);
  const isShown = ({ requestId }: Exchange): boolean => ids.has(requestId);
  const candidates = [
    ...trace.exchanges.filter(isShown),
    ...trace.exchanges.filter((exchange) => !isShown(exchange)),
  ];
  for (const exchange of candidates) {
    const said = rule(exchange, trace.header);
    if (said === null) continue;
    const capped = mayBeCapped ? capBeside(subject, exchange) : uncapped;
    if (capped === null) continue;
    const { requestId } = exchange;
    const { cap, group } = capped;
    const json = JSON.parse(JSON.stringify({ expected: said.expected, found: said.found }));
    return { group, proof: { rule: 'answer', exchange: requestId, ...json, cap } };
  }
  return null;
}

type Capped = { readonly cap: CapPart | null; readonly group: CertifiedGroup | null };

const uncapped: Capped = { cap: null, group: null };

/** Why a 429 is not that of a cap per second; `null` where it may be. */
function capBeside(subject: Case, exchange: Exchange): Capped | null {
  const group = groupShown(subject, [exchange.requestId], null);
  const entry = group?.entries.find((one) => one.exchange === exchange);
  if (group === null || entry === undefined) return uncapped;
  const cap = capPartOf({ trace: subject.trace, stepped: subject.stepped, group });
  if (cap === null) return uncapped;
  return cap.kind === 'clear' && !isClear(group, entry) ? null : { cap, group: certified(group, null) };
}

/** Every exchange that a proof names, with its interval, in the order of sending. */
function exchangesOf({ trace }: Case, proof: Proof): Proven['exchanges'] {
  const named = namedIn(proof);
  const widen = wideningOf(trace);
  return trace.exchanges
    .filter(({ requestId }) => named.has(requestId))
    .map((exchange) => {
      const wideningMs = widen(exchange.clock);
      const { sentMs, receivedMs } = exchange;
      const highMs = (receivedMs ?? Number.POSITIVE_INFINITY) + wideningMs;
      return { lowMs: sentMs - wideningMs, highMs, exchange };
    })
    .sort((left, right) => left.lowMs - right.lowMs || left.exchange.index - right.exchange.index)
    .map(({ lowMs, highMs, exchange }) => ({ lowMs: finite(lowMs), highMs: finite(highMs), exchange }));
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

const naming: ReadonlySet<string> = new Set([
  'exchange',
  'counted',
  'admission',
  'refusal',
  'mayCount',
  'firstRefusal',
  'mainRefusal',
  'first',
  'again',
]);

/** The ids in the fields of a proof that name exchanges. */
function namedIn(proof: Proof): ReadonlySet<string> {
  const ids = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (!naming.has(name)) visit(inner);
      else for (const id of Array.isArray(inner) ? inner : [inner]) ids.add(String(id));
    }
  };
  visit(proof.rule === 'answer' ? { exchange: proof.exchange, cap: proof.cap } : proof);
  return ids;
}

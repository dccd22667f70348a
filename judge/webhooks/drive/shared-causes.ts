import { forgedCases, refusalsCase } from '../../../contract/webhooks/drive/cases/forged.ts';
import type { CaseJudgement, DriveVerdict } from '../../../contract/webhooks/drive/verdict.ts';

type Violated = Extract<DriveVerdict, { kind: 'violated' }>;

type Failed = { readonly id: string; readonly verdict: Violated };

/** A cause that several failures have in common. */
type SharedCause = { readonly text: string; readonly ids: ReadonlySet<string> };

/** Names in all failed cases the one cause that explains several of them: one fact is told once, not guessed at often. */
export function withSharedCauses(judgements: readonly CaseJudgement[]): readonly CaseJudgement[] {
  const failed = judgements.flatMap(({ case: id, verdict }): readonly Failed[] =>
    verdict.kind === 'violated' ? [{ id, verdict }] : [],
  );
  const sent = new Set(
    judgements.filter(({ verdict }) => verdict.kind !== 'not-applicable').map((one) => one.case),
  );
  const causes = rules.flatMap((rule) => rule(failed, sent) ?? []);
  return judgements.map((judgement) => {
    const { case: id, verdict } = judgement;
    // A cause has the ids of failed cases alone.
    const cause = causes.find(({ ids }) => ids.has(id));
    return cause === undefined ? judgement : { case: id, verdict: { ...verdict, likely: cause.text } };
  });
}

type Rule = (
  failed: readonly Failed[],
  sent: ReadonlySet<string>,
) => SharedCause | readonly SharedCause[] | null;

const isForgery = (id: string): boolean => id !== refusalsCase && forgedCases.some((one) => one.id === id);

/** Fewer failures have no cause in common. */
const sharedMin = 2;

function shared(text: string, failed: readonly Failed[]): SharedCause | null {
  return failed.length < sharedMin ? null : { text, ids: new Set(failed.map(({ id }) => id)) };
}

/** A forgery fails by nothing but being accepted. */
const accepted = (failed: readonly Failed[]): readonly Failed[] =>
  failed.filter(({ id }) => isForgery(id) || id === 'effect.forged');

const verifiesNothing: Rule = (failed, sent) => {
  const taken = accepted(failed);
  const isAll = [...sent].filter(isForgery).every((id) => taken.some((one) => one.id === id));
  return isAll ? shared('no signature is verified: every event is accepted, whoever sent it', taken) : null;
};

/** Signatures of the right form and another value. */
const otherValues = ['forged.wrong-secret', 'forged.flipped-bit', 'forged.altered-body'];

const looksAtTheFormAlone: Rule = (failed) => {
  const taken = accepted(failed);
  return otherValues.every((id) => taken.some((one) => one.id === id))
    ? shared(
        'the form of the signature is looked at, but its value is not compared with the right one',
        taken,
      )
    : null;
};

const comparesTheGivenAlone: Rule = (failed) => {
  const cut = failed.find(({ id }) => id === 'forged.truncated')?.verdict.deliveries.map(({ name }) => name);
  const isAnyLength = ['first-half', 'all-but-one-digit'].every((name) => cut?.includes(name));
  const short = ['forged.no-signature', 'forged.empty-signature', 'forged.truncated', 'effect.forged'];
  return isAnyLength
    ? shared(
        'only the digits that are given are compared, so that none at all pass too: compare texts of the same length alone',
        failed.filter(({ id }) => short.includes(id)),
      )
    : null;
};

const writtenAnew = ['forged.reserialised', 'allowed.escaped', 'allowed.white-space', 'allowed.unescaped'];

const parsesFirst: Rule = (failed) => {
  const text =
    'the body is parsed and written again before the signature is computed: keep the raw bytes, and verify these';
  const isParsed = failed.some(({ id }) => id === 'allowed.white-space');
  return isParsed
    ? shared(
        text,
        failed.filter(({ id }) => writtenAnew.includes(id)),
      )
    : null;
};

/** Who refuses a long text refuses a longer body for the same reason. */
const refusesLongBodies: Rule = (failed) => {
  const byId = new Map(failed.map((one) => [one.id, one]));
  const [long, large] = [byId.get('allowed.long-text'), byId.get('allowed.large')];
  if (long === undefined || large?.verdict.reason !== long.verdict.reason) return null;
  return shared(long.verdict.likely, [long, large]);
};

/** A 5xx is no decision of a receiver: it is an exception that nobody caught. */
const throws: Rule = (failed) => {
  const thrown = failed.filter(({ verdict }) => verdict.reason === 'crashed');
  const byStatus = Map.groupBy(thrown, ({ verdict }) => verdict.deliveries.at(0)?.status ?? null);
  return [...byStatus].flatMap(([status, some]) => {
    const text = `one exception for all of these, answered ${status}: the log of the receiver shows it`;
    return shared(text, some) ?? [];
  });
};

const worksFirst: Rule = (failed) =>
  shared(
    'the work is done before the answer: answer first, work later',
    failed.filter(({ verdict }) => verdict.reason === 'too-late'),
  );

/** The first one that explains a failure names its cause. */
const rules: readonly Rule[] = [
  verifiesNothing,
  looksAtTheFormAlone,
  comparesTheGivenAlone,
  parsesFirst,
  refusesLongBodies,
  throws,
  worksFirst,
];

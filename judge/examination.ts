import type { CertificateBody } from '../contract/certificate.ts';
import type { IdentifiedGroup } from '../contract/identification.ts';
import type { Judgement } from '../contract/judgement.ts';
import { noPictures } from '../contract/no-pictures.ts';
import type { Pictures } from '../contract/pictures.ts';
import type { Trace } from '../contract/trace.ts';
import { attemptEach } from './attempts.ts';
import { type Case, caseOf } from './case.ts';
import { countedApart } from './counted-apart.ts';
import { countedLate } from './counted-late.ts';
import { judgeCase } from './judge-trace.ts';
import { likelyChanges } from './likely-change.ts';

export type Examination = {
  readonly judgement: Judgement;
  /** What proves each violation. */
  readonly proven: readonly CertificateBody[];
  /** The limiters behind the keys and scopes that the probes filled; of very many those that tell most. */
  readonly identified: readonly IdentifiedGroup[];
  /** Keys and scopes more that the probes filled, whose limiters were not looked for. */
  readonly identifiedLeftOut: number;
  readonly pictures: Pictures;
  /** What most likely changed behind the address meanwhile, in a sentence each. */
  readonly changes: readonly string[];
  /** A sentence for each limiter, picture and proof that could not be worked out: none of them costs a verdict. */
  readonly failures: readonly string[];
};

/** Of what `examine` says that alone which decides: no limiter is identified, nothing is drawn, and no proof is written down. */
export function examineVerdicts(trace: Trace): Examination {
  const subject = caseOf(trace);
  const judgement = judgeCase(subject);
  const { made, failures } = changesOf(subject, judgement);
  const unsaid = { proven: [], identified: [], identifiedLeftOut: 0, pictures: noPictures };
  return { judgement, ...unsaid, changes: made, failures };
}

/** What most likely changed meanwhile, and a sentence where that could not be worked out. */
export function changesOf(subject: Case, { clauses }: Pick<Judgement, 'clauses'>) {
  const isViolated = clauses.some(({ verdict }) => verdict.kind === 'violated');
  return attemptEach(
    // How requests are counted explains a violation, and is nothing to mend without one.
    isViolated ? [likelyChanges, countedApart, countedLate] : [likelyChanges],
    (find) => find(subject),
    () => 'what changed behind the address meanwhile could not be worked out',
  );
}

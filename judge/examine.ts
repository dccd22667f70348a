import type { CertificateBody } from '../contract/certificate.ts';
import type { Judgement } from '../contract/judgement.ts';
import type { Returns } from '../contract/pictures.ts';
import type { Trace } from '../contract/trace.ts';
import { attemptEach } from './attempts.ts';
import { type Case, caseOf } from './case.ts';
import { certificatesOf, isCertifiable } from './certificates/certify.ts';
import type { Group } from './entries.ts';
import { changesOf, type Examination } from './examination.ts';
import type { Identification } from './identify/identification.ts';
import { identifiableOf, identifiedOne } from './identify/identifying.ts';
import { judgeCase } from './judge-trace.ts';
import type { KeyInScope } from './most-telling.ts';
import { picturesOf } from './pictures/pictures.ts';

/**
 * Everything that is said about a trace, from one case. Pure: the same trace gives the same examination. Who needs
 * verdicts alone asks `examineVerdicts`, or `judgeTrace`.
 */
export function examine(trace: Trace): Examination {
  const subject = caseOf(trace);
  return examined(trace, subject, judgeCase(subject), { identifications: new Map(), returned: new Map() });
}

/** What is known of the limiters of a trace; what is not known is looked for. */
export type KnownLimiters = {
  readonly identifications: ReadonlyMap<Group, Identification>;
  /** How capacity came back in some groups, where that is drawn already. */
  readonly returned: ReadonlyMap<Group, readonly Returns[]>;
};

/** Everything that is said about a trace whose verdicts are known. */
export function examined(
  trace: Trace,
  subject: Case,
  judgement: Judgement,
  { identifications, returned }: KnownLimiters,
): Examination {
  const groups = subject.analyses.map(({ group }) => group);
  const shown = shownIn(judgement);
  const { chosen, leftOut } = identifiableOf(groups, shown);
  const found = chosen.map((group) => identifications.get(group) ?? identifiedOne(group));
  const identified = found.flatMap(({ made }) => made);
  const failures = found.flatMap((one) => one.failures);
  const proved = attemptEach(
    judgement.clauses,
    (judged) => certificatesOf(subject, { clauses: [judged] }),
    ({ clause }) => `the proof that ${clause} is violated could not be written`,
  );
  const changed = changesOf(subject, judgement);
  const drawn = picturesOf({ trace, groups, judgement, shown, identified, returned });
  return {
    judgement,
    proven: proved.made,
    identified,
    identifiedLeftOut: leftOut,
    pictures: drawn.pictures,
    changes: changed.made,
    failures: [
      ...failures,
      ...changed.failures,
      ...proved.failures,
      ...unproven(trace, judgement, proved.made),
      ...drawn.failures,
    ],
  };
}

/** The key and scope that each violation is shown by first. */
function shownIn({ clauses }: Judgement): readonly KeyInScope[] {
  return clauses.flatMap(({ verdict }) =>
    verdict.kind === 'violated' ? verdict.evidence.exchanges.slice(0, 1) : [],
  );
}

/** Violations that were not found again when their certificates were made. */
export function unproven(
  { header }: Pick<Trace, 'header'>,
  { clauses }: Judgement,
  proven: readonly CertificateBody[],
): readonly string[] {
  const certified = new Set(proven.map(({ clause }) => clause));
  return clauses
    .filter(({ clause, verdict }) => verdict.kind === 'violated' && !certified.has(clause))
    .filter(({ clause }) => isCertifiable(header.deployment, clause))
    .map(({ clause }) => `no certificate proves that ${clause} is violated: this is a mistake of this tool`);
}

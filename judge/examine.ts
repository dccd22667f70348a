import type { IdentifiedGroup } from '../contract/identification.ts';
import type { Judgement } from '../contract/judgement.ts';
import type { Pictures } from '../contract/pictures.ts';
import type { Trace } from '../contract/trace.ts';
import { caseOf } from './case.ts';
import { identifyGroups } from './identify/identify-groups.ts';
import { judgeCase } from './judge-trace.ts';
import { picturesOf } from './pictures/pictures.ts';

export type Examination = {
  readonly judgement: Judgement;
  /** The limiter behind each key and scope that the probes filled. */
  readonly identified: readonly IdentifiedGroup[];
  readonly pictures: Pictures;
};

/**
 * Everything that is said about a trace, from one case. Pure: the same trace gives the same examination. Who needs
 * verdicts alone asks `judgeTrace`.
 */
export function examine(trace: Trace): Examination {
  const subject = caseOf(trace);
  const groups = subject.analyses.map(({ group }) => group);
  const judgement = judgeCase(subject);
  const identified = identifyGroups(groups);
  return { judgement, identified, pictures: picturesOf({ trace, groups, judgement, identified }) };
}

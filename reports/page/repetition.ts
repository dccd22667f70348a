import { grouped } from '../../contract/quantities.ts';
import type { ClauseResult } from '../clause-result.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { ofAnswer, remaining, waitInVain } from './repeat-answer.ts';
import { ofCount } from './repeat-count.ts';
import { none, type Repetition, type Seldom, type ShownViolation, type Shows } from './repeated.ts';

/** How a violation can be repeated by hand; `null` where the clause is not violated or no exchange was quoted. */
export function repetitionOf({ id, verdict }: ClauseResult, report: Report): Repetition | null {
  if (verdict.kind !== 'violated' || verdict.evidence.exchanges.length === 0) return null;
  const { reason, evidence } = verdict;
  if (id.startsWith('load.') && !byOneBurst.has(id))
    return none(`needs the load of its scenario: run "conformance load ${id.slice('load.'.length)}" again`);
  const shown = { id, evidence, report };
  const made = ofSeveralAnswers[reason];
  if (made !== undefined) return made(shown);
  return (isOfAnswers(id) ? null : ofCount(reason, shown)) ?? ofAnswer(shown);
}

/** Reasons that several answers show together. */
const ofSeveralAnswers: Readonly<Record<string, (shown: ShownViolation) => Repetition>> = {
  'too-high': remaining,
  'too-low': remaining,
  'second-429': waitInVain,
  'longer-than-needed': () => none('may depend on the moment of the refusal'),
};

/** Clauses on errors, refusals and headers have reasons that are called as some of the count are. */
function isOfAnswers(id: string): boolean {
  return /^(error|refusal|headers|auth)\./.test(id);
}

const byOneBurst: ReadonlySet<string> = new Set(['load.messages-burst', 'load.media-burst', 'load.nodes']);

/** What commands show, for a person to compare with what they print. */
export function showsText(shows: Shows): string {
  switch (shows.kind) {
    case 'admitted':
      return `${shows.relation} than ${shows.than} × ${['2xx', ...(shows.besides ?? [])].join(' or ')} in all${shows.meaning === undefined ? '' : `: ${shows.meaning}`}`;
    case 'answer':
      return `the flaw in the answer that is printed last${seldomText(shows.seldom)}`;
    case 'status':
      return `HTTP ${shows.statuses.join(' or ')} in the answer that is printed last, ${shows.why}`;
    case 'not-counting-down':
      return `values other than ${shows.values.join(', ')}`;
    default:
      return shows satisfies never;
  }
}

/** What a run says of how often a flaw shows that not every refusal has. */
function seldomText(seldom: Seldom | undefined): string {
  if (seldom === undefined) return '';
  const { seen, refusals, scopes } = seldom;
  const where = plainText(scopes.join(' and '), 200);
  return `, though not each time: the run saw it in ${grouped(seen)} of ${grouped(refusals)} refusals at ${where}`;
}

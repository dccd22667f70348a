import type { Candidate, Identification } from '../../contract/identification.ts';
import { limiterName } from '../../contract/limiter-words.ts';
import type { Row } from './examine.ts';
import { nameOf } from './subject.ts';

export const columns = [
  'limiter',
  'version',
  'from',
  'limit and window',
  'what it is',
  'what was found',
  'name',
  'limit found',
  'window found',
  'seconds, requests',
  'keeps the contract?',
] as const;

/** The cells of one row, in the order of the columns. */
export function cellsOf(row: Row): readonly string[] {
  const { result, version, origin, truth } = row;
  return [
    nameOf(row),
    version ?? '–',
    origin,
    ruleText(row),
    truth.family,
    ...foundCells(result),
    keptText(row),
  ];
}

function ruleText({ rule: { limit, windowMs }, truth: { shorter } }: Row): string {
  const rule = `${limit} in ${windowMs / 1_000} s`;
  return shorter === undefined ? rule : `${rule}, and ${shorter.limit} in ${shorter.windowSeconds} s`;
}

const gradeNames = {
  alone: 'right',
  tie: 'tie with the truth',
  wrong: 'wrong',
  'not named': 'not named',
} as const;

function foundCells(result: Row['result']): readonly string[] {
  if (result.state === 'not-run') return [`not run: ${result.reason}`, '–', '–', '–', '–'];
  const { identification, grade, remarks } = result;
  const name = gradeNames[grade.name];
  if (identification === null) return [remarks.join(' '), name, '–', '–', '–'];
  const { seconds, requests } = identification;
  return [
    marked(algorithmText(identification), grade.isShorterRight, 'the shorter window was not found'),
    name,
    marked(limitsText(identification), grade.isLimitRight),
    marked(ofEach(identification, windowText), grade.isWindowRight),
    `${Math.round(seconds)} s, ${requests}`,
  ];
}

function marked(text: string, isRight: boolean | null, otherwise = 'wrong'): string {
  return isRight === false ? `${text} (${otherwise})` : text;
}

function limitsText(identification: Identification): string {
  return ofEach(identification, ({ limit }) => String(limit));
}

function keptText({ result }: Row): string {
  if (result.state === 'not-run' || result.contract === null) return '–';
  const { kept, breaks, open } = result.contract;
  // Where something is broken, what else is open is of no use.
  const undecided = kept === 'open' && open.length > 0 ? [open.join(', ')] : [];
  const answer = { yes: 'yes', no: 'no', open: 'not decided' }[kept];
  return [answer, [...breaks, ...undecided].join('; ')].filter((text) => text !== '').join(': ');
}

function algorithmText(found: Identification): string {
  const { algorithm, nearest, contradictions, perSecondCap, shorterWindow } = found;
  const names = [algorithm].flat().map(limiterName).join(' or ');
  // A shorter window of a second is what a cap says already.
  const cap = perSecondCap === null || shorterWindow !== null ? '' : `, at most ${perSecondCap} a second`;
  const shorter =
    shorterWindow === null ? '' : `, and ${shorterWindow.limit} in ${shorterWindow.windowSeconds} s`;
  if (nearest === null) return `${names}${cap}${shorter}`;
  return `${names} (nearest: ${limiterName(nearest.algorithm)}, ${contradictions} contradictions)`;
}

/** What the explanations say, each text once: they may differ where several fit as well. */
function ofEach(
  { limit, windowSeconds, tied }: Identification,
  text: (of: Pick<Candidate, 'limit' | 'windowSeconds'>) => string,
): string {
  const found = limit === null || windowSeconds === null ? [] : [{ limit, windowSeconds }];
  const texts = (tied.length > 0 ? tied : found).map(text);
  return [...new Set(texts)].join(' or ') || '–';
}

/** A length of window with what it may be: "60 s (59.98–60.02)". */
function windowText({ windowSeconds: { value, low, high } }: Pick<Candidate, 'windowSeconds'>): string {
  const short = (seconds: number): string => String(Math.round(seconds * 100) / 100);
  return high === null ? `at least ${short(low)} s` : `${short(value)} s (${short(low)}–${short(high)})`;
}

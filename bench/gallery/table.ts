import type { Candidate, Identification } from '../../contract/identification.ts';
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
  const { result, version, origin, rule, truth } = row;
  const known = [
    nameOf(row),
    version ?? '–',
    origin,
    `${rule.limit} in ${rule.windowMs / 1_000} s`,
    truth.family,
  ];
  if (result.state === 'not-run') return [...known, `not run: ${result.reason}`, '–', '–', '–', '–', '–'];
  const { identification, grade } = result;
  return [
    ...known,
    algorithmText(identification),
    { alone: 'right', tie: 'tie with the truth', wrong: 'wrong', 'not named': 'not named' }[grade.name],
    marked(
      ofEach(identification, ({ limit }) => String(limit)),
      grade.isLimitRight,
    ),
    marked(ofEach(identification, windowText), grade.isWindowRight),
    `${Math.round(identification.seconds)} s, ${identification.requests}`,
    keptText(row),
  ];
}

function marked(text: string, isRight: boolean | null): string {
  return isRight === false ? `${text} (wrong)` : text;
}

function keptText({ result }: Row): string {
  if (result.state === 'not-run' || result.contract === null) return '–';
  const { kept, breaks, open } = result.contract;
  // Where something is broken, what else is open is of no use.
  const undecided = kept === 'open' ? [`not decided: ${open.join(', ')}`] : [];
  const answer = { yes: 'yes', no: 'no', open: 'not decided' }[kept];
  return [answer, [...breaks, ...undecided].join('; ')].filter((text) => text !== '').join(': ');
}

function algorithmText({ algorithm, nearest, contradictions, perSecondCap }: Identification): string {
  const names = [algorithm].flat().join(' or ');
  const cap = perSecondCap === null ? '' : `, at most ${perSecondCap} a second`;
  if (nearest === null) return `${names}${cap}`;
  return `${names} (nearest: ${nearest.algorithm}, ${contradictions} contradictions)`;
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

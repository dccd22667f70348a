import type { Candidate, Identification } from '../../contract/identification.ts';
import type { Row } from './examine.ts';
import { nameOf } from './subject.ts';

export const columns = [
  'library',
  'version',
  'algorithm found',
  'limit',
  'window',
  'keeps the contract?',
  'what breaks',
] as const;

/** The cells of one row, in the order of the columns. */
export function cellsOf(row: Row): readonly string[] {
  const { result, version } = row;
  if (result.state === 'not-run')
    return [nameOf(row), version ?? '–', 'not run', '–', '–', '–', result.reason];
  const { identification, isRight, contract } = result;
  const found = algorithmText(identification);
  // Where something is broken, what else is open is of no use.
  const undecided = contract.kept === 'open' ? [`not decided: ${contract.open.join(', ')}`] : [];
  return [
    nameOf(row),
    version ?? '–',
    isRight ? found : `${found} (wrong: it is ${row.expected.join(' or ')})`,
    ofEach(identification, ({ limit }) => String(limit)),
    ofEach(identification, windowText),
    { yes: 'yes', no: 'no', open: 'not decided' }[contract.kept],
    [...contract.breaks, ...undecided].join('; ') || '–',
  ];
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

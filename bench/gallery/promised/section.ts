/** What one play came to, as a line of the table shows it. */
export type PromisedRow = {
  readonly limiter: string;
  /** What it was set to keep, as "120 in 60 s". */
  readonly keeps: string;
  /** What the document says of it. */
  readonly says: string;
  readonly isTrue: boolean;
  readonly verdict: string;
  readonly clauses: string;
  /** The day on which it ran, as `2026-11-25`. */
  readonly on: string;
};

const begin = '<!-- Written by `npm run gallery:promises -- --write` from here. Do not edit. -->';
const end = '<!-- Written by `npm run gallery:promises -- --write` up to here. -->';

const columns = ['limiter', 'keeps', 'document says', 'true?', 'verdict', 'clauses', 'on'];

/** The part of docs/gallery.md that is not the gallery's own; empty where the page has none yet. */
export function promisesIn(page: string): string {
  const at = page.indexOf(begin);
  return at < 0 ? '' : page.slice(at, page.indexOf(end) + end.length);
}

/** The page with these rows in the place of those of the same limiters; all others stay as they are. */
export function withPromises(
  page: string,
  rows: readonly PromisedRow[],
  limiters: readonly string[],
): string {
  const before = promisesIn(page);
  const taken = new Set(rows.map(({ limiter }) => limiter));
  const all = [...rowsOf(before).filter(({ limiter }) => !taken.has(limiter)), ...rows];
  const inOrder = all.toSorted(
    (one, other) => limiters.indexOf(one.limiter) - limiters.indexOf(other.limiter),
  );
  const section = sectionOf(inOrder.filter(({ limiter }) => limiters.includes(limiter)));
  return before === '' ? `${page.trimEnd()}\n\n${section}\n` : page.replace(before, () => section);
}

/** The table, for the terminal and the page. */
export function tableOf(rows: readonly PromisedRow[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map((row) => line(cellsOf(row)))];
}

function cellsOf({ limiter, keeps, says, isTrue, verdict, clauses, on }: PromisedRow): readonly string[] {
  return [limiter, keeps, says, isTrue ? 'yes' : 'no', verdict, clauses, on];
}

function rowsOf(section: string): readonly PromisedRow[] {
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => {
    const [limiter = '', keeps = '', says = '', isTrue, verdict = '', clauses = '', on = ''] = line
      .slice(2, -2)
      .split(' | ');
    return { limiter, keeps, says, isTrue: isTrue === 'yes', verdict, clauses: clauses.trim(), on };
  });
}

function sectionOf(rows: readonly PromisedRow[]): string {
  return [
    begin,
    '',
    '## Held to documents of their own',
    '',
    'Each of these ran on loopback, and was held to documents written for it and to others, by YAML alone, in real minutes: what',
    'is true has to be conformant, what is not has to be violated. `npm run gallery:promises` repeats it, `--only TEXT` those whose',
    'name holds the text, and `--write` puts the rows that ran in the place of those that stood here. It exits with 1 where a row is',
    'not as it should be. [Documents](documents.md#limiters-that-nobody-here-wrote) says how such a document is written.',
    '',
    ...tableOf(rows),
    '',
    end,
  ].join('\n');
}

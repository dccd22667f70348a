import { expect, it } from 'vitest';
import { type Change, refusedByTypes } from './refused.ts';

const source = `import type { Entry } from './entries.ts';

type Kind = 'short' | 'long';
type Moment = number;

export function kindOf(entry: Entry | null): Kind {
  if (entry === null) return 'short';
  return entry.lowMs > 5 && isLong(entry) ? 'long' : 'short';
}

function isLong({ lowMs, highMs }: Entry): boolean {
  return highMs - lowMs > 5;
}

export function isEarly({ lowMs }: Entry): boolean {
  return (lowMs as Moment) <= 5;
}

export function firstOf(entries: readonly Entry[]): number {
  const [first] = entries.filter(isLong);
  if (first !== undefined) return first.lowMs;
  return 0;
}
`;

/** What becomes of the text once it is replaced. */
function change(text: string, replacement: string): Change {
  const before = source.slice(0, source.indexOf(text)).split('\n');
  const start = { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
  const end = { line: start.line, column: start.column + text.length };
  return { file: 'judge/example.ts', source, location: { start, end }, replacement };
}

it('refuses what no longer compiles, and nothing else', async () => {
  const refused = [
    // No word of the type.
    change("'short';", '"";'),
    // What may be null is used.
    change('entry === null', 'false'),
    // Nothing is returned.
    change('return highMs - lowMs > 5;', ';'),
  ];
  const accepted = [
    change('entry.lowMs > 5', 'entry.lowMs >= 5'),
    // The imported type is unused afterwards, or a function is.
    change('isLong(entry)', 'true'),
    change('entries.filter(isLong)', 'entries'),
    // The code behind it would not compile, but is dead.
    change('first !== undefined', 'false'),
    change('entry === null', 'true'),
    // As Stryker writes it without parentheses, which is read as the beginning of a list of types.
    change('(lowMs as Moment) <= 5', 'lowMs as Moment < 5'),
  ];
  expect(await refusedByTypes([...refused, ...accepted])).toEqual(new Set(refused));
});

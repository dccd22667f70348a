import { stringify } from 'yaml';

/** A field of a document that is being written, with what is said above it. */
export type DraftField = {
  readonly name: string;
  readonly value: unknown;
  /** Where its value comes from, a sentence each. */
  readonly said?: readonly string[];
  /** What a person has to see to; `document check` points at it. */
  readonly todo?: string | undefined;
  /** Whether its value takes as many lines as it has parts. */
  readonly isBlock?: boolean;
};

/** A document that is being written for a person to complete. */
export type Draft = {
  /** Sentences at its top. */
  readonly head: readonly string[];
  readonly fields: readonly DraftField[];
  readonly scopes: readonly DraftScope[];
};

export type DraftScope = Pick<DraftField, 'name' | 'said' | 'todo'> & {
  readonly fields: readonly DraftField[];
};

/** How a comment begins that a person has to see to. */
const todoMark = '# TODO ';

/** The text of a draft, as YAML with comments. */
export function draftText({ head, fields, scopes }: Draft): string {
  const lines = [
    ...commentLines(head, ''),
    'version: 1',
    ...fields.flatMap((field) => fieldLines(field, '')),
    'scopes:',
    ...scopes.flatMap(({ name, fields: own, ...notes }) => [
      ...noteLines(notes, '  '),
      `  ${name}:`,
      ...own.flatMap((field) => fieldLines(field, '    ')),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** What a person still has to see to in the text of a document, and where. */
export function todosIn(
  text: string,
): readonly { readonly line: number; readonly column: number; readonly text: string }[] {
  return text.split('\n').flatMap((line, at) => {
    const column = line.search(/\S|$/);
    const rest = line.slice(column);
    return rest.startsWith(todoMark)
      ? [{ line: at + 1, column: column + 1, text: rest.slice(todoMark.length).trim() }]
      : [];
  });
}

function fieldLines(
  { name, value, isBlock = false, ...notes }: DraftField,
  indent: string,
): readonly string[] {
  if (isBlock) return [...noteLines(notes, indent), `${indent}${name}:`, ...blockLines(value, `${indent}  `)];
  const written = value === null ? '' : ` ${flow(value)}`;
  return [...noteLines(notes, indent), `${indent}${name}:${written}`];
}

function blockLines(value: unknown, indent: string): readonly string[] {
  // No text goes over several lines: one of them might look like a note of ours.
  const text = stringify(value, { lineWidth: 0, blockQuote: false, aliasDuplicateObjects: false });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${indent}${line}`);
}

function noteLines(
  { said = [], todo }: Pick<DraftField, 'said' | 'todo'>,
  indent: string,
): readonly string[] {
  return [
    ...commentLines(said, indent),
    ...(todo === undefined ? [] : [`${indent}${todoMark}${oneLine(todo)}`]),
  ];
}

/** A value in one line. */
function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, defaultStringType: 'PLAIN' }).trim();
}

const widthMax = 110;

function commentLines(sentences: readonly string[], indent: string): readonly string[] {
  return sentences.flatMap((sentence) => {
    const lines: string[] = [];
    for (const word of oneLine(sentence).split(' ')) {
      const last = lines.at(-1);
      if (last === undefined || last.length + word.length >= widthMax) lines.push(`${indent}# ${word}`);
      else lines[lines.length - 1] = `${last} ${word}`;
    }
    return lines;
  });
}

/** What others wrote may hold anything: a comment ends with its line. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

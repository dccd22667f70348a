import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isCollection, LineCounter, type Document as ParsedYaml, parseDocument } from 'yaml';
import type { z } from 'zod';
import { flawsOfSentences } from '../../contract/clauses/of-document.ts';
import { type Document, documentSchema } from '../../contract/document/document.ts';
import { flawsOfBodies } from '../../contract/document/refusal-body.ts';
import { isJsonObject } from '../../contract/json-object.ts';
import { secretPlacesInDocument } from '../../contract/secret/secret-names.ts';
import { codeOf, messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { asMeant } from '../mistakes/meant-way.ts';
import { plainly } from '../mistakes/plainly.ts';
import { fieldOfScopeText, unknownFieldText } from '../mistakes/unknown-field.ts';
import { yamlMistakes } from '../mistakes/yaml-mistakes.ts';
import { shownPath } from '../shown-path.ts';
import { refuseSecrets } from '../target/secret-settings.ts';
import { todosIn } from './draft.ts';

/** Where something stands in a file; lines and columns begin at 1. */
export type Place = { readonly line: number; readonly column: number };

/** One thing that is wrong with a document, and where it stands. */
export type DocumentFlaw = Place & { readonly text: string };

/**
 * A document from its file, YAML or JSON.
 * @throws {UsageError} naming the line and column of each thing that is wrong.
 */
export async function loadDocument(named: string, cwd: string): Promise<Document> {
  return (await loadWithPlaces(named, cwd)).document;
}

/** A document that can be used, as its file has it. */
export type PlacedDocument = {
  readonly document: Document;
  /** The file as messages name it. */
  readonly shown: string;
  /** Where the value at a path begins; where there is none, what was to hold it. */
  readonly placeOf: (path: readonly PropertyKey[]) => Place;
  /** What a person still has to see to, by comments of the file. */
  readonly todos: readonly DocumentFlaw[];
};

/**
 * The same with the places of its fields.
 * @throws {UsageError} as `loadDocument` does.
 */
export async function loadWithPlaces(named: string, cwd: string): Promise<PlacedDocument> {
  const path = resolve(cwd, named);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const why = codeOf(error) === 'ENOENT' ? 'it does not exist' : messageOf(error);
    throw new UsageError(`The document ${named} cannot be read: ${why}.`);
  });
  const read = readDocument(text);
  const shown = shownPath(path, cwd);
  if (read.kind === 'document') {
    refuseSecrets(secretPlacesInDocument(read.document), shown);
    const { yaml, placeOf } = parsedYaml(text);
    return {
      ...{ document: read.document, shown, todos: todosIn(text) },
      placeOf: (field) => placeOf(offsetOf(yaml, field)),
    };
  }
  const todos = todosIn(text).map((todo) => ({ ...todo, text: `to do: ${todo.text}` }));
  const lines = inOrder([...todos, ...read.flaws]).map(
    ({ line, column, text: flaw }) => `  ${shown}:${line}:${column}  ${flaw}`,
  );
  throw new UsageError(`The document cannot be used:\n${lines.join('\n')}`);
}

export type ReadDocument =
  | { readonly kind: 'document'; readonly document: Document }
  | { readonly kind: 'flawed'; readonly flaws: readonly DocumentFlaw[] };

/** A document from the text of a file of YAML, which JSON is too; or all that is wrong with it, in its order. */
export function readDocument(text: string): ReadDocument {
  const { yaml, placeOf } = parsedYaml(text);
  const misspelt = yamlMistakes(yaml, text);
  if (misspelt.length > 0) {
    return {
      kind: 'flawed',
      flaws: misspelt.map(({ offset, text: said }) => ({ ...placeOf(offset), text: said })),
    };
  }
  const written: unknown = yaml.toJS();
  const result = documentSchema.safeParse(written, plainly);
  const found: readonly Said[] = result.success
    ? [...flawsOfSentences(result.data), ...flawsOfBodies(result.data)].map(({ path, message }) => ({
        path,
        said: message,
      }))
    : result.error.issues.flatMap((issue) => flawsOf(issue, written));
  if (result.success && found.length === 0) return { kind: 'document', document: result.data };
  const flaws = found.map(({ path, said }) => ({
    ...placeOf(offsetOf(yaml, path)),
    text: `${path.length === 0 ? 'the document' : path.join('.')}: ${said}`,
  }));
  return { kind: 'flawed', flaws: inOrder(flaws) };
}

function inOrder(flaws: readonly DocumentFlaw[]): readonly DocumentFlaw[] {
  return flaws.toSorted((one, other) => one.line - other.line || one.column - other.column);
}

function parsedYaml(text: string): {
  readonly yaml: ParsedYaml.Parsed;
  readonly placeOf: (offset: number) => Place;
} {
  const lineCounter = new LineCounter();
  const yaml = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  return {
    yaml,
    placeOf: (offset) => {
      const { line, col } = lineCounter.linePos(offset);
      return { line: Math.max(line, 1), column: Math.max(col, 1) };
    },
  };
}

type Said = { readonly path: readonly PropertyKey[]; readonly said: string };

function flawsOf(said: z.core.$ZodIssue, written: unknown): readonly Said[] {
  return asMeant(said).flatMap((issue) => flawsOfOne(issue, written));
}

function flawsOfOne(issue: z.core.$ZodIssue, written: unknown): readonly Said[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key],
      said: unknownFieldText(path, key, valueAt(written, [...path, key])),
    }));
  }
  // What is wrong with a name is said of what it names.
  if (issue.code === 'invalid_key') return [{ path, said: issue.issues[0]?.message ?? issue.message }];
  if (path.length === 0) return [{ path, said: `${issue.message} (docs/documents.md shows one)` }];
  const isOfType = issue.code === 'invalid_type';
  return [{ path, said: (isOfType ? fieldOfScopeText(path) : null) ?? issue.message }];
}

function valueAt(written: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isJsonObject(value) ? value[String(key)] : undefined),
    written,
  );
}

/** Where the value at a path begins; where there is none, what was to hold it. */
function offsetOf(yaml: ParsedYaml.Parsed, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const keys = path.slice(0, length);
    const holder = yaml.getIn(keys.slice(0, -1), true);
    const pair = isCollection(holder) ? keyOffset(holder, keys.at(-1)) : null;
    if (pair !== null) return pair;
  }
  return yaml.contents?.range?.[0] ?? 0;
}

/** Where a key begins, or the item of a list. */
function keyOffset(
  holder: { readonly items: readonly unknown[] },
  key: PropertyKey | undefined,
): number | null {
  for (const [at, item] of holder.items.entries()) {
    const { key: named, range } = item as {
      key?: { value?: unknown; range?: readonly number[] };
      range?: readonly number[];
    };
    if (named === undefined ? at === key : String(named.value) === String(key))
      return (named ?? { range }).range?.[0] ?? null;
  }
  return null;
}

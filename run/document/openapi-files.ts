import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { parse } from 'yaml';
import { isJsonObject } from '../../contract/json-object.ts';
import { pointerOf, tokensOf, valueAt } from '../../contract/json-pointer.ts';
import { shownPathOf } from '../../contract/secret/secret-names.ts';
import { codeOf, messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';

/** A description, and the other files that it refers to, as one value. */
export type Gathered = {
  readonly whole: unknown;
  /** How many other files are in it. */
  readonly others: number;
  /** What could not be read, each with the reason. */
  readonly unread: readonly string[];
};

/** Where the other files stand in the whole, each by a name of its own. */
const othersAt = 'x-other-files';

/** A file as it was read; `name` is its own in the whole, `null` of the first one. */
type ReadFile = { readonly content: unknown; readonly name: string | null };

/**
 * The description of an API in a file, and all files of this machine that it refers to; addresses are not asked.
 * @param text what stands in the file at `path`, which messages call `named`.
 * @throws {UsageError} where that is neither YAML nor JSON.
 */
export async function gathered(text: string, named: string, path: string): Promise<Gathered> {
  const files = new Map<string, ReadFile>([[path, { content: parsedText(text, named), name: null }]]);
  const names = new Set<string>();
  const unread = new Map<string, string>();
  // The map grows meanwhile.
  for (const [file, { content }] of files) {
    for (const reference of referencesIn(content)) {
      const { other } = partsOf(reference, file);
      const place = other ?? reference;
      if (files.has(place) || unread.has(place)) continue;
      const read = other === null ? { why: 'addresses are not asked' } : await contentOf(other);
      if ('why' in read) unread.set(place, `${shownPathOf(reference.replace(/#.*$/s, ''))} (${read.why})`);
      else files.set(place, { ...read, name: nameOf(place, names) });
    }
  }
  const [first, ...others] = [...files].map(([file, { name }]) => [name ?? '', joined(file, files)] as const);
  const whole = first?.[1];
  return {
    whole: others.length === 0 ? whole : { ...(whole as object), [othersAt]: Object.fromEntries(others) },
    others: others.length,
    unread: [...unread.values(), ...nowhere(files)],
  };
}

/** @throws {UsageError} where a text is neither YAML nor JSON. */
function parsedText(text: string, named: string): unknown {
  try {
    return /^\s*\{/.test(text) ? JSON.parse(text) : parse(text, { maxAliasCount: 10_000 });
  } catch (error) {
    const why = messageOf(error).split('\n', 1)[0] ?? '';
    throw new UsageError(`${named} is neither YAML nor JSON: ${why}`);
  }
}

async function contentOf(path: string): Promise<{ readonly content: unknown } | { readonly why: string }> {
  try {
    const text = await readFile(path, 'utf8');
    const isText = /^\.(md|markdown|txt|html?)$/i.test(extname(path));
    return { content: isText ? text : parsedText(text, path) };
  } catch (error) {
    if (error instanceof UsageError) return { why: 'it is neither YAML nor JSON' };
    return { why: codeOf(error) === 'ENOENT' ? 'it does not exist' : messageOf(error) };
  }
}

/** The references of a file to other ones; parts of a file may hold each other, as YAML has it. */
function referencesIn(content: unknown): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const waiting = [content];
  for (const value of waiting) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const { $ref: reference } = value as { readonly $ref?: unknown };
    if (typeof reference === 'string' && !reference.startsWith('#')) found.add(reference);
    for (const one of Object.values(value)) waiting.push(one);
  }
  return [...found];
}

/** The file that a reference in `file` leads to, `null` where that is an address, and the pointer within it. */
function partsOf(
  reference: string,
  file: string,
): { readonly other: string | null; readonly pointer: string } {
  const [place = '', pointer = ''] = reference.split('#', 2);
  if (/^[a-z][a-z\d+.-]+:|^\/\//i.test(place)) return { other: null, pointer };
  return { other: place === '' ? file : resolve(dirname(file), unescaped(place)), pointer };
}

/** References to places that the files do not have. */
function nowhere(files: ReadonlyMap<string, ReadFile>): readonly string[] {
  const all = [...files].flatMap(([file, { content }]) =>
    referencesIn(content).filter((reference) => {
      const { other, pointer } = partsOf(reference, file);
      const target = files.get(other ?? '');
      return target !== undefined && !hasPlace(target.content, pointer);
    }),
  );
  return [...new Set(all)].map((reference) => `${reference} (nothing stands there)`);
}

/** Whether something stands at a pointer, or may, since a reference stands on the way. */
function hasPlace(content: unknown, pointer: string): boolean {
  const tokens = tokensOf(unescaped(pointer));
  const passed = [content, ...tokens.map((_, at) => valueAt(pointerOf(tokens.slice(0, at + 1)), content))];
  const gap = passed.indexOf(undefined);
  const before = passed[gap - 1];
  return gap === -1 || (isJsonObject(before) && '$ref' in before);
}

/** A name as that of the file, which no other file has; from now on it is taken. */
function nameOf(path: string, taken: Set<string>): string {
  const wanted = basename(path, extname(path));
  const name = taken.has(wanted) ? `${wanted}-${taken.size}` : wanted;
  taken.add(name);
  return name;
}

/** What a file holds, with references that lead to where things stand in the whole. */
function joined(path: string, files: ReadonlyMap<string, ReadFile>): unknown {
  const known = new Map<object, unknown>();
  const placed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(placed);
    if (!isJsonObject(value)) return value;
    if (known.has(value)) return known.get(value);
    const { $ref: reference } = value;
    const referred = typeof reference === 'string' ? inWhole(reference, path, files) : null;
    if (referred !== null && 'text' in referred) return referred.text;
    const copy: Record<string, unknown> = {};
    known.set(value, copy);
    for (const [name, one] of Object.entries(value)) copy[name] = placed(one);
    if (referred !== null) copy['$ref'] = referred.reference;
    return copy;
  };
  return placed(files.get(path)?.content);
}

/** Where a reference of a file leads to in the whole, or the text there; `null` where that was not read. */
function inWhole(
  reference: string,
  path: string,
  files: ReadonlyMap<string, ReadFile>,
): { readonly reference: string } | { readonly text: unknown } | null {
  const { other, pointer } = partsOf(reference, path);
  const file = files.get(other ?? '');
  if (file === undefined) return null;
  const value = valueAt(unescaped(pointer), file.content);
  if (other !== path && value !== undefined && typeof value !== 'object') return { text: value };
  return { reference: `#${file.name === null ? '' : pointerOf([othersAt, file.name])}${pointer}` };
}

/** A reference as a path or a pointer. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

import { isJsonObject } from '../json-object.ts';
import { pointerOf, tokensOf } from '../json-pointer.ts';
import { didYouMean } from '../nearest.ts';
import {
  type AskedSchema,
  type Draft,
  draftOf,
  drafts,
  type JsonSchema,
  type JsonSchemaObject,
} from './json-schema.ts';
import { type Holding, keywords, pattern, unknownWords } from './keywords.ts';

type Path = readonly (string | number)[];

/** One thing that is wrong with a schema, at a path in it. */
export type SchemaFlaw = { readonly path: Path; readonly message: string };

/** A schema, ready to be asked, or all that is wrong with it. */
export type ReadSchema =
  | { readonly kind: 'schema'; readonly asked: AskedSchema }
  | { readonly kind: 'flawed'; readonly flaws: readonly SchemaFlaw[] };

/** A schema is no more than a document can be read with: more parts would be a copy of somebody's whole API. */
const partsMax = 500;

/** Reads a schema once for each object that holds one. Nothing is ever fetched: what it refers to has to stand in it. */
export function readSchema(whole: JsonSchemaObject): ReadSchema {
  const known = read.get(whole);
  if (known !== undefined) return known;
  const made = readAnew(whole);
  read.set(whole, made);
  return made;
}

/**
 * A schema of a document, ready to be asked.
 * @throws where it is flawed, as no schema of a document is that was read.
 */
export function askedSchemaOf(whole: JsonSchemaObject): AskedSchema {
  const found = readSchema(whole);
  if (found.kind === 'schema') return found.asked;
  const [first] = found.flaws;
  throw new Error(`the schema of a body is flawed: ${first?.path.join('.')} ${first?.message}`);
}

const read = new WeakMap<JsonSchemaObject, ReadSchema>();

function readAnew(whole: JsonSchemaObject): ReadSchema {
  const draft = draftOf(whole);
  if (draft === null) {
    const known = Object.values(drafts).map(({ uri }) => uri);
    const message = `names a draft that is not known here: write ${known.join(' or ')}, or nothing`;
    return { kind: 'flawed', flaws: [{ path: ['$schema'], message }] };
  }
  const reading: Reading = { draft, flaws: [], parts: new Map(), anchors: new Map(), references: [] };
  const schema = partOf(whole, [], reading);
  if (reading.parts.size > partsMax)
    reading.flaws.push({ path: [], message: `has more than ${partsMax} schemas in it` });
  const references = resolved(reading);
  if (reading.flaws.length === 0) reading.flaws.push(...endless(reading, references));
  if (reading.flaws.length > 0) return { kind: 'flawed', flaws: reading.flaws };
  const byText = [...references].map(([text, at]) => [text, reading.parts.get(at)?.schema ?? true] as const);
  return { kind: 'schema', asked: { draft, schema, references: Object.fromEntries(byText) } };
}

/** A schema inside the whole, and those that look at the same value, by their pointers. */
type Part = { readonly schema: JsonSchema; readonly inPlace: string[] };

type Reading = {
  readonly draft: Draft;
  readonly flaws: SchemaFlaw[];
  /** By their pointers. */
  readonly parts: Map<string, Part>;
  /** Pointers by the names that `$anchor` gives. */
  readonly anchors: Map<string, string>;
  readonly references: { readonly path: Path; readonly text: string; readonly from: string }[];
};

/** The schema at a path, without `format`: that is a note for readers unless a document says otherwise, and none can. */
function partOf(value: unknown, path: Path, reading: Reading): JsonSchema {
  const at = pointerOf(path);
  const inPlace: string[] = [];
  if (typeof value === 'boolean') {
    reading.parts.set(at, { schema: value, inPlace });
    return value;
  }
  if (!isJsonObject(value)) {
    reading.flaws.push({ path, message: 'must be a schema: an object of keywords, true or false' });
    return true;
  }
  const schema: Record<string, unknown> = {};
  reading.parts.set(at, { schema, inPlace });
  for (const [name, held] of Object.entries(value)) {
    const own = [...path, name];
    const why = whyUnknown(name, reading.draft, path);
    if (why !== null) reading.flaws.push({ path: own, message: why });
    if (why !== null || name === 'format' || name.startsWith('x-')) continue;
    const { holds, isInPlace, check } = keywords[name] ?? {};
    schema[name] = holds === undefined ? held : heldBy(holds, held, { path: own, reading, name });
    const message = check?.(held) ?? null;
    if (message !== null) reading.flaws.push({ path: own, message });
    if (isInPlace) inPlace.push(...partsHeld(own, held));
  }
  notePlace(value, path, reading);
  return schema;
}

/** Notes what a schema refers to, and by which name others refer to it. */
function notePlace({ $ref, $anchor, ...beside }: JsonSchemaObject, path: Path, reading: Reading): void {
  const { anchors, flaws, references, draft } = reading;
  const at = pointerOf(path);
  if (typeof $ref === 'string') {
    references.push({ path: [...path, '$ref'], text: $ref, from: at });
    if (draft === '7') flaws.push(...besideReference(beside, path));
  }
  if (typeof $anchor !== 'string') return;
  if (anchors.has($anchor))
    flaws.push({ path: [...path, '$anchor'], message: `is the second one called ${$anchor}` });
  anchors.set($anchor, at);
}

function whyUnknown(name: string, draft: Draft, path: Path): string | null {
  if (name.startsWith('x-')) return null;
  const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
  if (keyword === undefined) {
    const known = Object.keys(keywords);
    return Object.hasOwn(unknownWords, name)
      ? (unknownWords[name] ?? null)
      : `is no keyword of JSON Schema (${drafts[draft].name})${didYouMean(name, known)}`;
  }
  if (keyword.only !== undefined && keyword.only !== draft)
    return `is a keyword of ${drafts[keyword.only].name}, and this schema is of ${drafts[draft].name}`;
  return (name === '$id' || name === '$schema') && path.length > 0
    ? 'stands at the top of a schema alone: what is inside has no address and no draft of its own'
    : null;
}

type Held = { readonly path: Path; readonly reading: Reading; readonly name: string };

/** The schemas that a keyword holds, each read. */
function heldBy(holds: Holding, value: unknown, held: Held): unknown {
  const { path, reading, name } = held;
  const flawed = (message: string): unknown => {
    reading.flaws.push({ path, message });
    return value;
  };
  switch (holds) {
    case 'one':
      return partOf(value, path, reading);
    case 'list':
      if (!Array.isArray(value) || value.length === 0) return flawed('must be a list of at least one schema');
      return value.map((one, at) => partOf(one, [...path, at], reading));
    case 'one-or-list':
      if (!Array.isArray(value)) return partOf(value, path, reading);
      if (reading.draft === '2020-12')
        return flawed('is one schema, for every item: a list of them is called prefixItems');
      return value.map((one, at) => partOf(one, [...path, at], reading));
    case 'by-name':
    case 'by-name-or-names': {
      if (!isJsonObject(value)) return flawed('must have a schema for each name');
      const entries = Object.entries(value).map(([key, one]) => {
        const own = [...path, key];
        const why = name === 'patternProperties' ? pattern(key) : null;
        if (why !== null) reading.flaws.push({ path: own, message: why });
        const isNames = holds === 'by-name-or-names' && Array.isArray(one);
        return [key, isNames ? one : partOf(one, own, reading)] as const;
      });
      return Object.fromEntries(entries);
    }
    default:
      return holds satisfies never;
  }
}

/** The pointers of the schemas that a keyword holds. */
function partsHeld(path: Path, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map((_, at) => pointerOf([...path, at]));
  const isByName = path.at(-1) === 'dependentSchemas' || path.at(-1) === 'dependencies';
  return isByName && isJsonObject(value)
    ? Object.keys(value).map((key) => pointerOf([...path, key]))
    : [pointerOf(path)];
}

/** Keywords that decide nothing, or hold only what is referred to. */
const harmless: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$comment', 'definitions', 'title', 'description', 'default', 'examples'],
  ...['readOnly', 'writeOnly', 'format'],
]);

/** Draft-07 looks at nothing beside a reference: who writes it there means it. */
function besideReference(value: JsonSchemaObject, path: Path): readonly SchemaFlaw[] {
  return Object.keys(value)
    .filter((name) => !harmless.has(name) && !name.startsWith('x-') && Object.hasOwn(keywords, name))
    .map((name) => ({
      path: [...path, name],
      message: 'stands beside $ref, where draft-07 ignores it: put both into allOf, or use draft 2020-12',
    }));
}

/** The pointer that each text of a `$ref` leads to. */
function resolved({ references, parts, anchors, flaws }: Reading): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { path, text } of references) {
    const at = text.startsWith('#') ? targetOf(text.slice(1), anchors) : null;
    if (at !== null && parts.has(at)) found.set(text, at);
    else flaws.push({ path, message: whyUnresolved(text, at) });
  }
  return found;
}

function targetOf(fragment: string, anchors: ReadonlyMap<string, string>): string | null {
  try {
    const text = decodeURIComponent(fragment);
    return text === '' || text.startsWith('/') ? pointerOf(tokensOf(text)) : (anchors.get(text) ?? null);
  } catch {
    return null;
  }
}

function whyUnresolved(text: string, at: string | null): string {
  if (!text.startsWith('#'))
    return 'refers to what stands elsewhere, which is never fetched: put it under $defs and refer to it as "#/$defs/NAME"';
  return at === null
    ? 'refers to no $anchor of this schema'
    : `refers to ${at}, where this schema has no schema`;
}

/** Schemas that come back to themselves before they have looked at any part of a value: asked, they would never answer. */
function endless(
  { parts, references }: Reading,
  targets: ReadonlyMap<string, string>,
): readonly SchemaFlaw[] {
  const next = new Map([...parts].map(([at, { inPlace }]) => [at, [...inPlace]]));
  for (const { from, text } of references) next.get(from)?.push(targets.get(text) ?? from);
  const leadsTo = (from: string, wanted: string): boolean => {
    const seen = new Set<string>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === wanted) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      open.push(...(next.get(at) ?? []));
    }
    return false;
  };
  const message = 'leads back to itself before it has looked at any part of a body';
  return references
    .filter(({ from, text }) => leadsTo(targets.get(text) ?? from, from))
    .map(({ path }) => ({ path, message }));
}

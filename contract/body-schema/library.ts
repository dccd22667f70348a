import { createRequire } from 'node:module';
import type { OutputUnit, Schema } from '@cfworker/json-schema';
import type { AskedSchema } from './json-schema.ts';

type Library = Pick<typeof import('@cfworker/json-schema'), 'validate'>;

/** What the package takes for what references stand for. */
type Known = Record<string, Schema | boolean>;

let loaded: Library | undefined;

/** The package, once a document needs it: hardly any does, and every command would wait for it. */
function library(): Library {
  loaded ??= createRequire(import.meta.url)('@cfworker/json-schema') as Library;
  return loaded;
}

/** One rule that a value breaks; of several parts of a schema, the part before what it asked of a part. */
export type BrokenRule = Pick<OutputUnit, 'keyword' | 'keywordLocation' | 'instanceLocation'>;

/**
 * The rules that a value of JSON breaks, each before those within it; none where it fits, `null` where nothing can be said: it
 * nests too deep, or holds text that is no Unicode.
 */
export function rulesBrokenBy(
  value: unknown,
  { draft, schema, references }: AskedSchema,
): readonly BrokenRule[] | null {
  try {
    return library().validate(value, schema as Schema | boolean, draft, { ...references } as Known).errors;
  } catch (error) {
    if (error instanceof RangeError || error instanceof URIError) return null;
    throw error;
  }
}

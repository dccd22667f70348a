import type { z } from 'zod';

type Schema = z.core.$ZodType;

/** A schema as deep as its fields are looked for. */
type Def = {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly options?: readonly Schema[];
};

/** The fields that a schema knows at a path: those of each way in which it may be written. */
export function knownFields(schema: Schema, path: readonly PropertyKey[]): readonly string[] {
  const def: Def = schema._zod.def;
  const inner = def.innerType ?? def.in;
  if (inner !== undefined) return knownFields(inner, path);
  if (def.options !== undefined) return [...new Set(def.options.flatMap((one) => knownFields(one, path)))];
  const [next, ...rest] = path;
  if (next === undefined) return Object.keys(def.shape ?? {});
  const below = def.shape?.[String(next)] ?? def.element ?? def.valueType ?? def.catchall;
  return below === undefined ? [] : knownFields(below, rest);
}

import { isJsonObject } from '../json-object.ts';
import { tokensOf } from '../json-pointer.ts';
import { itemSchema } from './combined.ts';
import type { AskedSchema, JsonSchema, JsonSchemaObject } from './json-schema.ts';

/** Schemas that hold for the value at a pointer in every body that has one there. There may be more that hold at times. */
export function surelyAt({ schema, references }: AskedSchema, pointer: string): readonly JsonSchema[] {
  return tokensOf(pointer).reduce<readonly JsonSchema[]>(
    (schemas, token) =>
      schemas
        .flatMap((one) => withParts(one, references))
        .flatMap((whole) => (whole['type'] === 'array' ? itemsAt(whole, token) : membersAt(whole, token))),
    [schema],
  );
}

/** The keywords of a schema, and of all that it refers to. */
export function withParts(
  schema: JsonSchema,
  references: AskedSchema['references'],
): readonly JsonSchemaObject[] {
  if (typeof schema === 'boolean') return [];
  const { $ref, allOf } = schema;
  const parts = [
    ...(typeof $ref === 'string' ? [references[$ref] ?? true] : []),
    ...(Array.isArray(allOf) ? (allOf as readonly JsonSchema[]) : []),
  ];
  return [schema, ...parts.flatMap((part) => withParts(part, references))];
}

function membersAt({ properties, patternProperties, additionalProperties }: JsonSchemaObject, name: string) {
  const named = isJsonObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const byPattern = Object.entries(isJsonObject(patternProperties) ? patternProperties : {})
    .filter(([pattern]) => new RegExp(pattern, 'u').test(name))
    .map(([, schema]) => schema);
  const found = [...named, ...byPattern];
  return (found.length === 0 ? [additionalProperties ?? true] : found) as readonly JsonSchema[];
}

function itemsAt(whole: JsonSchemaObject, token: string): readonly JsonSchema[] {
  return /^\d{1,9}$/.test(token) ? [itemSchema(whole, Number(token))] : [];
}

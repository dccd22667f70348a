import { describe, expect, it } from 'vitest';
import type { JsonSchemaObject } from './json-schema.ts';
import { askedSchemaOf, readSchema } from './read-schema.ts';

function flawsOf(schema: unknown): readonly string[] {
  const read = readSchema(schema as JsonSchemaObject);
  return read.kind === 'schema' ? [] : read.flaws.map(({ path, message }) => `${path.join('.')} ${message}`);
}

const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' };

describe('a schema that is right', () => {
  it.each<unknown>([
    {},
    { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'https://example.test/problem' },
    { type: ['object', 'null'], properties: { type: { const: 'x' }, enum: { enum: [1] } } },
    { $defs: { 'a/b': { type: 'string' } }, $ref: '#/$defs/a~1b' },
    { $defs: { 'a b': { $anchor: 'it' } }, allOf: [{ $ref: '#/$defs/a%20b' }, { $ref: '#it' }] },
    // It comes back to itself one level further down.
    { properties: { inner: { $ref: '#' } }, items: { $ref: '#' } },
    { dependentSchemas: { a: { $ref: '#/$defs/b' } }, $defs: { b: { properties: { c: { $ref: '#' } } } } },
    { properties: { $ref: { type: 'string' }, format: { format: 'email' } }, 'x-own': [{ $ref: 'a' }] },
    {
      ...draft7,
      items: [{ type: 'string' }, true],
      additionalItems: false,
      dependencies: { a: ['b'], c: {} },
    },
    { ...draft7, $ref: '#/definitions/a', definitions: { a: {} }, title: 'a', 'x-a': 1 },
    { $ref: '#/$defs/a~1b~0c', $defs: { 'a/b~c': {} } },
    { properties: { '(': { type: 'string' } } },
    // Both lead to the same, and nothing leads back.
    { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }], $defs: { a: { $ref: '#/$defs/b' }, b: true } },
    { allOf: Array.from({ length: 499 }, () => true) },
  ])('%j', (schema) => expect(flawsOf(schema)).toEqual([]));

  it('is read once, and asked without format', () => {
    const schema = { properties: { format: { format: 'email', type: 'string' } }, format: 'x' };
    const asked = askedSchemaOf(schema);
    expect(asked.schema).toEqual({ properties: { format: { type: 'string' } } });
    expect(askedSchemaOf(schema)).toBe(asked);
  });
});

describe('a schema that is wrong is told by the place', () => {
  it.each<readonly [unknown, string]>([
    [{ propertys: {} }, 'propertys is no keyword of JSON Schema (draft 2020-12); did you mean properties'],
    [{ properties: { a: { minimun: 1 } } }, 'properties.a.minimun is no keyword'],
    [{ toString: 1 }, 'toString is no keyword'],
    [{ nullable: true }, 'nullable is OpenAPI’s: write type: [string, "null"]'],
    [{ properties: { a: { $dynamicRef: '#a' } } }, 'properties.a.$dynamicRef is not known to this version'],
    [
      { ...draft7, prefixItems: [true] },
      'prefixItems is a keyword of draft 2020-12, and this schema is of draft-07',
    ],
    [{ dependencies: {} }, 'dependencies is a keyword of draft-07'],
    [
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      '$schema names a draft that is not known here: write http://json-schema.org/draft-07/schema or https://json-schema.org/draft/2020-12/schema, or nothing',
    ],
    [{ $defs: { a: { $id: 'a' } } }, '$defs.a.$id stands at the top of a schema alone'],
    [{ type: 'text' }, 'type must be one of array, boolean'],
    [{ type: ['string', 'string'] }, 'type must be one of'],
    [{ type: [] }, 'type must be one of'],
    [{ required: 'a' }, 'required must be a list of names'],
    [{ required: ['a', 'a'] }, 'required must be a list of names'],
    [{ dependentRequired: { a: 'b' } }, 'dependentRequired must have a list of names for each name'],
    [{ enum: [] }, 'enum must be a list of at least one value'],
    [{ minLength: -1 }, 'minLength must be a whole number of at least 0'],
    [{ minLength: 1.5 }, 'minLength must be a whole number'],
    [{ minimum: '1' }, 'minimum must be a number'],
    [{ multipleOf: 0 }, 'multipleOf must be a number above 0'],
    [{ uniqueItems: 'yes' }, 'uniqueItems must be true or false'],
    [{ title: 1 }, 'title must be a text'],
    [{ pattern: '(' }, 'pattern is no regular expression: /(/u: Unterminated group'],
    [{ pattern: 1 }, 'pattern must be a regular expression'],
    [{ patternProperties: { '[': true } }, 'patternProperties.[ is no regular expression'],
    [{ allOf: [] }, 'allOf must be a list of at least one schema'],
    [{ allOf: [true, 'a'] }, 'allOf.1 must be a schema'],
    [{ properties: [] }, 'properties must have a schema for each name'],
    [{ properties: { a: null } }, 'properties.a must be a schema'],
    [{ properties: { a: ['b'] } }, 'properties.a must be a schema'],
    [{ $defs: { a: { $schema: 'b' } } }, '$defs.a.$schema stands at the top of a schema alone'],
    [{ ...draft7, items: [true, 'a'] }, 'items.1 must be a schema'],
    [{ 'ax-': 1 }, 'ax- is no keyword'],
    [{ ...draft7, dependencies: { a: { $ref: '#' } } }, 'dependencies.a.$ref leads back'],
    [{ items: { $ref: '#/$defs/a~1b~0c' } }, 'refers to /$defs/a~1b~0c, where'],
    [{ not: [] }, 'not must be a schema'],
    [{ items: [true] }, 'items is one schema, for every item: a list of them is called prefixItems'],
    [
      { $ref: 'https://example.test/problem.json' },
      '$ref refers to what stands elsewhere, which is never fetched',
    ],
    [{ $id: 'https://example.test/a', items: { $ref: 'a' } }, 'items.$ref refers to what stands elsewhere'],
    [{ items: { $ref: '#/$defs/a' } }, 'items.$ref refers to /$defs/a, where this schema has no schema'],
    [{ items: { $ref: '#/const' }, const: {} }, 'items.$ref refers to /const, where'],
    [{ $ref: null }, '$ref must be a text: YAML takes'],
    [{ $ref: '#a' }, '$ref refers to no $anchor of this schema'],
    [{ $ref: '#/%' }, '$ref refers to no $anchor'],
    [{ $ref: '#' }, '$ref leads back to itself before it has looked at any part of a body'],
    [
      { anyOf: [true, { $ref: '#/$defs/a' }], $defs: { a: { not: { $ref: '#' } } } },
      'anyOf.1.$ref leads back',
    ],
    [{ dependentSchemas: { a: { $ref: '#' } } }, 'dependentSchemas.a.$ref leads back'],
    [{ $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } }, '$defs.b.$anchor is the second one called x'],
    [
      { ...draft7, $ref: '#/definitions/a', definitions: { a: {} }, type: 'object' },
      'type stands beside $ref',
    ],
    [{ allOf: Array.from({ length: 500 }, () => true) }, ' has more than 500 schemas in it'],
  ])('%j', (schema, said) => expect(flawsOf(schema).join('\n')).toContain(said));

  it('all of it at once', () => {
    expect(flawsOf({ typ: 'a', properties: { b: { type: 'c' }, d: { $ref: '#/e' } } })).toHaveLength(3);
  });

  it('of one that comes back to itself elsewhere, what leads there is right', () => {
    const schema = { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } };
    expect(flawsOf(schema)).toEqual([
      '$defs.a.anyOf.0.$ref leads back to itself before it has looked at any part of a body',
    ]);
  });

  it('cannot be asked', () => {
    expect(() => askedSchemaOf({ type: 'x' })).toThrow('the schema of a body is flawed: type must be one of');
  });
});

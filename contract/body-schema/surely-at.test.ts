import { expect, it } from 'vitest';
import type { JsonSchema } from './json-schema.ts';
import { surelyAt } from './surely-at.ts';

const [text, number, whole] = [{ type: 'string' }, { type: 'number' }, { type: 'integer' }];
const references: Readonly<Record<string, JsonSchema>> = {
  '#/error': { properties: { wait: number } },
  '#/wait': { properties: { error: { $ref: '#/error' } } },
};

it.each<readonly [string, JsonSchema, string, readonly JsonSchema[]]>([
  ['all of it', text, '', [text]],
  ['a field', { properties: { wait: number } }, '/wait', [number]],
  [
    'a field of a field',
    { properties: { error: { properties: { wait: number } } } },
    '/error/wait',
    [number],
  ],
  ['what other fields are', { properties: { wait: number }, additionalProperties: text }, '/why', [text]],
  ['anything where nothing is said', { properties: { wait: number } }, '/why', [true]],
  ['no field of every object', { properties: {} }, '/toString', [true]],
  ['fields by a pattern', { patternProperties: { '^w': number, '^x': text } }, '/wait', [number]],
  [
    'a field by its name and by patterns',
    { properties: { wait: whole }, patternProperties: { '^w': number, '\\p{L}$': text } },
    '/wait',
    [whole, number, text],
  ],
  ['an item', { type: 'array', items: text }, '/12', [text]],
  ['an item that has a place', { type: 'array', prefixItems: [number], items: text }, '/0', [number]],
  ['no item by a name', { type: 'array', items: text }, '/x1', []],
  ['no item by half a number', { type: 'array', items: text }, '/1x', []],
  ['a member of what may be an object', { items: text, properties: { 0: number } }, '/0', [number]],
  ['what a reference says', { $ref: '#/error' }, '/wait', [true, number]],
  ['what references say one behind another', { $ref: '#/wait' }, '/error/wait', [true, number]],
  [
    'what all of several say',
    { allOf: [{ $ref: '#/error' }, { properties: { wait: whole } }] },
    '/wait',
    [true, true, number, whole],
  ],
  ['nothing of what is never there', { properties: { error: false } }, '/error/wait', []],
  ['nothing by a reference that leads nowhere', { $ref: '#/none' }, '/wait', [true]],
])('%s', (_, schema, pointer, schemas) =>
  expect(surelyAt({ draft: '2020-12', schema, references }, pointer)).toEqual(schemas),
);

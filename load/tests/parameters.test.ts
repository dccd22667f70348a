import { expect, test } from 'vitest';
import { keyAliasAt, parseKeys, parseParameters } from '../k6/parameters.ts';
import { parametersWith, settingWith } from './testing/parameters.ts';

const parameters = parametersWith({});
const textWith = (changes: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({ ...parameters, ...changes });

test('what the runner wrote is read', () => {
  expect(parseParameters(textWith())).toEqual(parameters);
});

const unusable: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
  [{ timeoutMs: null }, 'timeoutMs must be an integer from 100 to 60000'],
  [{ startAtMs: -1 }, 'startAtMs must be an integer from 0 to'],
  [{ runId: 7 }, 'runId must be a text'],
  [{ clock: '' }, 'clock must be a text'],
  [{ baseUrls: [] }, 'baseUrls must list the base URLs'],
  [{ baseUrls: [''] }, 'baseUrls must list the base URLs'],
  [{ keyAliases: 'A' }, 'keyAliases must be a list of texts'],
  [{ setting: 7 }, 'setting must be an object'],
  [{ setting: { ...settingWith(), vus: 0 } }, 'setting.vus must be an integer from 1 to 1000'],
  [{ setting: { ...settingWith(), keys: '7' } }, 'setting.keys must be an integer from 1 to 10000'],
  [{ setting: { ...settingWith(), windows: 1.5 } }, 'setting.windows must be an integer from 1 to 1440'],
  [{ setting: { ...settingWith(), scopes: [] } }, 'setting.scopes must list the scopes'],
  [{ requests: { messages: 'POST /' } }, 'requests.messages must have a method and a path'],
  [{ requests: { media: { method: 'POST', path: '/' } } }, 'requests.media.headers must be an object'],
];

test.each(unusable)('%j is refused by name', (changes, message) => {
  expect(() => parseParameters(textWith(changes))).toThrow(`CONFORMANCE_LOAD_PARAMETERS: ${message}`);
});

test.each([
  [undefined, /CONFORMANCE_LOAD_PARAMETERS is not set/],
  ['{', /is not a JSON object/],
  ['[]', /is not a JSON object/],
])('parameters like %j are refused', (text, message) => {
  expect(() => parseParameters(text)).toThrow(message);
});

test('keys are separated by white space, and counted without being shown', () => {
  expect(parseKeys('one two\nthree\n', 3)).toEqual(['one', 'two', 'three']);
  expect(() => parseKeys(undefined, 1)).toThrow('CONFORMANCE_LOAD_KEY is not set');
  expect(() => parseKeys(' \n', 1)).toThrow('CONFORMANCE_LOAD_KEY is not set');
  expect(() => parseKeys('secret', 2)).toThrow(/holds 1 API keys of 2$/);
});

test('keys beyond the named ones are called by their number', () => {
  expect([0, 1, 2].map((at) => keyAliasAt(['A', 'B'], at))).toEqual(['A', 'B', 'key-3']);
});

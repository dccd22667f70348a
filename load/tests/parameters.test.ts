import { expect, test } from 'vitest';
import { type Parameters, readParameters } from '../k6/parameters.ts';

const parameters: Parameters = {
  scenario: 'messages-burst',
  scope: 'messages',
  runId: 'run',
  clock: 'k6-messages-burst',
  userAgent: 'agent',
  baseUrl: 'http://127.0.0.1:9',
  node: 0,
  request: { method: 'POST', path: '/v1/messages', headers: {} },
  keyAlias: 'A',
  burst: 450,
  warmUp: 0,
  timeoutMs: 10_000,
  bodyCharactersMax: 2_048,
  headerCharactersMax: 512,
};

const environment = (changes: Readonly<Record<string, unknown>> = {}) => ({
  CONFORMANCE_LOAD_KEY: 'secret',
  CONFORMANCE_LOAD_PARAMETERS: JSON.stringify({ ...parameters, ...changes }),
});

test('what the runner wrote is read', () => {
  expect(readParameters(environment(), 'messages')).toEqual({ parameters, key: 'secret' });
});

const unusable: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
  [{ burst: 0 }, 'burst must be an integer from 1 to 10000'],
  [{ burst: '450' }, 'burst must be an integer from 1 to 10000'],
  [{ burst: 4.5 }, 'burst must be an integer from 1 to 10000'],
  [{ warmUp: -1 }, 'warmUp must be an integer from 0 to 10000'],
  [{ timeoutMs: null }, 'timeoutMs must be an integer from 100 to 60000'],
  [{ baseUrl: '' }, 'baseUrl must be a text'],
  [{ runId: 7 }, 'runId must be a text'],
  [{ scope: 'media' }, 'scope must be "messages" for this scenario'],
  [{ request: 'POST /' }, 'request must have a method and a path'],
  [{ request: { method: 'POST', path: '/' } }, 'request.headers must be an object'],
];

test.each(unusable)('%j is refused by name', (changes, message) => {
  expect(() => readParameters(environment(changes), 'messages')).toThrow(
    `CONFORMANCE_LOAD_PARAMETERS: ${message}`,
  );
});

test.each([
  [{}, /CONFORMANCE_LOAD_KEY is not set/],
  [{ CONFORMANCE_LOAD_KEY: '' }, /CONFORMANCE_LOAD_KEY is not set/],
  [{ CONFORMANCE_LOAD_KEY: 'secret' }, /CONFORMANCE_LOAD_PARAMETERS is not set/],
  [{ CONFORMANCE_LOAD_KEY: 'secret', CONFORMANCE_LOAD_PARAMETERS: '{' }, /is not a JSON object/],
  [{ CONFORMANCE_LOAD_KEY: 'secret', CONFORMANCE_LOAD_PARAMETERS: '[]' }, /is not a JSON object/],
])('an environment like %j is refused without its values', (env, message) => {
  expect(() => readParameters(env, 'messages')).toThrow(message);
  expect(() => readParameters(env, 'messages')).not.toThrow(/secret/);
});

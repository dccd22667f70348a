import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import { traceHeaderSchema } from '../../contract/trace-header.ts';
import { messagesBurst } from '../messages-burst.ts';
import { mixedScopes } from '../mixed-scopes.ts';
import { nodes } from '../nodes.ts';
import { noisyNeighbour } from '../noisy-neighbour.ts';
import type { Scenario } from '../plan/scenario.ts';
import { planScenario } from '../runner/plan-scenario.ts';
import { settleParameters, unknownKeys } from '../runner/settle-parameters.ts';
import { aloneParameters, aloneTool } from './alone-parameters.ts';
import { type AloneEnvironment, aloneSettings } from './alone-settings.ts';
import { ownKeysIn, parseKeys } from './parameters.ts';

const messages = '{"messages":{"method":"POST","path":"/v1/messages","body":{"json":{"to":"1"}}}}';
const given = { BASE_URL: 'http://127.0.0.1:8080', REQUESTS: messages };

const noFile = (path: string): string => {
  throw new Error(`there is no ${path}`);
};

function parametersOf(scenario: Scenario, env: AloneEnvironment = given, keys = 1) {
  return aloneParameters(scenario, aloneSettings(env, noFile), keys);
}

test.each([messagesBurst, mixedScopes, noisyNeighbour])(
  'k6 alone gets the same lanes, requests and options as by "load --bundle"',
  (scenario) => {
    const deployment = deploymentSchema.parse({
      baseUrls: [given.BASE_URL],
      keyEnv: ['API_KEY', 'API_KEY_B'],
      requests: { standard: { path: '/v1/status' }, ...JSON.parse(messages) },
    });
    const limits = { standard: 120, messages: 300, media: 30 };
    const planned = planScenario(scenario, { deployment, limits, choices: {} });
    const keys = unknownKeys(planned).slice(0, planned.setting.keys);
    const settled = settleParameters({
      ...{ planned, deployment, keys, runId: 'alone', looker: 'k6' },
      userAgent: `${aloneTool.name}/${aloneTool.version}`,
    });
    if (settled.kind === 'unusable') throw new Error(settled.reason);
    const { around, ...alone } = parametersOf(scenario, given, 2);
    // What is not there does not come through JSON.
    expect(JSON.parse(JSON.stringify(alone))).toEqual(JSON.parse(JSON.stringify(settled.parameters)));
    const names = { runId: 'alone', startedAt: '2026-01-01T00:00:00Z', clocks: [{ id: 'k6', kind: 'wall' }] };
    const clocks = names.clocks.map((clock) => ({ ...clock, offsetMsMax: 0 }));
    expect(traceHeaderSchema.parse({ ...around?.header, ...names, clocks })).toMatchObject({
      deployment: { baseUrls: [given.BASE_URL], requests: deployment.requests, windowSeconds: 60 },
      plan: { requestsMax: planned.requests },
    });
  },
);

test('traces name the version of the package', () => {
  const { name, version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  expect(aloneTool).toEqual({ name, version });
});

const file = '{"media":{"method":"POST","path":"/v1/media","body":{"file":{"bytes":9}}}}';

test.each<[string, string | undefined, object]>([
  ['left out: what the document shows', undefined, { standard: { path: '/v1/status' } }],
  ['"reference"', 'reference', { media: { body: { file: { field: 'file', bytes: 64 } } } }],
  ['a text', messages, { messages: { method: 'POST', body: { json: { to: '1' } } }, standard: {} }],
  ['a file', 'requests.json', { media: { body: { file: { filename: 'probe.bin', bytes: 9 } } } }],
])('requests as %s are what the settings of a deployment take', (_how, text, expected) => {
  const { requests } = aloneSettings({ ...given, REQUESTS: text }, () => file);
  expect(requests).toMatchObject(expected);
  expect(deploymentSchema.shape.requests.parse(requests)).toEqual(requests);
});

test.each<[AloneEnvironment, RegExp]>([
  [{}, /^BASE_URL is not set: .* e\.g\. BASE_URL=http/],
  [{ BASE_URL: 'api.example.test' }, /^BASE_URL has to be an http/],
  [{ BASE_URL: 'http://me:secret@api.example.test' }, /^BASE_URL has to be an http(?!.*secret)/],
  [{ ...given, WINDOWS: '0' }, /^WINDOWS is "0": it has to be a whole number from 1 to 1440$/],
  [{ ...given, VUS: 'x' }, /^VUS is "x"/],
  [{ ...given, HEADER_ENV: 'X-Api-Key' }, /^HEADER_ENV has to name a header and its variable/],
  [{ ...given, REQUESTS: '{' }, /^REQUESTS cannot be used: it is not JSON\. It is a file or/],
  [{ ...given, REQUESTS: '{"mesages":{"path":"/"}}' }, /mesages is none of standard, messages, media/],
  [{ ...given, REQUESTS: '{"media":{"path":"v1"}}' }, /media\.path has to begin with "\/"/],
  [{ ...given, REQUESTS: '{"media":{"path":"/","verb":"GET"}}' }, /media\.verb is none of method, path/],
  [{ ...given, REQUESTS: '{"media":{"path":"/","method":"get"}}' }, /media\.method has to be one of GET/],
  [{ ...given, REQUESTS: '{"media":{"path":"/","body":{}}}' }, /media\.body has to have json, text with/],
  [
    { ...given, REQUESTS: '{"media":{"path":"/","headers":{"Authorization":"Bearer secret"}}}' },
    /media\.headers\.Authorization must not stand there(?!.*secret)/,
  ],
  [
    { ...given, REQUESTS: '{"media":{"path":"/","headers":{"X-Api-Key":"secret"}}}' },
    /^REQUESTS holds a secret \(requests\.media\.headers\.X-Api-Key\): name its variable by HEADER_ENV(?!.*secret)/,
  ],
])('%j is told with what to set', (env, message) => {
  expect(() => aloneSettings(env, noFile)).toThrow(message);
});

test.each<[string, Scenario, AloneEnvironment, RegExp]>([
  [
    'a request',
    messagesBurst,
    { BASE_URL: given.BASE_URL },
    /^messages-burst needs the request that stands for messages: REQUESTS is/,
  ],
  [
    'a second key',
    noisyNeighbour,
    given,
    /^noisy-neighbour needs a second API key: API_KEY_B has to hold it$/,
  ],
  ['a second node', nodes, given, /^nodes needs 2 addresses or more: BASE_URL=http.*,http/],
])('%s that is missing is told with its variable', (_what, scenario, env, message) => {
  expect(() => parametersOf(scenario, env)).toThrow(message);
});

test('secret headers are named by their variables', () => {
  const env = { ...given, HEADER_ENV: 'X-Api-Key=GATE,X-Tenant-Token=TENANT' };
  expect(parametersOf(messagesBurst, env).secretHeaders).toEqual({
    'X-Api-Key': 'GATE',
    'X-Tenant-Token': 'TENANT',
  });
});

test.each<[AloneEnvironment, readonly string[]]>([
  [{ API_KEY: 'a' }, ['a']],
  [{ API_KEY: 'a', API_KEY_B: 'b' }, ['a', 'b']],
  [{ API_KEY: 'a', KEYS: 'c d\ne' }, ['c', 'd', 'e']],
])('keys come from %j', (env, keys) => {
  expect(parseKeys(ownKeysIn(env))).toEqual(keys);
});

test.each<AloneEnvironment>([{}, { API_KEY: '' }, { API_KEY_B: 'b' }])('%j holds no key', (env) => {
  expect(() => parseKeys(ownKeysIn(env))).toThrow(/^there is no API key: API_KEY has to hold it$/);
});

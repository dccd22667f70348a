import { expect, test } from 'vitest';
import { type Deployment, type DeploymentInput, deploymentSchema } from '../../contract/deployment.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import type { Parameters } from '../k6/parameters.ts';
import { mediaBurst } from '../media-burst.ts';
import { mixedScopes } from '../mixed-scopes.ts';
import type { PlannedScenario } from '../plan/planned.ts';
import { planScenario } from './plan-scenario.ts';
import { settleParameters } from './settle-parameters.ts';

type Body = NonNullable<NonNullable<DeploymentInput['requests']>['media']>['body'];

/** What k6 gets to know of a scenario with one key. */
function parametersOf(planned: PlannedScenario, deployment: Deployment): Parameters {
  const settled = settleParameters({
    planned,
    deployment,
    keys: [{ alias: 'A', secret: 'a-key' }],
    runId: 'run',
    userAgent: 'test',
    looker: 'runner',
  });
  if (settled.kind === 'unusable') throw new Error(settled.reason);
  return settled.parameters;
}

/** The largest file of a burst of uploads with this body. */
function fileBytesMax(body: Body): number | undefined {
  const deployment = deploymentSchema.parse({
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['KEY_A'],
    requests: { media: { method: 'POST', path: '/v1/media', ...(body !== undefined && { body }) } },
  });
  const planned = planScenario(mediaBurst, { deployment, limits: documentedLimits, choices: {} });
  const [part] = Object.values(parametersOf(planned, deployment).lanes);
  return part?.kind === 'waves' ? part.fileBytesMax : undefined;
}

test.each<readonly [string, Body, number | undefined]>([
  ['the size that the settings say', { file: { bytes: 5_000 } }, 5_000],
  ['the size that they have where they say none', { file: {} }, 64],
  ['no other size where they say very few bytes', { file: { bytes: 3 } }, undefined],
  ['no file where there is none', { text: 'x', contentType: 'text/plain' }, undefined],
  ['no body where there is none', undefined, undefined],
])('a burst of uploads sends %s', (_what, body, bytes) => {
  expect(fileBytesMax(body)).toBe(bytes);
});

test('the answers of each scope are read by its own headers', () => {
  const scope = (name: string, more: object = {}) => ({
    ...{ title: name, limit: 20, paths: [`/${name}`], request: { path: `/${name}` } },
    ...more,
  });
  const deployment = deploymentSchema.parse({
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['KEY_A'],
    document: {
      ...{ version: 1, title: 'items', windowSeconds: 60, errors: 'none' },
      scopes: {
        files: scope('files', { headers: { remaining: { name: 'X-Used', as: 'used' } } }),
        rest: scope('rest'),
      },
    },
    requests: { files: { path: '/files' }, rest: { path: '/rest' } },
  });
  const planned = planScenario(mixedScopes, { deployment, limits: { files: 20, rest: 20 }, choices: {} });
  const { files, rest } = parametersOf(planned, deployment).requests;
  expect(files?.headerNames).toMatchObject({ limit: '', remaining: 'X-Used', reset: '' });
  expect(rest?.headerNames).toMatchObject({ limit: 'X-Ratelimit-Limit', remaining: 'X-Ratelimit-Remaining' });
});

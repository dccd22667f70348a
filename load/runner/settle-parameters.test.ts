import { expect, test } from 'vitest';
import { type Deployment, type DeploymentInput, deploymentSchema } from '../../contract/deployment.ts';
import { limitsOf } from '../../contract/document/document.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { burst } from '../burst.ts';
import type { Parameters } from '../k6/parameters.ts';
import { manyKeys } from '../many-keys.ts';
import { mediaBurst } from '../media-burst.ts';
import { mixedScopes } from '../mixed-scopes.ts';
import { noisyNeighbour } from '../noisy-neighbour.ts';
import { overPressure } from '../over-pressure.ts';
import type { PlannedScenario } from '../plan/planned.ts';
import type { Scenario } from '../plan/scenario.ts';
import { sustained } from '../sustained.ts';
import { planScenario } from './plan-scenario.ts';
import { settleParameters, whyImpossible } from './settle-parameters.ts';

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

/** A token bucket of 10 an hour with room for 5,000: it is full again after 500 h. */
const slow = { limit: 10, promise: { kind: 'token-bucket', size: 5_000 } };

/** Why a scenario shows nothing of a scope in windows of an hour, and how long it takes, s. */
function slowly(scenario: Scenario, scope: object) {
  const deployment = deploymentSchema.parse({
    ...{ baseUrls: ['http://127.0.0.1:1'], keyEnv: ['KEY_A'], windowSeconds: 3_600 },
    document: {
      ...{ version: 1, title: 'items', windowSeconds: 3_600, headers: 'none', errors: 'none' },
      scopes: { items: { title: 'items', ...scope } },
    },
    requests: { items: { path: '/items' } },
  });
  const limits = limitsOf(deployment.document);
  const planned = planScenario(scenario, { deployment, limits, choices: { keys: 10 } });
  return { why: whyImpossible(planned, deployment), seconds: planned.seconds };
}

test('a scenario is refused that would wait for a window that is longer than an hour', () => {
  const why = 'no run takes as long as 500 h, after which the limit of items is free again';
  for (const scenario of [sustained, overPressure, noisyNeighbour, manyKeys])
    expect(slowly(scenario, slow).why, scenario.name).toBe(why);
  // A burst waits for nothing.
  expect(slowly(burst, slow).why).toBeNull();
  expect(slowly(sustained, { limit: 10 })).toEqual({ why: null, seconds: 2 * 3_600 + 1 });
});

test('a further limit that no run fills is left out, also where it is a bucket', () => {
  const also = [{ ...slow, windowSeconds: 3_600 }];
  expect(slowly(sustained, { limit: 100, also })).toEqual({ why: null, seconds: 2 * 3_600 + 1 });
});

test('a scenario that stays below the limit is refused where that leaves nothing to send', () => {
  expect(slowly(sustained, { limit: 1 }).why).toBe(
    'it sends less than a limit lets pass, and of a limit of 1 that is nothing',
  );
  expect(slowly(sustained, { limit: 2 }).why).toBeNull();
});

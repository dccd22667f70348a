import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planRun } from '../../checks/plan.ts';
import { type Deployment, deploymentSchema } from '../../contract/deployment.ts';
import { type Document, documentSchema, limitsOf } from '../../contract/document/document.ts';
import { promiseKinds } from '../../contract/document/promise.ts';
import { loadDocument } from '../document/document-file.ts';
import { embeddedRequests } from '../target/embedded-requests.ts';
import { limitTestMs, looksMs, silenceMs } from './look-times.ts';

function deploymentOf(document: Document): Deployment {
  return deploymentSchema.parse({
    document,
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['KEY_A'],
    requests: embeddedRequests(document),
    windowSeconds: document.windowSeconds,
  });
}

function plannedMs(deployment: Deployment): number {
  const { document, windowSeconds } = deployment;
  const windowMs = windowSeconds * 1_000;
  const limits = limitsOf(document);
  return 1_000 * planRun({ deployment, limits, windowMs, mode: 'full', keys: 2, unannounced: false }).seconds;
}

/** A document of one scope and, unless it says another, windows of 2 s. */
const documentWith = (scope: object, more: object = {}): Document =>
  documentSchema.parse({
    ...{ version: 1, title: 'a', windowSeconds: 2, headers: 'none', errors: 'none', keys: 'none' },
    ...more,
    scopes: { items: { title: 'items', limit: 20, request: { path: '/items' }, ...scope } },
  });

const busyMs = 4_000;

test.each<readonly [string, Document]>([
  ['another limit of 60 s', documentWith({ also: [{ limit: 100, windowSeconds: 60 }] })],
  ['a window of its own', documentWith({ windowSeconds: 60 })],
  ['windows of 2 s that begin anew', documentWith({ promise: 'fixed' })],
  ['windows of 10 s that begin anew', documentWith({ promise: 'fixed' }, { windowSeconds: 10 })],
  ['60 s of which nothing is said', documentWith({ promise: 'unsaid' }, { windowSeconds: 60 })],
  ['refusals by 503', documentWith({ promise: 'fixed' }, { windowSeconds: 10, refusal: { status: 503 } })],
  ['a block of a minute', documentWith({}, { refusal: { waitSeconds: 60 } })],
])('a look at a limit with %s has the time that it needs', (_, document) => {
  const deployment = deploymentOf(document);
  expect(looksMs(deployment, 1)).toBeGreaterThanOrEqual(plannedMs(deployment) + busyMs);
});

test('a look has the time that it needs where too much passes', () => {
  const deployment = deploymentOf(documentWith({ promise: 'fixed' }, { windowSeconds: 60 }));
  const limits = limitsOf(deployment.document);
  const options = {
    deployment,
    limits,
    windowMs: 60_000,
    mode: 'full',
    keys: 1,
    unannounced: false,
  } as const;
  const { tooMuchSeconds } = planRun(options);
  expect(tooMuchSeconds).toBeGreaterThan(0);
  expect(looksMs(deployment, 1)).toBeGreaterThanOrEqual(
    plannedMs(deployment) + 1_000 * tooMuchSeconds + busyMs,
  );
});

test('so have looks at all limits of every example, with the silence between them', async () => {
  const folder = join(import.meta.dirname, '../../documents/examples');
  for (const file of await readdir(folder)) {
    const deployment = deploymentOf(await loadDocument(file, folder));
    const neededMs = 4 * plannedMs(deployment) + 3 * silenceMs(deployment);
    expect(looksMs(deployment, 4), file).toBeGreaterThanOrEqual(neededMs + busyMs);
  }
});

test('between two looks is the silence of the longest window that is filled, and of the longest block', () => {
  const silentMs = (scope: object, more: object = {}) => silenceMs(deploymentOf(documentWith(scope, more)));
  const month = { limit: 100, windowSeconds: 2_678_400 };
  expect(Math.floor(silentMs({}) / 1_000)).toBe(3);
  expect(Math.floor(silentMs({ windowSeconds: 30, also: [month] }) / 1_000)).toBe(31);
  expect(Math.floor(silentMs({ also: [{ limit: 50, windowSeconds: 60 }, month] }) / 1_000)).toBe(61);
  expect(Math.floor(silentMs({}, { refusal: { waitSeconds: 90 } }) / 1_000)).toBe(91);
});

const promises = [
  ...promiseKinds,
  { kind: 'fixed', aligned: 'clock' },
  { kind: 'fixed', aligned: 'first-request' },
] as const;

test.each([1, 2, 10, 29, 60])(
  'the length of a window, %i s, is enough to know for any limit',
  (windowSeconds) => {
    for (const promise of promises) {
      for (const limit of [1, 2, 3, 4, 20, 1_000]) {
        for (const status of [429, 503]) {
          const expected = { limit, windowSeconds, promise, status };
          expect(limitTestMs(windowSeconds, 2)).toBeGreaterThanOrEqual(limitTestMs(expected, 2));
        }
      }
    }
  },
);

test('a bucket that is longer in filling than its window says so itself', () => {
  const promise = { kind: 'token-bucket', size: 200 } as const;
  const bucket = { limit: 20, windowSeconds: 2, promise };
  expect(limitTestMs(bucket)).toBeGreaterThan(4 * 2 * 20_000);
});

test('no test takes longer than a timer goes, nor a part of a millisecond', () => {
  const promise = { kind: 'token-bucket', size: 1_000_000 } as const;
  expect(limitTestMs({ limit: 1, windowSeconds: 60, promise })).toBe(2 ** 31 - 1);
  expect(limitTestMs(2, 1) % 1).toBe(0);
});

test('a limit that cannot be tested takes no time', () => {
  expect(() => limitTestMs(61)).toThrow(/^windowSeconds: 61 is longer than 60/);
  expect(() => limitTestMs({ limit: 0, windowSeconds: 2, promise: 'rolling' })).toThrow(
    /^The limit cannot be tested:/,
  );
});

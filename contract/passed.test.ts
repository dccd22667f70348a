import { expect, it, test } from 'vitest';
import { deploymentSchema } from './deployment.ts';
import { documentSchema } from './document/document.ts';
import { passedStatusesIn, passedStatusesOf } from './passed.ts';
import { mayHavePassed } from './request-template.ts';

const path = '/v1/messages';

it('knows how all requests of a scope are answered that have to pass, each status once', () => {
  const deployment = deploymentSchema.parse({
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['A'],
    requests: {
      messages: { method: 'POST', path, answered: 422 },
      messagesSubpath: { path: `${path}/1`, answered: [404, 422] },
      media: { path: '/v1/media' },
    },
    otherMethods: { messages: { method: 'PUT', path, answered: 400 } },
  });
  expect(passedStatusesIn(deployment, 'messages')).toEqual([422, 404, 400]);
  expect(passedStatusesIn(deployment, 'media')).toEqual([]);
  expect(passedStatusesIn(deployment, 'standard')).toEqual([]);
  const asked = { scope: 'messages', route: 'main', credential: 'valid' } as const;
  expect(passedStatusesOf(deployment, asked)).toEqual([422, 404, 400]);
  expect(passedStatusesOf(deployment, { ...asked, credential: 'unknown' })).toEqual([]);
  expect(passedStatusesOf(deployment, { ...asked, route: 'other' })).toEqual([]);
});

it('knows those of the other requests of a scope', () => {
  const search = { title: 'search', limit: 30, others: [{ request: { path: '/old', answered: 301 } }] };
  const document = documentSchema.parse({
    version: 1,
    title: 'search',
    windowSeconds: 60,
    scopes: { search },
  });
  expect(passedStatusesIn({ document, requests: {}, otherMethods: {} }, 'search')).toEqual([301]);
  expect(passedStatusesIn({ document, requests: {}, otherMethods: {} }, 'none')).toEqual([]);
});

const least = { baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'] };

test.each([
  [{ standard: { path: '/', answered: 422 } }, null],
  [{ standard: { path: '/', answered: [300, 499, 401, 404] } }, null],
  [{ standard: { path: '/', answered: 299 } }, /must be a status from 300 to 499 other than 407, 408, 429/],
  [{ standard: { path: '/', answered: 500 } }, /must be a status from 300 to 499/],
  [{ standard: { path: '/', answered: 429 } }, /must be a status from 300 to 499/],
  [{ standard: { path: '/', answered: [] } }, /or a list of up to four/],
  [{ standard: { path: '/', answered: [400, 401, 402, 403, 404] } }, /or a list of up to four/],
  [{ otherError: { path: '/', answered: 404 } }, /stands beside a request whose error is looked at/],
  [{ otherError: { path: '/' } }, null],
])('requests that are answered so: %j', (requests, wrong) => {
  const { success, error } = deploymentSchema.safeParse({ ...least, requests });
  expect(success).toBe(wrong === null);
  if (wrong !== null) expect(error?.issues[0]?.message).toMatch(wrong);
});

const document = {
  version: 1,
  title: 'refusing by 403',
  windowSeconds: 60,
  refusal: { status: [429, 403] },
  scopes: { logins: { title: 'logins', limit: 5 } },
} as const;

const asRefused = '403 is how a request over the limit is answered: no answer would tell whether one passed';

it('is no status of a refusal', () => {
  const request = { path: '/login', answered: [401, 403] };
  for (const field of ['requests', 'otherMethods']) {
    const { error } = deploymentSchema.safeParse({ ...least, document, [field]: { logins: request } });
    expect(error?.issues).toMatchObject([{ path: [field, 'logins', 'answered'], message: asRefused }]);
  }
});

it.each([null, 200, 302, 399, 404, 405, 407, 408, 429, 500])(
  '%s is no answer of a request that passed and was refused for what is in it',
  (status) => {
    expect(mayHavePassed(status)).toBe(false);
  },
);

it.each([400, 401, 403, 422, 499])('%i may be one', (status) => {
  expect(mayHavePassed(status)).toBe(true);
});

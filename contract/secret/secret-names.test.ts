import { describe, expect, it, test } from 'vitest';
import { deploymentSchema } from '../deployment.ts';
import {
  isSecretName,
  secretParametersIn,
  secretPlacesIn,
  secretPlacesInDocument,
  shownDeployment,
  shownPathOf,
} from './secret-names.ts';

test.each([
  'Authorization',
  'Proxy-Authorization',
  'Cookie',
  'X-Api-Key',
  'x-api-key',
  'apikey',
  'DD-API-KEY',
  'api_key',
  'apiKey',
  'X-Auth-Token',
  'Private-Token',
  'token',
  'access_token',
  'X-Access-Token',
  'Ocp-Apim-Subscription-Key',
  'X-Amz-Security-Token',
  'CF-Access-Client-Secret',
  'password',
  'X-Auth',
  'Session-Id',
  'X-Vault-Token',
  'X-Key',
])('%s names a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each([
  'Accept',
  'Content-Type',
  'Idempotency-Key',
  'X-Idempotency-Key',
  'X-Request-Id',
  'Cache-Key',
  'Sec-WebSocket-Key',
  'X-Service-Signature',
  'X-Token-Type',
  'X-Api-Key-Id',
  'page_token',
  'nextPageToken',
  'Message-Key',
  'Monkey',
  'X-Author',
  'keys',
  'Cache--Key',
  'Session-Name',
])('%s names none', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test('a value is read as a server reads it, and as it is where it is no code', () => {
  expect(secretParametersIn('/?token=a%2Fb&page=1&secret=%zz')).toEqual([
    { name: 'token', value: 'a/b' },
    { name: 'secret', value: '%zz' },
  ]);
});

describe('settings', () => {
  const deployment = deploymentSchema.parse({
    baseUrls: ['http://127.0.0.1'],
    keyEnv: ['A'],
    requests: {
      standard: {
        path: '/v1/status?access_token=abc&page=2&key=7',
        headers: { 'X-Api-Key': 'canary', Accept: 'text/plain' },
      },
      messages: {
        method: 'POST',
        path: '/v1/messages',
        body: { json: { to: '1', auth: { token: 'canary', list: [{ secret: 'canary' }] } } },
      },
    },
    otherMethods: { media: { path: '/v1/media', headers: { 'x-auth-token': 'canary', Cookie2: 'a' } } },
  });

  it('are searched for secrets by their names', () => {
    expect(secretPlacesIn(deployment)).toEqual([
      { place: 'requests.standard.headers.X-Api-Key', kind: 'header', name: 'X-Api-Key' },
      { place: 'requests.standard.path', kind: 'parameter', name: 'access_token' },
      { place: 'otherMethods.media.headers.x-auth-token', kind: 'header', name: 'x-auth-token' },
    ]);
  });

  it('are shown without them, and can be read again', () => {
    const shown = shownDeployment(deployment);
    expect(JSON.stringify(shown)).not.toMatch(/canary|abc/);
    expect(shown.requests.standard).toMatchObject({
      path: '/v1/status?access_token=(withheld)&page=2&key=7',
      headers: { 'X-Api-Key': '(withheld)', Accept: 'text/plain' },
    });
    expect(shown.requests.messages?.body).toEqual({
      json: { to: '1', auth: { token: '(withheld)', list: [{ secret: '(withheld)' }] } },
    });
    expect(deploymentSchema.parse(shown)).toEqual(shown);
    expect(secretPlacesIn(shown)).toEqual([]);
  });

  it.each([
    ['/a?token=abc', '/a?token=(withheld)'],
    ['/a&token=abc', '/a&token=(withheld)'],
  ])('is withheld where it stands alone: %s', (path, shown) => {
    expect(shownPathOf(path)).toBe(shown);
  });

  it('stay as they are where nothing is secret', () => {
    const plain = deploymentSchema.parse({
      baseUrls: ['http://127.0.0.1'],
      keyEnv: ['A'],
      requests: { media: { path: '/a?b=c' } },
    });
    expect(shownDeployment(plain)).toEqual(plain);
    expect(shownPathOf('/a?token=&x=1#token=2')).toBe('/a?token=&x=1#token=2');
  });
});

test('secrets in the requests of a document are found by their scope', () => {
  const request = {
    method: 'GET' as const,
    path: '/?access_token=1',
    headers: { 'X-Api-Key': 'k', Accept: '*/*' },
  };
  const search = { title: 'x', limit: 1 };
  expect(secretPlacesInDocument({ scopes: { a: { ...search, request }, b: search } })).toEqual([
    { place: 'scopes.a.request.headers.X-Api-Key', kind: 'header', name: 'X-Api-Key' },
    { place: 'scopes.a.request.path', kind: 'parameter', name: 'access_token' },
  ]);
});

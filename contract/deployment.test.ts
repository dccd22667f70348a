import { expect, test } from 'vitest';
import {
  asksWithoutKey,
  defineDeployment,
  deploymentSchema,
  keyAliasesOf,
  scopesWithKey,
  scopesWithRequest,
  sendsKeys,
} from './deployment.ts';
import { messagingDocument } from './document/messaging.ts';

const least = { baseUrls: ['https://api.example.test/base'], keyEnv: ['API_KEY'] };

test('base URLs and key names are enough: the rest has the documented defaults', () => {
  expect(deploymentSchema.parse(defineDeployment(least))).toEqual({
    ...least,
    document: messagingDocument,
    requests: {},
    otherMethods: {},
    windowSeconds: 60,
    exclusiveKeys: true,
    clockSkewSecondsMax: 5,
    probeWithoutKey: true,
    requestTimeoutSeconds: 10,
    breaker: { failuresInARow: 20, failureShare: 0.5, retryAfterSecondsMax: 60 },
    connectionsPerScope: 50,
  });
});

test('a path is enough for a request, and a file needs nothing said', () => {
  const requests = { standard: { path: '/' }, media: { path: '/v1/media', body: { file: {} } } };
  const parsed = deploymentSchema.parse({ ...least, requests });
  expect(parsed.requests).toEqual({
    standard: { method: 'GET', path: '/', headers: {} },
    media: {
      method: 'GET',
      path: '/v1/media',
      headers: {},
      body: {
        file: {
          field: 'file',
          filename: 'probe.bin',
          contentType: 'application/octet-stream',
          bytes: 64,
        },
      },
    },
  });
  expect(scopesWithRequest(parsed)).toEqual(['standard', 'media']);
});

test('a key is asked for where requests of a scope carry one', () => {
  const open = { title: 'search', limit: 20, paths: ['/search'], countedBy: 'address', keys: 'none' };
  const scopes = {
    search: open,
    files: { title: 'files', limit: 9, paths: ['/files'] },
    rest: { title: 'rest', limit: 60 },
  };
  const document = { version: 1, title: 'an API', windowSeconds: 60, scopes };
  const requests = { search: { path: '/search' }, rest: { path: '/' } };
  const parsed = deploymentSchema.parse({ ...least, document, requests });
  expect([scopesWithRequest(parsed), scopesWithKey(parsed)]).toEqual([['search', 'rest'], ['rest']]);
});

test('what the document leaves open is said in either way', () => {
  for (const said of [
    { perSecond: 'average', mediaBelowMessages: 'media' },
    { perSecond: 'cap', mediaBelowMessages: 'both' },
  ])
    expect(deploymentSchema.parse({ ...least, ...said })).toMatchObject(said);
});

test('headers that only look like a key may be set, and a key that was withheld is read again', () => {
  const headers = {
    Cookie2: 'a',
    'X-Authorization-Mode': 'b',
    'Proxy-Cookie': 'c',
    Authorization: '(withheld)',
  };
  const { requests } = deploymentSchema.parse({ ...least, requests: { media: { path: '/', headers } } });
  expect(requests.media?.headers).toEqual(headers);
});

test.each([
  [{ ...least, keyEnv: ['sk_live_4f.9'] }, 'must be the name of an environment variable, not a key itself'],
  [{ ...least, keyEnv: ['API_KEY '] }, 'must be the name of an environment variable'],
  [{ ...least, keyEnv: [' API_KEY'] }, 'must be the name of an environment variable'],
  [{ ...least, keyEnv: ['1_KEY'] }, 'must be the name of an environment variable'],
  [{ ...least, keyEnv: [] }, 'is missing'],
  [{ ...least, keyEnv: ['A', 'B', 'C'] }, 'Too big'],
  [{ ...least, baseUrls: [] }, 'needs at least one URL'],
  [{ ...least, baseUrls: ['no URL'] }, 'must be an http:// or https:// URL'],
  [{ ...least, baseUrls: ['ftp://a.example.test'] }, 'must be an http:// or https:// URL'],
  [{ ...least, baseUrls: ['httpsx://a.example.test'] }, 'must be an http:// or https:// URL'],
  [{ ...least, baseUrls: ['xhttps://a.example.test'] }, 'must be an http:// or https:// URL'],
  [{ ...least, baseUrls: ['https://user@a.example.test'] }, 'must have no user name'],
  [{ ...least, baseUrls: ['https://:secret@a.example.test'] }, 'must have no user name'],
  [{ ...least, baseUrls: ['https://a.example.test?key=1'] }, 'must have no user name, query'],
  [{ ...least, baseUrls: ['https://a.example.test#a'] }, 'must have no user name, query or fragment'],
  [{ ...least, requests: { media: { path: 'v1/media' } } }, 'must start with "/"'],
  [{ ...least, requests: { media: { path: '/v1/media b' } } }, 'hold no white space'],
  [
    { ...least, requests: { media: { path: '/', headers: { cookie: 'x' } } } },
    'must not hold Authorization or Cookie',
  ],
  [
    { ...least, requests: { media: { path: '/', headers: { AUTHORIZATION: 'x' } } } },
    'must not hold Authorization',
  ],
  [{ ...least, windowSecond: 5 }, 'windowSecond'],
])('unusable settings are named: %j', (settings, message) => {
  const parsed = deploymentSchema.safeParse(settings);
  expect(JSON.stringify(parsed.error?.issues)).toContain(message.replaceAll('"', '\\"'));
});

test('an address that is none is said once', () => {
  const { error } = deploymentSchema.safeParse({ ...least, baseUrls: ['no URL'] });
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['baseUrls.0']);
});

test('no key is needed where an address is counted, and nothing is said of keys', () => {
  const { baseUrls } = least;
  const pathsOfIssues = (changes: object, others: object = {}) =>
    deploymentSchema
      .safeParse({ baseUrls, document: { ...messagingDocument, ...changes }, ...others })
      .error?.issues.map(({ path }) => path.join('.'));
  expect(pathsOfIssues({ keys: 'none', countedBy: 'address' })).toBeUndefined();
  expect(pathsOfIssues({ keys: 'none', countedBy: 'account' })).toEqual(['keyEnv']);
  expect(pathsOfIssues({ keys: 'none' })).toEqual(['keyEnv']);
  expect(pathsOfIssues({ countedBy: 'address' })).toEqual(['keyEnv']);
  expect(pathsOfIssues({}, { windowSeconds: 0 })).toEqual(['windowSeconds', 'keyEnv']);
  expect(pathsOfIssues({ keys: 'nobody' })).toEqual(['document.keys', 'keyEnv']);
});

test('a run without keys is called as its first key would be', () => {
  expect([keyAliasesOf({ keyEnv: [] }), sendsKeys({ keyEnv: [] })]).toEqual([['A'], false]);
  expect([keyAliasesOf({ keyEnv: ['X', 'Y'] }), sendsKeys({ keyEnv: ['X'] })]).toEqual([['A', 'B'], true]);
  const asking = [true, false].flatMap((probeWithoutKey) =>
    [['X'], []].map((keyEnv) => asksWithoutKey({ keyEnv, probeWithoutKey })),
  );
  expect(asking).toEqual([true, false, false, false]);
});

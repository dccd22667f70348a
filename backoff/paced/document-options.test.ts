import { describe, expect, it } from 'vitest';
import { documentSchema } from '../../contract/document/document.ts';
import { pacedOptionsOf } from './document-options.ts';
import { costIn, scopeOf } from './scopes.ts';
import { settingsByScope, settle } from './settings.ts';

function optionsOf(more: object) {
  return pacedOptionsOf(documentSchema.parse({ version: 1, title: 'a', windowSeconds: 60, ...more }));
}

const items = {
  title: 'items',
  limit: 100,
  paths: ['/items'],
  also: [{ limit: 10, windowSeconds: 2, promise: { kind: 'token-bucket', size: 20 } }],
  others: [{ request: { method: 'POST', path: '/items/export' }, cost: 20 }],
};
const exports = { title: 'exports', limit: 40, paths: ['/items/old'], promise: 'unsaid' };
const rest = { title: 'rest', limit: 5, windowSeconds: 10, promise: 'fixed', cost: 2 };

describe('what a process has to keep to by a document', () => {
  const { scopes, ...more } = optionsOf({ scopes: { items, exports, rest } });
  const request = (path: string, method = 'GET') => ({ method, origin: 'http://127.0.0.1', path });

  it('has all limits of each scope, each as a rolling window', () => {
    expect(scopes['items']).toMatchObject({
      limit: 100,
      windowSeconds: 60,
      also: [{ limit: 20, windowSeconds: 4, kind: 'token-bucket' }],
      learnFromHeaders: false,
    });
    expect(scopes['exports']).toMatchObject({ limit: 4, learnFromHeaders: false });
    expect(scopes['rest']).toMatchObject({ limit: 5, windowSeconds: 10, learnFromHeaders: true });
  });

  it.each([
    ['/items?x=1', 'GET', 'items', 1],
    ['/items/export', 'POST', 'items', 20],
    ['/items/export', 'GET', 'items', 1],
    ['/items/old/7', 'GET', 'exports', 1],
    ['/else', 'GET', 'rest', 2],
  ])('%s by %s is counted in %s, and costs %i', (path, method, scope, cost) => {
    const asked = request(path, method);
    expect(scopeOf(scopes, asked)).toBe(scope);
    expect(costIn(scopes[scope]!, asked)).toBe(cost);
  });

  it('counts by the method too, where scopes name some', () => {
    const [reads, writes] = [['GET'], ['PUT']].map((methods) => ({ ...rest, methods, paths: ['/a/{id}'] }));
    const { scopes: apart } = optionsOf({ scopes: { reads, writes, rest } });
    const counted = ['GET', 'PUT', 'POST'].map((method) => scopeOf(apart, request('/a/7', method)));
    expect(counted).toEqual(['reads', 'writes', 'rest']);
  });

  it('says in whose limits those of a scope take places too', () => {
    const { scopes: shared } = optionsOf({
      scopes: { exports: { ...exports, within: 'rest', promise: 'rolling' }, rest },
    });
    expect(shared['exports']).toMatchObject({ limit: 40, within: 'rest' });
    expect(shared['rest']).toMatchObject({ limit: 5 });
    expect('within' in shared['rest']!).toBe(false);
  });

  it('can be used as it is', () => {
    expect(settle({ scopes, ...more }).waitMsMax).toBe(300_000);
  });

  it('takes refusals and whose requests are counted together from the document too', () => {
    const refusal = {
      ...{ status: [403, 503], body: { '/code': 'slow' } },
      ...{ retryAfterPointer: '/wait', retryAfterUnit: 'ms' },
    };
    const options = optionsOf({
      scopes: { rest },
      headers: 'none',
      errors: 'none',
      refusal,
      countedBy: 'account',
    });
    expect(options).toMatchObject({
      limitedStatuses: [403, 503],
      retryAfterPointer: '/wait',
      retryAfterUnit: 'ms',
      learnFromHeaders: false,
    });
    expect(options.keyOf?.(request('/'), () => 'a key')).toBe('');
    expect(more.keyOf).toBeUndefined();
    const blocking = { ...refusal, waitSeconds: 30 };
    expect(optionsOf({ scopes: { rest }, errors: 'none', refusal: blocking })).toMatchObject({
      refusalWaitSeconds: 30,
    });
    expect('refusalWaitSeconds' in more).toBe(false);
    const headerOf = (retryAfter: unknown) =>
      optionsOf({ scopes: { rest }, refusal: { status: 429, retryAfter } }).retryAfterHeader;
    expect(headerOf({ name: 'X-Wait', as: 'seconds' })).toEqual({ name: 'X-Wait', form: 'seconds' });
    expect(headerOf('ms')).toEqual({ name: 'Retry-After', form: 'ms' });
    for (const usual of ['none', 'seconds', 'date', 'either', 'decimal', { name: 'retry-after', as: 'date' }])
      expect(headerOf(usual)).toBeUndefined();
    const untilReset = { status: 429, waitUntilReset: true };
    expect(optionsOf({ scopes: { rest }, refusal: untilReset })).toMatchObject({ waitUntilReset: true });
    expect('waitUntilReset' in more).toBe(false);
  });

  it('tells keys apart in the scopes that count by key', () => {
    const find = { title: 'find', limit: 5, paths: ['/find'], countedBy: 'address' };
    const keyOf = (keys: object, path: string) =>
      optionsOf({ scopes: { find, rest }, keys }).keyOf?.(request(path), (name) => `of ${name}`);
    const header = { header: 'X-Api-Key' };
    expect([keyOf(header, '/find?q=1'), keyOf(header, '/me')]).toEqual(['', 'of X-Api-Key']);
    expect([keyOf({ query: 'key' }, '/find?key=a'), keyOf({ query: 'key' }, '/me?key=a')]).toEqual(['', 'a']);
    const bearer = optionsOf({ scopes: { find, rest } }).keyOf;
    expect(['/find', '/me'].map((path) => bearer?.(request(path), (name) => `of ${name}`))).toEqual([
      ...['', 'of Authorization'],
    ]);
  });

  it('tells keys apart by the header that they stand in', () => {
    const keyed = (keys: object) => optionsOf({ scopes: { rest }, keys });
    const { keyOf } = keyed({ header: 'X-Api-Key' });
    expect(keyOf?.(request('/'), (name) => (name === 'X-Api-Key' ? 'a key' : 'another'))).toBe('a key');
    expect(keyOf?.(request('/'), () => null)).toBe('');
    expect(keyed({ header: 'authorization', scheme: 'Token' }).keyOf).toBeUndefined();
  });

  it('tells keys apart by the parameter that they stand in', () => {
    const { keyOf } = optionsOf({ scopes: { rest }, keys: { query: 'key' } });
    expect(keyOf?.(request('/x?a=1&key=a%2Bkey'), () => 'another')).toBe('a+key');
    expect(keyOf?.(request('/x?a=1'), () => 'another')).toBe('');
  });
});

it('the headers of each scope are read in its own way, and nothing is learnt where it has none', () => {
  const { scopes, ...more } = optionsOf({
    scopes: {
      files: {
        title: 'files',
        limit: 9,
        paths: ['/files'],
        headers: { remaining: { name: 'Used', as: 'used-of-limit' } },
      },
      search: { title: 'search', limit: 8, paths: ['/search'], headers: 'none' },
      rest: { title: 'rest', limit: 7 },
    },
  });
  const settings = settle({ scopes, ...more });
  const settingsIn = settingsByScope(settings);
  const said = (name: string) => ({ Used: '2/9', 'X-RateLimit-Remaining': '6' })[name] ?? null;
  const left = ['files', 'search', 'rest', 'elsewhere'].map(
    (scope) => settingsIn(scope).readHeaders(said).remaining,
  );
  expect(left).toEqual([7, 6, 6, 7]);
  expect(Object.values(scopes).map(({ learnFromHeaders }) => learnFromHeaders)).toEqual([true, false, true]);
  expect(settings.learnFromHeaders).toBe(true);
  const last = optionsOf({
    headers: 'none',
    scopes: {
      files: { title: 'files', limit: 9, paths: ['/files'] },
      rest: { title: 'rest', limit: 7, headers: 'x-ratelimit' },
    },
  });
  expect(last.learnFromHeaders).toBe(true);
  expect(Object.values(last.scopes).map(({ learnFromHeaders }) => learnFromHeaders)).toEqual([false, true]);
});

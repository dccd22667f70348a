import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { requestMethods } from '../request-template.ts';
import { countedText, countedTwice, countedWithin, restOf, scopesByRequest } from './counted-requests.ts';
import { type Document, documentSchema } from './document.ts';
import { messagingDocument } from './messaging.ts';
import { samplePathOf } from './path-pattern.ts';
import { pathOf } from './paths.ts';

type Said = { readonly methods?: readonly string[]; readonly paths?: readonly string[] };

function scopesOf(said: Readonly<Record<string, Said>>): Document['scopes'] {
  const scopes = Object.entries(said).map(([name, one]) => [name, { title: name, limit: 1, ...one }]);
  const whole = { version: 1, title: 'x', windowSeconds: 60, scopes: Object.fromEntries(scopes) };
  return documentSchema.parse(whole).scopes;
}

/** Which scope a request is counted in, as "GET /a". */
function countedBy(said: Readonly<Record<string, Said>>): (request: string) => string {
  const scopeOf = scopesByRequest({ scopes: scopesOf(said) });
  return (request) => {
    const [method = '', target = ''] = request.split(' ');
    return scopeOf(pathOf(target), method);
  };
}

describe('scope of a request target', () => {
  const document: Pick<Document, 'scopes'> = messagingDocument;
  const scopeOf = scopesByRequest(document);

  it.each([
    ['/v1/messages', 'messages'],
    ['/v1/messages/', 'messages'],
    ['/v1/messages/msg_1/receipts', 'messages'],
    ['/v1/messages?limit=5', 'messages'],
    ['/v1/messages#top', 'messages'],
    ['/v1/%6Dessages', 'messages'],
    ['http://api.example.test/v1/messages', 'messages'],
    ['HTTPS://api.example.test:8443/v1/media?x', 'media'],
    ['/v1/media', 'media'],
    ['/v1/media/med_1', 'media'],
    ['/v1/mediaplayer', 'standard'],
    ['/v1/messages-archive', 'standard'],
    ['/v1/Messages', 'standard'],
    ['/v1/status?next=/v1/messages', 'standard'],
    ['/v1%2Fmessages', 'standard'],
    ['/v1/messages/%zz', 'messages'],
    ['/', 'standard'],
    ['*', 'standard'],
    ['', 'standard'],
  ])('%s is %s', (target, scope) => {
    expect(scopeOf(pathOf(target), 'GET')).toBe(scope);
  });
});

test.each([
  ['GET /items/7?q=1', 'reads'],
  ['HEAD /items', 'reads'],
  ['POST /items', 'writes'],
  ['DELETE /items/7', 'writes'],
  ['PATCH /items/7', 'changes'],
  ['GET /other', 'rest'],
  // One that differs from the request before it in its method alone.
  ['POST /other', 'rest'],
])('%s is counted by its method: %s', (request, scope) => {
  const countOf = countedBy({
    changes: { paths: ['/items'] },
    rest: {},
    reads: { methods: ['GET', 'HEAD'], paths: ['/items'] },
    writes: { methods: ['POST', 'PUT', 'DELETE'], paths: ['/items'] },
  });
  countOf('GET /items');
  expect(countOf(request)).toBe(scope);
});

test('a path says more than a method', () => {
  const countOf = countedBy({ writes: { methods: ['POST'] }, search: { paths: ['/search'] }, rest: {} });
  expect(['POST /search', 'POST /a', 'GET /a', 'GET /search/b'].map(countOf)).toEqual([
    ...['search', 'writes', 'rest', 'search'],
  ]);
});

test('where no scope takes what others leave, the first one does', () => {
  const countOf = countedBy({ writes: { methods: ['POST'] }, reads: { methods: ['GET'], paths: ['/a'] } });
  expect(['GET /a', 'GET /b', 'PUT /a'].map(countOf)).toEqual(['reads', 'writes', 'writes']);
});

describe('paths in which any text may stand', () => {
  const scopes = {
    users: { paths: ['/users'] },
    posts: { paths: ['/users/{id}/posts'] },
    mine: { paths: ['/users/me/posts/'] },
    runs: { paths: ['/{any}/{job}:run'] },
    dots: { paths: ['/v1.0/{x}/(a)'] },
    rest: {},
  };

  it.each([
    ['/users/7', 'users'],
    ['/users/7/posts', 'posts'],
    ['/users/7/posts/1', 'posts'],
    ['/users/7/posts-of-today', 'users'],
    ['/users//posts', 'users'],
    ['/users/7/8/posts', 'users'],
    ['/users/%37%2F8/posts', 'posts'],
    ['/users/me/posts', 'mine'],
    ['/users/me/posts/1', 'mine'],
    ['/users/me', 'users'],
    ['/jobs/1:run', 'runs'],
    ['/jobs/1:run/now', 'runs'],
    ['/jobs/1:stop', 'rest'],
    ['/jobs/:run', 'rest'],
    ['/v1.0/7/(a)', 'dots'],
    ['/v1x0/7/(a)', 'rest'],
    ['/v1.0/7/a', 'rest'],
    ['/before/users/7/posts', 'rest'],
  ])('%s is %s', (target, scope) => expect(countedBy(scopes)(`GET ${target}`)).toBe(scope));

  it('"/" is every path, and a slash at the end adds nothing', () => {
    const all = countedBy({ all: { paths: ['/'] }, some: { paths: ['/some/'] } });
    expect(['GET /', 'GET /a/b', 'GET /some', 'GET /some/more'].map(all)).toEqual([
      ...['all', 'all', 'some', 'some'],
    ]);
  });

  it('of two that take a path, the one with more segments counts it, or else the one that says more letters', () => {
    const deep = countedBy({ wide: { paths: ['/long/names'] }, deep: { paths: ['/{x}/{y}/{z}'] } });
    expect(['GET /long/names', 'GET /long/names/c'].map(deep)).toEqual(['wide', 'deep']);
    const alike = countedBy({ first: { paths: ['/a/{y}'] }, second: { paths: ['/{x}/bb'] } });
    expect(['GET /a/bb', 'GET /a/b'].map(alike)).toEqual(['second', 'first']);
  });
});

const segment = fc.constantFrom('a', 'b', '{x}', 'a{x}', '{x}b');
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => `/${segments.join('/')}`);
const methods = fc.uniqueArray(fc.constantFrom(...requestMethods), { minLength: 1, maxLength: 3 });
const drawn = fc.record({ paths: fc.tuple(path), methods }, { requiredKeys: ['paths'] });

/** Of different paths that take the same request and say equally much, the first counts: nobody can tell them apart. */
function saysItsOwn(
  { paths: [own] }: { readonly paths: readonly string[] },
  all: readonly string[],
): boolean {
  const said = (one = ''): string => `${one.split('/').length} ${one.replaceAll('{x}', '').length}`;
  return all.every((other) => other === own || said(other) !== said(own));
}

test('the order in which scopes are written changes nothing', () => {
  fc.assert(
    fc.property(fc.array(drawn, { minLength: 1, maxLength: 5 }), path, methods, (all, asked, [method]) => {
      const paths = all.map((one) => one.paths[0]);
      const said = all.map((one, at) => [`s${at}`, one] as const);
      fc.pre(
        all.every((one) => saysItsOwn(one, paths)) && countedTwice(Object.fromEntries(said)).length === 0,
      );
      const request = `${method} ${samplePathOf(asked)}`;
      const forwards = countedBy(Object.fromEntries([...said, ['rest', {}]]));
      const backwards = countedBy(Object.fromEntries([['rest', {}], ...said.toReversed()]));
      expect(backwards(request)).toBe(forwards(request));
    }),
  );
});

test('what no scope names is of the one without paths and methods, else of the first', () => {
  const [search, reads] = [{ paths: ['/search'] }, { methods: ['GET'] }];
  expect(restOf({ scopes: scopesOf({ search, reads, rest: {} }) })).toBe('rest');
  expect(restOf({ scopes: scopesOf({ search, reads }) })).toBe('search');
  expect(() => restOf({ scopes: {} })).toThrow('a document has at least one scope');
});

test('a table says which requests a scope counts', () => {
  const { all, some, writes, few } = scopesOf({
    all: {},
    some: { paths: ['/a', '/b'] },
    writes: { methods: ['POST', 'PUT'] },
    few: { methods: ['GET'], paths: ['/c'] },
  });
  expect([all, some, writes, few].map((one) => countedText(one ?? {}))).toEqual([
    ...['all other paths', '/a, /b', 'POST, PUT of all other paths', 'GET of /c'],
  ]);
  expect(countedText({ paths: ['/a'], within: 'all' })).toBe('/a; counts in all too');
  expect(countedText({ paths: ['/a'], countedBy: 'address' })).toBe('/a; by address');
  expect(countedText({ countedBy: 'address', keys: 'none' })).toBe(
    'all other paths; by address; without a key',
  );
});

describe('what lies within the paths of another scope', () => {
  const scopes = scopesOf({
    users: { paths: ['/users', '/people'] },
    posts: { paths: ['/blog', '/users/{id}/posts', '/users/{id}/posts/{post}/likes'] },
    mine: { paths: ['/users/me/posts'] },
    once: { methods: ['DELETE'], paths: ['/users/7'] },
    writes: { methods: ['POST', 'PUT'] },
    reads: { methods: ['GET'], paths: ['/a'] },
    changes: { methods: ['PUT'], paths: ['/a/b'] },
    rest: {},
  });
  const ofWrites = { other: 'writes', path: null };
  const ofUsers = { other: 'users', path: '/users' };

  it.each([
    ['users', [0, 1].map((at) => ({ at, ...ofWrites }))],
    ['posts', [{ at: 0, ...ofWrites }, ...[1, 2].map((at) => ({ at, ...ofUsers }))]],
    ['mine', [{ at: 0, other: 'posts', path: '/users/{id}/posts' }]],
    ['once', [{ at: 0, ...ofUsers }]],
    ['writes', []],
    ['reads', []],
    ['changes', [{ at: 0, ...ofWrites }]],
    ['rest', []],
  ])('%s', (name, within) => expect(countedWithin(scopes, name)).toEqual(within));
});

test('a sample of a path has some text where any may stand', () => {
  expect(samplePathOf('/users/{user}/{from}-{to}:run')).toBe('/users/1/1-1:run');
});

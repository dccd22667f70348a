import { describe, expect, it } from 'vitest';
import { type Deployment, deploymentSchema } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { documentedLimits, limitIn, type Scope } from '../../contract/scopes.ts';
import { admitted, type Given, indeterminate, limited } from '../../judge/testing/traces.ts';
import { referenceRequests } from '../../service/reference-requests.ts';
import { placesTaken } from './conduct-doctor.ts';
import { documentFindings } from './document-findings.ts';
import type { Finding } from './finding.ts';
import { keyFindings } from './key-findings.ts';
import { layersIn } from './layers.ts';
import { k6Findings, layerFindings, reachFindings } from './reach-findings.ts';
import { doctorRequests, k6Requests } from './requests.ts';

const deploymentOf = (more: object = {}): Deployment =>
  deploymentSchema.parse({
    baseUrls: ['http://127.0.0.1:9'],
    keyEnv: ['KEY_A', 'KEY_B'],
    requests: referenceRequests,
    ...more,
  });

const deployment = deploymentOf();
const asked = { deployment, limits: documentedLimits, keys: ['A', 'B'] };
const none = { connections: [], exchanges: [], headers: [], unsent: 0 };
const seen = (...exchanges: readonly Exchange[]) => ({ ...none, exchanges });
const said = (findings: readonly Finding[]) =>
  findings.map(({ state, about, text }) => `${state} ${about}: ${text}`);

/** The first answer of a key in a scope. */
function first(key: string, scope: Scope, given: Given = {}): Exchange {
  const limit = limitIn(documentedLimits, scope);
  return admitted(0, 5, {
    key,
    scope,
    purpose: 'preflight',
    limit: String(limit),
    remaining: String(limit - 1),
    ...given,
  });
}

const refused = (given: Given): Exchange => admitted(0, 5, { outcome: 'refused', ...given });
const json = (value: unknown) => JSON.stringify(value);

describe('the requests of a doctor', () => {
  it('are at most ten with those of k6, for everything that can be set', () => {
    const requests = doctorRequests(deployment, ['A', 'B']);
    expect(requests.length + k6Requests(deployment)).toBe(10);
    expect(requests.filter(({ request }) => request.credential !== 'valid')).toHaveLength(1);
    expect(k6Requests({ baseUrls: Array(16).fill('http://127.0.0.1') })).toBe(3);
  });

  it('are fewer where the settings have fewer', () => {
    const few = deploymentOf({ requests: { standard: { path: '/v1/status' } }, probeWithoutKey: false });
    expect(doctorRequests(few, ['A'])).toHaveLength(1);
  });
});

it('places are taken by what was admitted with a key, and a run is told of them by what is left alone', () => {
  const taken = (exchanges: readonly Exchange[], of = deployment) => placesTaken(of, exchanges);
  expect(taken([first('A', 'media'), first('B', 'media')])).toBe('told');
  expect(taken([first('A', 'media'), first('B', 'media', { remaining: null })])).toBe('untold');
  const silent = {
    version: 1,
    title: 't',
    windowSeconds: 60,
    headers: 'none',
    scopes: { media: { title: 'm', limit: 30 } },
  };
  expect(taken([first('A', 'media')], deploymentOf({ document: silent }))).toBe('untold');
  expect(taken([limited(0, 5), refused({}), first('A', 'media', { key: null, credential: 'absent' })])).toBe(
    'none',
  );
});

describe('a key', () => {
  const scopes = ['standard', 'messages', 'media'] as const;
  const idle = scopes.map((scope) => first('B', scope));

  it('is idle where nothing else is in its windows', () => {
    const findings = keyFindings(asked, seen(...scopes.map((scope) => first('A', scope)), ...idle));
    expect(said(findings)).toEqual([
      'good key A: taken, and idle at standard, messages, media',
      'good key B: taken, and idle at standard, messages, media',
    ]);
  });

  it.each([
    ['key', 'If somebody else uses it, name another, or set exclusiveKeys: false.'],
    ['account', 'If somebody else uses its account, name keys of another, or set exclusiveKeys: false.'],
    ['address', 'If somebody else asks from this address, set exclusiveKeys: false.'],
  ] as const)('that is in use counted by %s is told what helps', (countedBy, advice) => {
    const document = { ...asked.deployment.document, countedBy };
    const used = first('A', 'standard', { remaining: '107' });
    const counted = { ...asked, deployment: { ...asked.deployment, document } };
    expect(said(keyFindings(counted, seen(used)))[0]).toContain(advice);
  });

  it('is in use where fewer places are left, or none', () => {
    const used = [
      first('A', 'standard', { remaining: '107' }),
      limited(0, 5, { scope: 'media', purpose: 'preflight' }),
    ];
    const [key] = said(keyFindings(asked, seen(...used, ...idle)));
    expect(key).toContain(
      'note key A: taken, but in use within the last window: 107 of 120 left at standard, 0 of 30 left at media',
    );
    expect(key).toContain('exclusiveKeys: false');
  });

  it('is unknown to be idle without the header', () => {
    const [key] = said(keyFindings(asked, seen(first('A', 'media', { remaining: null }))));
    expect(key).toBe(
      'note key A: taken; whether it is idle is not known, since answers lack X-RateLimit-Remaining',
    );
  });

  it.each([
    [
      'requests cost more than one',
      { standard: { title: 'items', limit: 100, request: { path: '/items' }, cost: 7 } },
      {},
      ['93', '93'],
    ],
    [
      'keys share a window',
      { standard: { title: 'items', limit: 100, request: { path: '/items' } } },
      { countedBy: 'account' },
      ['99', '98'],
    ],
    [
      'answers tell the least of several limits',
      {
        standard: {
          ...{ title: 'items', limit: 100, request: { path: '/items' } },
          also: [{ limit: 5, windowSeconds: 1 }],
        },
      },
      {},
      ['4', '4'],
    ],
  ])('is idle where %s', (_what, scopes, more, left) => {
    const one = deploymentOf({
      document: { version: 1, title: 'items', windowSeconds: 60, errors: 'none', scopes, ...more },
      requests: { standard: { path: '/items' } },
    });
    const cost = 'cost' in scopes.standard ? { cost: 7 } : {};
    const answers = ['A', 'B'].map((key, at) => ({
      ...admitted(at, at + 1, { key, scope: 'standard', purpose: 'preflight', remaining: left[at] ?? null }),
      ...cost,
    }));
    const setting = { deployment: one, limits: { standard: 100 }, keys: ['A', 'B'] };
    expect(said(keyFindings(setting, seen(...answers)))).toEqual([
      'good key A: taken, and idle at standard',
      'good key B: taken, and idle at standard',
    ]);
    const used = answers.map((answer) => ({
      ...answer,
      headers: { ...answer.headers, remaining: `${Number(answer.headers.remaining) - 3}` },
    }));
    expect(said(keyFindings(setting, seen(...used)))[0]).toContain('in use within the last window');
  });

  it.each([
    [{ remaining: '99' }, 'good this client: served without a key, and idle at standard'],
    [{ remaining: '40' }, 'If somebody else asks from this address, set exclusiveKeys: false.'],
    [{ status: 401, outcome: 'refused' }, 'answered 401. No key was sent: if the API needs one'],
  ] as const)('is this client where none is sent: %j', (answer, says) => {
    const keyless = deploymentOf({
      document: {
        ...{ version: 1, title: 'items', windowSeconds: 60, errors: 'none' },
        ...{ keys: 'none', countedBy: 'address', scopes: { standard: { title: 'items', limit: 100 } } },
      },
      ...{ keyEnv: [], requests: { standard: { path: '/v1/status' } } },
    });
    const setting = { deployment: keyless, limits: { standard: 100 }, keys: ['A'] };
    const { remaining = null, ...told } = { remaining: undefined, ...answer };
    const seenAnswer = {
      ...admitted(0, 5, { key: 'A', scope: 'standard', purpose: 'preflight', remaining }),
      ...told,
    };
    expect(said(keyFindings(setting, seen(seenAnswer)))[0]).toContain(says);
  });

  it.each([
    ['no header', { headers: 'none' }, 'the document has no header that says what is left'],
    ['its own header', { headers: { remaining: 'Quota-Left' } }, 'answers lack Quota-Left'],
  ])('is unknown to be idle with %s', (_what, more, says) => {
    const one = deploymentOf({
      document: {
        ...{ version: 1, title: 'items', windowSeconds: 60, errors: 'none', ...more },
        scopes: { standard: { title: 'items', limit: 100 } },
      },
      requests: { standard: { path: '/items' } },
    });
    const answer = admitted(0, 5, { key: 'A', scope: 'standard', purpose: 'preflight', remaining: null });
    const setting = { deployment: one, limits: { standard: 100 }, keys: ['A'] };
    expect(said(keyFindings(setting, seen(answer)))).toEqual([
      `note key A: taken; whether it is idle is not known, since ${says}`,
    ]);
  });

  it('is unknown to be idle where fewer may pass than promised', () => {
    const one = deploymentOf({
      document: {
        ...{ version: 1, title: 'items', windowSeconds: 60, errors: 'none' },
        scopes: { standard: { title: 'items', limit: 100, promise: 'at-most' } },
      },
      requests: { standard: { path: '/items' } },
    });
    const answer = admitted(0, 5, { key: 'A', scope: 'standard', purpose: 'preflight', remaining: '30' });
    const setting = { deployment: one, limits: { standard: 100 }, keys: ['A'] };
    expect(said(keyFindings(setting, seen(answer)))[0]).toContain(
      'since fewer may pass than the document says',
    );
  });

  it('is idle by the fields of the IETF', () => {
    const one = deploymentOf({
      document: {
        ...{ version: 1, title: 'items', windowSeconds: 60, errors: 'none', headers: 'ietf' },
        scopes: { standard: { title: 'items', limit: 100 } },
      },
      requests: { standard: { path: '/items' } },
    });
    const answer = admitted(0, 5, {
      ...{ key: 'A', scope: 'standard', purpose: 'preflight' },
      ...{ limit: '"a";q=100;w=60', remaining: '"a";r=99;t=60' },
    });
    const setting = { deployment: one, limits: { standard: 100 }, keys: ['A'] };
    expect(said(keyFindings(setting, seen(answer)))).toEqual(['good key A: taken, and idle at standard']);
  });

  it('is named by its variable where it is refused', () => {
    const [key] = said(keyFindings(asked, seen(first('B', 'media', { status: 401, outcome: 'refused' }))));
    expect(key).toContain('bad key B: POST ');
    expect(key).toContain('answered 401: check the key in KEY_B');
  });

  it('is taken where it is answered as a request is that passes', () => {
    const passed = { status: 401, outcome: 'admitted' } as const;
    const [key] = said(keyFindings(asked, seen(first('B', 'media', passed))));
    expect(key).toMatch(/^good key B: taken/);
  });

  it('is not blamed for what a firewall or a proxy answers', () => {
    const none = { limit: null, remaining: null, reset: null };
    const page = {
      status: 403,
      outcome: 'refused',
      body: '<!doctype html>',
      contentType: 'text/html',
      ...none,
    } as const;
    const [key, ...more] = said(keyFindings(asked, seen(first('A', 'media', page))));
    expect(more).toEqual([]);
    expect(key).toMatch(
      /^bad key A: another layer than the API .*answered POST \/v1\/media with 403: have it let this/,
    );
    const gateway = first('A', 'media', { status: 503, outcome: 'refused', body: '', ...none });
    expect(said(keyFindings(asked, seen(gateway)))).toEqual([expect.stringContaining('with 503: have it')]);
  });

  it('is not blamed for a request that is wrong', () => {
    const wrong = first('A', 'media', {
      status: 404,
      outcome: 'refused',
      method: 'POST',
      path: '/v1/media',
      body: '',
    });
    const findings = said(keyFindings(asked, seen(wrong)));
    expect(findings.at(-1)).toContain('bad requests.media: POST /v1/media answered 404');
    const below = refused({ scope: 'messages', route: 'subpath', purpose: 'subpath', status: 404 });
    expect(said(keyFindings(asked, seen(below)))).toEqual([
      expect.stringMatching(/^bad messagesSubpath: .* answered 404, .* add answered: 404 to it where/),
    ]);
    // None of these may stand there.
    for (const status of [407, 408, 500])
      expect(said(keyFindings(asked, seen({ ...below, status }))).join()).not.toContain('answered: ');
  });
});

describe('answers', () => {
  const documented = first('A', 'standard');
  const shaped = json({ success: false, error: { code: 'not_found', message: 'no' } });
  const other = refused({ purpose: 'other-error', route: 'other', status: 404, body: shaped });
  const of = (...exchanges: readonly Exchange[]) => said(documentFindings(asked, seen(...exchanges)));

  it('have other errors, and no key, where a document promises nothing of these', () => {
    const bare = deploymentOf({
      document: {
        ...{ version: 1, title: 'items', windowSeconds: 60, headers: 'none', errors: 'none', keys: 'none' },
        scopes: { standard: { title: 'items', limit: 100 } },
      },
      requests: { standard: { path: '/items' } },
    });
    const keyless = admitted(0, 5, {
      scope: 'standard',
      purpose: 'without-key',
      key: null,
      credential: 'absent',
    });
    const other = refused({ scope: 'standard', purpose: 'other-error', status: 404, body: 'not here' });
    const findings = said(
      documentFindings({ deployment: bare, limits: { standard: 100 }, keys: ['A'] }, seen(keyless, other)),
    );
    expect(findings).toEqual([expect.stringMatching(/ clock: /)]);
  });

  it('tell any of several limits', () => {
    const several = deploymentOf({
      document: {
        ...{ version: 1, title: 'items', windowSeconds: 60, errors: 'none' },
        scopes: { standard: { title: 'items', limit: 100, also: [{ limit: 5, windowSeconds: 1 }] } },
      },
      requests: { standard: { path: '/items' } },
    });
    const setting = { deployment: several, limits: { standard: 100 }, keys: ['A'] };
    const told = (limit: string) =>
      said(documentFindings(setting, seen(admitted(0, 5, { key: 'A', scope: 'standard', limit }))))[0];
    expect(told('5')).toMatch(/^good headers: /);
    expect(told('6')).toContain('A run will find headers.limit violated');
  });

  it('carry the headers of their scope', () => {
    const scoped = deploymentOf({
      document: {
        ...{ version: 1, title: 'items', windowSeconds: 60, errors: 'none' },
        scopes: {
          standard: { title: 'items', limit: 100, paths: ['/items'] },
          files: { title: 'files', limit: 9, paths: ['/files'], headers: { remaining: 'Left' } },
          search: { title: 'search', limit: 7, headers: 'none' },
        },
      },
      requests: { standard: { path: '/items' }, files: { path: '/files' }, search: { path: '/search' } },
    });
    const setting = { deployment: scoped, limits: { standard: 100, files: 9, search: 7 }, keys: ['A'] };
    const none = { limit: null, remaining: null, reset: null };
    const at = (scope: Scope, given: Given = {}) =>
      admitted(0, 5, { key: 'A', scope, purpose: 'preflight', limit: '100', remaining: '99', ...given });
    const told = (...exchanges: readonly Exchange[]) =>
      said(documentFindings(setting, seen(...exchanges)))[0];
    const files = at('files', { ...none, remaining: '8' });
    expect(told(at('standard'), files, at('search', none))).toBe(
      'good headers: those of each scope, with the documented limits (100 at standard)',
    );
    expect(told(at('standard'), at('files', none))).toBe(
      'note headers: missing on some answers: Left. A run will find headers.present violated.',
    );
    expect(told(at('standard', { limit: '5' }), files)).toContain('X-RateLimit-Limit is 5 at standard');
    expect(told(at('search', none))).toMatch(/ clock: /);
    const idle = (...exchanges: readonly Exchange[]) => said(keyFindings(setting, seen(...exchanges)))[0];
    expect(idle(at('standard'), files, at('search', none))).toContain(
      'since the document has no header that says what is left at search',
    );
    expect(idle(at('standard'), at('files', none))).toContain('since answers lack Left');
  });

  it('look as documented', () => {
    const [headers, errors, clock] = of(documented, other);
    expect(headers).toBe('good headers: all three, with the documented limits (120 at standard)');
    expect(errors).toBe('good error bodies: as documented, with status 404');
    expect(clock).toMatch(/^(good|note) clock: /);
  });

  it('carry headers of which nothing is promised', () => {
    const document = {
      ...{ version: 1, title: 'items', windowSeconds: 60, headers: 'none', errors: 'none', keys: 'none' },
      scopes: { standard: { title: 'items', limit: 120 } },
    };
    const bare = { ...asked, deployment: deploymentOf({ document, requests: { standard: { path: '/' } } }) };
    const [found] = said(documentFindings(bare, seen(first('A', 'standard'))));
    expect(found).toMatch(
      /^note headers: answers carry X-RateLimit-Limit, X-RateLimit-Remaining.*, of which the document promises nothing/,
    );
    const without = first('A', 'standard', { limit: null, remaining: null, reset: null });
    expect(said(documentFindings(bare, seen(without))).join()).not.toContain('headers');
  });

  it('lack headers, or name another limit', () => {
    expect(of(first('A', 'media', { reset: null }))[0]).toContain(
      'missing on some answers: X-RateLimit-Reset',
    );
    expect(of(first('A', 'media', { limit: '40' }))[0]).toContain(
      'X-RateLimit-Limit is 40 at media, documented is 30',
    );
  });

  it('are errors of another shape', () => {
    expect(of(documented, { ...other, body: '<!doctype html>' })[1]).toContain(
      'answered 404: the body is HTML',
    );
    expect(of(documented, { ...other, body: '{"error":"no"}' })[1]).toContain('it is other JSON than');
  });

  it('are no errors where they should be', () => {
    const [, found] = of(documented, { ...other, status: 200, outcome: 'admitted' });
    expect(found).toMatch(/^bad otherError: .* answered 200, and has to get an error/);
    const open = admitted(0, 5, { purpose: 'without-key', credential: 'absent', key: null });
    expect(of(documented, open)[1]).toMatch(/^note no key: .* answered 200 without a key/);
  });

  it('tell how far the clocks are apart', () => {
    const wallSentMs = Date.parse('2026-01-02T03:04:05.900Z');
    const dated = (date: string) =>
      of({ ...documented, date, wallSentMs, wallReceivedMs: wallSentMs + 20 }).at(-1);
    expect(dated('Fri, 02 Jan 2026 03:04:05 GMT')).toBe('good clock: −0.92 to +0.10 s from ours, by Date');
    expect(dated('Fri, 02 Jan 2026 03:04:35 GMT')).toContain(
      'bad clock: +29.08 to +30.10 s from ours, by Date: beyond clockSkewSecondsMax (5)',
    );
  });
});

describe('the way', () => {
  const connected = {
    node: 0,
    url: 'https://api.example.test',
    http: '1.1',
    tls: { version: 'TLSv1.3', issuer: 'an authority' },
    address: '127.0.0.1 port 9',
    proxy: null,
  } as const;

  it('is told of each node', () => {
    const two = { baseUrls: ['http://127.0.0.1:9', 'http://127.0.0.1:10', 'http://127.0.0.1:11'] };
    const exchanges = [
      admitted(0, 5),
      indeterminate(7, { node: 1, failure: 'connection refused (ECONNREFUSED)' }),
    ];
    const findings = said(reachFindings(deploymentOf(two), { ...none, exchanges, connections: [connected] }));
    expect(findings).toEqual([
      'good node 1: HTTP/1.1, TLSv1.3, signed by "an authority", at 127.0.0.1 port 9; answers in 5.0 ms',
      expect.stringContaining(
        'bad node 2: POST http://127.0.0.1:10/v1/media: connection refused (ECONNREFUSED). Check',
      ),
      'bad node 3: no connection to http://127.0.0.1:11: check the address and whether it is running',
    ]);
  });

  it('is the same for k6, or it is said how it differs', () => {
    const k6 = { path: '/k6', version: '2.2.0', source: 'cache' } as const;
    expect(said(k6Findings({ kind: 'found', k6, exchanges: [admitted(0, 5)], reason: null }))).toEqual([
      'good k6: v2.2.0 (cache) gets there too; answers in 5.0 ms',
    ]);
    const failure = 'x509: certificate signed by unknown authority';
    const failed = { kind: 'found', k6, exchanges: [indeterminate(0, { failure })], reason: null } as const;
    expect(said(k6Findings(failed))).toEqual([`bad k6: v2.2.0 (cache) does not get there: ${failure}`]);
    expect(
      said(k6Findings({ kind: 'missing', reason: 'no Go', howTo: ['install it', 'set K6_BIN'] })),
    ).toEqual(['bad k6: none: no Go. To get it: install it; or set K6_BIN']);
    expect(k6Findings({ kind: 'not-wanted' })).toEqual([]);
  });

  it('has marks of what is in between', () => {
    const answers = [
      { 'content-type': 'application/json' },
      { server: 'cloudflare', 'cf-ray': '1', 'set-cookie': ['id=1', '__cf_bm=x'] },
      { via: '1.1 varnish', age: '0' },
    ];
    expect(layersIn(answers)).toEqual([
      { whose: 'Cloudflare', headers: ['cf-ray', 'server', 'set-cookie'] },
      { whose: 'a cache', headers: ['age'] },
      { whose: 'a proxy (by its Via header)', headers: ['via'] },
    ]);
    expect(layersIn([{ server: 'my-api', 'set-cookie': 'session=__cf_bm=1' }])).toEqual([]);
    const [told] = said(layerFindings({ ...none, headers: answers }));
    expect(told).toContain('note in between: Cloudflare (cf-ray, server, set-cookie), a cache (age)');
  });
});

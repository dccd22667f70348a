import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import { quoted, reportOf, violatedWith } from '../testing/fixtures.ts';
import { repetitionOf, showsText } from './repetition.ts';

const deployment = deploymentSchema.parse({
  baseUrls: ['https://api.example.test/base/'],
  keyEnv: ['KEY_A', 'KEY_B'],
  requests: {
    standard: { path: '/v1/status', headers: { 'X-Tenant': "o'hara; rm -rf /" } },
    messages: { method: 'POST', path: '/v1/messages', body: { json: { body: "it's" } } },
    media: { method: 'POST', path: '/v1/media', body: { file: { bytes: 7 } } },
  },
});

const commandsFor = (id: string, exchange: Parameters<typeof quoted>[0], baseUrls = deployment.baseUrls) => {
  const evidence = { [id]: violatedWith([quoted(exchange)]) };
  const report = reportOf(evidence, { deployment: { ...deployment, baseUrls } });
  const found = repetitionOf(report.clauses.find((clause) => clause.id === id)!, report);
  return found?.kind === 'commands' ? found.lines : null;
};

/** The words of a command line as a shell takes them. */
const words = (line: string) =>
  execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${line}`], {
    env: { KEY_A: 'secret' },
    encoding: 'utf8',
  })
    .trimEnd()
    .split('\n');

describe('commands that repeat a violation', () => {
  it('are not given where a limit of another kind lets as much pass at times', () => {
    const found = (promise: 'rolling' | 'fixed' | 'token-bucket') => {
      const media = { title: 'media', limit: 30, promise };
      const document = { ...deployment.document, scopes: { ...deployment.document.scopes, media } };
      const evidence = {
        'limits.media': { ...violatedWith([quoted({ scope: 'media' })]), reason: 'over-admission' },
      };
      const report = reportOf(evidence, { deployment: { ...deployment, document } });
      return repetitionOf(report.clauses.find(({ id }) => id === 'limits.media')!, report)?.kind;
    };
    expect([found('rolling'), found('fixed'), found('token-bucket')]).toEqual(['commands', 'none', 'none']);
  });

  it.each([
    [
      4,
      'the flaw in the answer that is printed last, though not each time: the run saw it in 4 of 772 refusals at media',
    ],
    [386, 'the flaw in the answer that is printed last'],
  ])('say so where few refusals have the flaw: %i of 772', (exchangesTotal, text) => {
    const violation = violatedWith([quoted({ scope: 'media' })]);
    if (violation.kind !== 'violated') throw new Error('it is violated');
    const evidence = { ...violation.evidence, exchangesTotal };
    const violated = { 'error.code': { ...violation, evidence } };
    const report = reportOf(violated, { deployment });
    const group = (scope: string, limited: number) => ({ scope, limited }) as (typeof report.groups)[number];
    const groups = [group('media', 700), group('media', 72), group('standard', 90)];
    const found = repetitionOf(report.clauses.find(({ id }) => id === 'error.code')!, { ...report, groups });
    expect(found?.kind === 'commands' && showsText(found.shows)).toBe(text);
  });

  it('fill one window with both keys where the document counts them together', () => {
    const found = (promise: 'rolling' | 'fixed') => {
      const document = {
        ...deployment.document,
        countedBy: 'account' as const,
        scopes: { media: { title: 'media', limit: 30, promise } },
      };
      const evidence = {
        'limits.media': { ...violatedWith([quoted({ scope: 'media' })]), reason: 'counted-apart' },
      };
      const report = reportOf(evidence, { deployment: { ...deployment, document } });
      const clause = report.clauses.find(({ id }) => id === 'limits.media')!;
      return repetitionOf({ ...clause, id: 'limits.shared' }, report);
    };
    const commands = found('rolling');
    expect(commands).toMatchObject({ shows: { kind: 'admitted', relation: 'more', than: 30 } });
    const lines = commands?.kind === 'commands' ? commands.lines.split('\n') : [];
    expect(lines.map((line) => /\$KEY_\w/.exec(line)?.[0])).toEqual(['$KEY_A', '$KEY_B']);
    expect(lines.map((line) => /#\[(.*)\]/.exec(line)?.[1])).toEqual(['1-30', '1-30']);
    expect(found('fixed')?.kind).toBe('none');
  });

  it('send one request again, with its headers, and name the key by its variable', () => {
    const line = commandsFor('headers.present', { status: 200 })!;
    expect(line).not.toContain('\n');
    expect(line).toContain('$KEY_A');
    expect(words(line)).toEqual([
      '-i',
      '-H',
      'Authorization: Bearer secret',
      '-H',
      "X-Tenant: o'hara; rm -rf /",
      'https://api.example.test/base/v1/status',
    ]);
  });

  it.each([
    [{ header: 'X-Api-Key' }, { key: 'A' }, 'X-Api-Key: secret'],
    [{ header: 'Authorization', scheme: 'Token' }, { key: 'A' }, 'Authorization: Token secret'],
    [{ header: 'X-Api-Key' }, { key: null, credential: 'unknown' }, 'X-Api-Key: unknown-key'],
    [{ header: 'X-Api-Key' }, { key: null, credential: 'malformed' }, 'X-Api-Key;'],
    [
      { header: 'Authorization', scheme: 'Token' },
      { key: null, credential: 'malformed' },
      'Authorization: Token',
    ],
  ] as const)('put the key where the document has it: %j, %j', (keys, sent, field) => {
    const evidence = { 'headers.present': violatedWith([quoted({ status: 200, ...sent })]) };
    const document = { ...deployment.document, keys };
    const report = reportOf(evidence, { deployment: { ...deployment, document } });
    const found = repetitionOf(report.clauses.find(({ id }) => id === 'headers.present')!, report);
    expect(words(found?.kind === 'commands' ? found.lines : '').slice(0, 3)).toEqual(['-i', '-H', field]);
  });

  it.each([
    ['standard', 'GET', { key: 'A' }, ['-i', '-G', '--data-urlencode', 'api_key=secret']],
    [
      'standard',
      'GET',
      { key: null, credential: 'unknown' },
      ['-i', '-G', '--data-urlencode', 'api_key=unknown-key'],
    ],
    ['standard', 'GET', { key: null, credential: 'malformed' }, ['-i', '-G', '--data-urlencode', 'api_key=']],
    // -G would send the body as a query.
    ['messages', 'POST', { key: 'A' }, ['-i', '--url-query', 'api_key=secret']],
    ['media', 'POST', { key: 'A' }, ['-i', '--url-query', 'api_key=secret']],
  ] as const)('encode a key in the query: %s, %s, %j', (scope, method, sent, expected) => {
    const exchange = {
      scope,
      method,
      path: `/v1/${scope === 'standard' ? 'status' : scope}`,
      status: 200,
      ...sent,
    };
    const evidence = { 'headers.present': violatedWith([quoted(exchange)]) };
    const document = { ...deployment.document, keys: { query: 'api_key' } };
    const report = reportOf(evidence, { deployment: { ...deployment, document } });
    const found = repetitionOf(report.clauses.find(({ id }) => id === 'headers.present')!, report);
    const lines = found?.kind === 'commands' ? found.lines.split('\n') : [];
    expect(words(lines.at(-1) ?? '').slice(0, expected.length)).toEqual(expected);
  });

  it('send no key where the run sent none', () => {
    const evidence = { 'headers.present': violatedWith([quoted({ status: 200 })]) };
    const document = { ...deployment.document, keys: 'none', countedBy: 'address' } as const;
    const report = reportOf(evidence, { deployment: { ...deployment, document, keyEnv: [] } });
    const found = repetitionOf(report.clauses.find(({ id }) => id === 'headers.present')!, report);
    const [, , field] = words(found?.kind === 'commands' ? found.lines : '');
    expect(field).toBe("X-Tenant: o'hara; rm -rf /");
  });

  it('send no key to a scope whose requests carry none', () => {
    const evidence = { 'headers.present': violatedWith([quoted({ status: 200 })]) };
    const { scope } = quoted({ status: 200 });
    const fieldIn = (keyless: string) => {
      const named = { ...deployment.document.scopes[keyless]!, countedBy: 'address', keys: 'none' } as const;
      const scopes = { ...deployment.document.scopes, [keyless]: named };
      const document = { ...deployment.document, scopes };
      const report = reportOf(evidence, { deployment: { ...deployment, document } });
      const found = repetitionOf(report.clauses.find(({ id }) => id === 'headers.present')!, report);
      return found?.kind === 'commands' && found.lines.includes('Authorization');
    };
    const other = Object.keys(deployment.document.scopes).find((one) => one !== scope)!;
    expect([scope, other].map(fieldIn)).toEqual([false, true]);
  });

  it('go the way that the run took', () => {
    const transport = {
      ca: 'our ca.pem',
      clientCert: 'me.pem',
      clientKey: 'me.key',
      http: '2',
      resolve: ['api.example.test:443:[::1]'],
    } as const;
    const evidence = { 'headers.present': violatedWith([quoted({ status: 200 })]) };
    const way = { ...transport, resolve: [...transport.resolve] };
    const report = reportOf(evidence, { deployment: { ...deployment, transport: way } });
    const found = repetitionOf(report.clauses.find(({ id }) => id === 'headers.present')!, report);
    const line = found?.kind === 'commands' ? found.lines : '';
    expect(words(line).slice(5, -1)).toEqual([
      ...['--cacert', 'our ca.pem', '--cert', 'me.pem', '--key', 'me.key'],
      ...['--http2', '--resolve', 'api.example.test:443:[::1]'],
    ]);
  });

  it('fill the window first where the evidence is a 429, with the body that the settings give', () => {
    const lines = commandsFor('error.code', { method: 'POST', path: '/v1/messages', scope: 'messages' })!;
    const [fill = '', once = ''] = lines.split('\n');
    expect(fill).toContain("'https://api.example.test/base/v1/messages#[1-304]'");
    expect(words(once)).toContain(JSON.stringify({ body: "it's" }));
    expect(words(once)).not.toContain('-X');
  });

  it('make the file that an upload needs, and come back within the window where the breach took its time', () => {
    const lines = commandsFor('window.length', { method: 'POST', path: '/v1/media', scope: 'media' })!;
    expect(lines.split('\n').map((line) => line.split(' ')[0])).toEqual(['head', 'seq', 'sleep', 'seq']);
    expect(lines).toContain('\nsleep 30\n');
    expect(lines).toContain('head -c 7 /dev/zero > probe.bin');
  });

  it('share what fills a window out to the nodes, whose limit is one', () => {
    const baseUrls = ['http://127.0.0.1:8301', 'http://127.0.0.1:8302/', "http://127.0.0.1:8303/it's"];
    const uploads = commandsFor(
      'load.nodes',
      { method: 'POST', path: '/v1/media', scope: 'media' },
      baseUrls,
    )!;
    const [, fillWithFiles = ''] = uploads.split('\n');
    expect(fillWithFiles).toContain('seq 12 | xargs -P 50 -I NTH curl');
    const messages = { method: 'POST', path: '/v1/messages', scope: 'messages' };
    const [fill = ''] = commandsFor('load.nodes', messages, baseUrls)!.split('\n');
    const sent = words(fill.replace(' | sort | uniq -c', ''));
    expect(sent.filter((word) => word.startsWith('http:'))).toEqual([
      'http://127.0.0.1:8301/v1/messages#[1-102]',
      'http://127.0.0.1:8302/v1/messages#[1-102]',
      "http://127.0.0.1:8303/it's/v1/messages#[1-102]",
    ]);
  });

  it('number uploads without a change to what they send', () => {
    const deploymentUrls = ['http://127.0.0.1:8301/NTHS'];
    const uploads = commandsFor(
      'load.nodes',
      { method: 'POST', path: '/v1/media', scope: 'media' },
      deploymentUrls,
    );
    expect(uploads).toContain('-I NTHH curl');
    expect(uploads).toContain('http://127.0.0.1:8301/NTHS/v1/media');
  });

  it('keep what is special to curl or to a shell out of the URL', () => {
    const line = commandsFor('auth.bearer', { path: "/v1/[1-9]{a,b}?x='$(id)'", key: null, status: 200 })!;
    // Nothing stands where the header with the key would.
    expect(line).toMatch(/^curl -i \S/);
    expect(line).not.toContain('Authorization');
    expect(words(line).at(-1)).toBe("https://api.example.test/base/v1/%5B1-9%5D%7Ba,b%7D?x='$(id)'");
  });

  it('leave the brackets of an address by IPv6 as curl wants them', () => {
    const line = commandsFor('auth.bearer', { path: '/v1/[a]', key: null, status: 200 }, [
      'http://[::1]:8123/{x}',
    ])!;
    expect(words(line).at(-1)).toBe('http://[::1]:8123/%7Bx%7D/v1/%5Ba%5D');
  });

  it('say of a path below whichever status it passes by', () => {
    const path = '/v1/messages/m1';
    const below = { method: 'GET' as const, path, headers: {}, answered: 404 };
    const requests = { ...deployment.requests, messagesSubpath: below };
    const evidence = {
      'limits.messages-subpaths': {
        ...violatedWith([quoted({ method: 'GET', path })]),
        reason: 'counted-apart',
      },
    };
    const report = reportOf(evidence, { deployment: { ...deployment, requests } });
    const found = repetitionOf(report.clauses.find(({ id }) => id === 'limits.messages-subpaths')!, report);
    expect(found).toMatchObject({ kind: 'commands', shows: { kind: 'status', statuses: ['2xx', 404] } });
  });

  it('are none where no exchange was quoted, or nothing is violated', () => {
    const report = reportOf({ 'error.code': violatedWith([]) });
    const commands = report.clauses.map((clause) => repetitionOf(clause, report));
    expect(commands.every((one) => one === null)).toBe(true);
  });
});

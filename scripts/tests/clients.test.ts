import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, getGlobalDispatcher, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { pacedOptionsOf } from '../../backoff/paced/document-options.ts';
import { paced } from '../../backoff/paced/paced.ts';
import { documentSchema } from '../../contract/document/document.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';

const examples = join(import.meta.dirname, '..', '..', 'documents', 'examples');
const env = { FIRST: 'a-key-with-limits', SECOND: 'a-key-of-refusals' };
const limits = ['--window', '2', '--limit', 'messages=4'];
const ends = ['--refuse-for', '2', '--idle', '5', '--jobs', '9'];
const args = ['clients', '--port', '0', '--key-env', 'FIRST,SECOND', ...limits, ...ends, '--json'];

const runsIn = (cwd: string): string => join(cwd, 'runs');

/** Sends one message until it is done with it. */
type Send = (url: string, key: string, n: number) => Promise<void>;

const message = (url: string, key: string, n: number, dispatcher: Dispatcher = getGlobalDispatcher()) =>
  request(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `${key}-${n}`,
    },
    body: JSON.stringify({ recipient: '15550002000', type: 'text', body: `message ${n}` }),
    dispatcher,
  });

/** Retries until it is admitted, after this wait. */
const retrying =
  (waitMs: (askedMs: number) => number): Send =>
  async (url, key, n) => {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const answer = await message(url, key, n);
      const body = (await answer.body.json()) as { error?: { retry_after_seconds: number } };
      if (body.error === undefined) return;
      await sleep(waitMs(body.error.retry_after_seconds * 1_000));
    }
  };

type Report = {
  readonly outcome: string;
  readonly requests: number;
  readonly clauses: readonly { readonly id: string; readonly verdict: { readonly kind: string } }[];
};

async function proved(send: Send, line = args) {
  const cwd = await temporaryFolder();
  let sending: Promise<unknown> | null = null;
  const { code, stdout, stderr } = await inProcess(line, cwd, {
    env,
    onOutput: (text) => {
      const url = /proving ground on (\S+)\n/.exec(text)?.[1];
      if (url === undefined || sending !== null) return;
      const first = Array.from({ length: 9 }, (_, n) => send(url, env.FIRST, n));
      const seconds = line.includes('FIRST,SECOND') ? 4 : 0;
      const second = Array.from({ length: seconds }, (_, n) => send(url, env.SECOND, n));
      sending = Promise.all([...first, ...second]);
    },
  });
  await sending;
  const report = JSON.parse(line.includes('--json') ? stdout : '{}') as Report;
  const kindOf = (id: string) => report.clauses.find((clause) => clause.id === id)?.verdict.kind;
  return { cwd, code, stdout, stderr, report, kindOf };
}

describe('conformance clients', () => {
  it.concurrent('finds a client that retries too early, and finds the same in its trace', async () => {
    const { cwd, code, stdout, report, kindOf } = await proved(retrying((askedMs) => askedMs / 2));
    expect(code).toBe(1);
    expect(report.outcome).toBe('not-conformant');
    expect(kindOf('client.waits')).toBe('violated');
    expect(kindOf('client.loses-nothing')).toBe('held');
    const run = join(runsIn(cwd), (await readdir(runsIn(cwd)))[0] ?? '');
    expect(await readFile(join(run, 'report.json'), 'utf8')).toBe(stdout);
    expect(await readFile(join(run, 'trace.ndjson'), 'utf8')).not.toMatch(/a-key-/);
    const again = await inProcess(['judge', run, '--json'], cwd);
    expect(again).toMatchObject({ code: 1, stdout });
    const shown = await inProcess(['judge', run], cwd);
    expect(shown.stdout).toContain('client.waits: The client retries before retry_after_seconds are over');
    expect(shown.stdout).toMatch(/NOT CONFORMANT: 0 of 1 clause held/);
  });

  it.concurrent('lets the client of this project pass, without a refusal where the limits are the documented ones', async () => {
    const dispatcher = new Agent().compose(paced({ scopes: { messages: { limit: 4 } }, windowSeconds: 2 }));
    const { code, report, kindOf } = await proved(async (url, key, n) => {
      await (await message(url, key, n, dispatcher)).body.dump();
    });
    await dispatcher.destroy();
    expect(code).toBe(0);
    expect(kindOf('client.waits')).toBe('held');
    expect(kindOf('client.loses-nothing')).toBe('held');
    const refusals = report.clauses.find(({ id }) => id === 'client.refusals')?.verdict;
    expect(refusals).toMatchObject({ value: 'messages 0 for 9 admitted (0.0 per 100)' });
  });

  it.concurrent('says of a client that was never refused, with the one key that it has, that it kept to the document', async () => {
    const dispatcher = new Agent().compose(paced({ scopes: { messages: { limit: 4 } }, windowSeconds: 2 }));
    const paces: Send = async (url, key, n) => {
      await (await message(url, key, n, dispatcher)).body.dump();
    };
    const oneKey = args.map((arg) => (arg === 'FIRST,SECOND' ? 'FIRST' : arg));
    const { cwd, code, report } = await proved(paces, oneKey);
    await dispatcher.destroy();
    expect([code, report.outcome]).toEqual([0, 'conformant']);
    const shown = await inProcess(['judge', join(runsIn(cwd), (await readdir(runsIn(cwd)))[0] ?? '')], cwd);
    expect(shown.stdout).toContain('kept; never refused (9 requests)');
    expect(shown.stdout).toMatch(/^KEPT; NEVER REFUSED: 1 of 1 clause held/m);
  });

  it.concurrent('serves a document, and its client that keeps a bucket and a window at once is never refused', async () => {
    const document = {
      ...{ version: 1, title: 'items', windowSeconds: 4, headers: 'none', errors: 'none' },
      refusal: { status: 429, retryAfter: 'seconds' },
      scopes: {
        items: {
          title: '/items',
          limit: 6,
          promise: { kind: 'token-bucket', size: 4 },
          also: [{ limit: 5, windowSeconds: 1, promise: 'fixed' }],
          paths: ['/items'],
        },
      },
    };
    const file = join(await temporaryFolder(), 'items.json');
    await writeFile(file, JSON.stringify(document));
    const options = pacedOptionsOf(documentSchema.parse(document));
    const dispatcher = new Agent().compose(paced(options));
    const sends: Send = async (url, key, n) => {
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': `${key}-${n}` };
      await (await request(`${url}/items`, { method: 'POST', headers, dispatcher })).body.dump();
    };
    const line = ['clients', '--port', '0', '--key-env', 'FIRST', '--idle', '5', '--jobs', '9', '--json'];
    const { code, stdout } = await proved(sends, [...line, '--document', file]);
    await dispatcher.destroy();
    expect(code).toBe(0);
    expect(stdout).toContain('items 0 for 9 admitted');
    // Four are there at once, and the other five come back at 1.5 a second.
    const [measure] = (JSON.parse(stdout) as { measures: { makespanMsLeast: number }[] }).measures;
    expect(measure?.makespanMsLeast).toBeCloseTo(3_333, 0);
  });

  it.concurrent('counts what lies within another scope with that one, as its client does', async () => {
    const document = {
      ...{ version: 1, title: 'app', windowSeconds: 2 },
      scopes: {
        login: { title: '/login', limit: 2, paths: ['/login'], within: 'everything' },
        everything: { title: 'all requests', limit: 4, request: { method: 'POST', path: '/me' } },
      },
    };
    const file = join(await temporaryFolder(), 'app.json');
    await writeFile(file, JSON.stringify(document));
    const dispatcher = new Agent().compose(paced(pacedOptionsOf(documentSchema.parse(document))));
    const sends: Send = async (url, key, n) => {
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': `${key}-${n}` };
      const path = n % 3 === 0 ? '/login' : '/me';
      await (await request(`${url}${path}`, { method: 'POST', headers, dispatcher })).body.dump();
    };
    const line = ['clients', '--port', '0', '--key-env', 'FIRST', '--idle', '5', '--jobs', '9', '--json'];
    const { code, stdout } = await proved(sends, [...line, '--document', file]);
    await dispatcher.destroy();
    expect(code).toBe(0);
    expect(stdout).toContain('login 0 for 3 admitted (0.0 per 100); everything 0 for 9 admitted');
    // Nine take three windows of four.
    const { measures } = JSON.parse(stdout) as { measures: { makespanMsLeast: number }[] };
    expect(measures.map((one) => one.makespanMsLeast)).toEqual([2_000, 4_000]);
  });

  it.concurrent('ends where all that came had a wrong key, and says so', async () => {
    const line = ['clients', '--port', '0', '--key-env', 'FIRST', '--window', '2', '--idle', '0.5'];
    const send: Send = async (url) => {
      await (await fetch(`${url}/v1/status`, { headers: { authorization: 'Bearer wrong' } })).body?.cancel();
    };
    const { code, stdout } = await proved(send, line);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /no request came with one of the keys: \d+ requests came without and were answered 401\./,
    );
    expect(code).toBe(3);
  });

  it.concurrent('serves any path of a document that names none', async () => {
    const document = {
      ...{ version: 1, title: 'any', windowSeconds: 2 },
      scopes: { all: { title: 'all', limit: 30 } },
    };
    const file = join(await temporaryFolder(), 'any.json');
    await writeFile(file, JSON.stringify(document));
    const sends: Send = async (url, key, n) => {
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': `${key}-${n}` };
      await (await fetch(`${url}/of/${n}`, { method: 'POST', headers })).body?.cancel();
    };
    const line = ['clients', '--port', '0', '--key-env', 'FIRST', '--idle', '0.5', '--document', file];
    const { code, stdout } = await proved(sends, line);
    expect(stdout).toContain('all 30 in 2 s');
    expect(stdout).not.toContain('Key  ');
    expect([code, stdout]).toEqual([0, expect.stringContaining('kept; never refused')]);
  });

  it('says that no request came, without a verdict on anything', async () => {
    const cwd = await temporaryFolder();
    const { code, stdout } = await inProcess(['clients', '--port', '0', '--for', '0.2'], cwd);
    expect(stdout).toContain('no request came with one of the keys');
    expect(stdout).not.toContain('client.jitter');
    expect(code).toBe(3);
  });

  it.each([
    [['--key-env', 'FIRST,SECOND,THIRD'], 'there are two keys at most'],
    [['--limit', 'medias=5'], 'did you mean media?'],
    [['--document', join(examples, 'by-address.yaml')], 'two keys are told apart here'],
  ])('%s is refused with a sentence', async (flags, sentence) => {
    const cwd = await temporaryFolder();
    const { code, stderr } = await inProcess(['clients', '--port', '0', ...flags], cwd, { env });
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
    await expect(readdir(runsIn(cwd))).rejects.toThrow('ENOENT');
  });

  it('says when its port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = String(typeof address === 'object' ? address?.port : 0);
    const { code, stderr } = await inProcess(['clients', '--port', port], await temporaryFolder());
    server.close();
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use`);
    expect(code).toBe(2);
  });
});

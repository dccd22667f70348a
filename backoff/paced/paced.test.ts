import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { Agent, type Dispatcher, request, fetch as undiciFetch } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { documentSchema } from '../../contract/document/document.ts';
import { pacedOptionsOf } from './document-options.ts';
import type { PacedOptions } from './options.ts';
import { documentedScopes, paced } from './paced.ts';
import { scopeOf } from './scopes.ts';
import { type Answer, refusal, serve } from './testing/answering-server.ts';

function client(options: Partial<PacedOptions> = {}) {
  const pace = paced({ scopes: { all: { limit: 5 } }, windowSeconds: 0.4, ...options });
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  return { pace, dispatcher: agent.compose(pace) as Dispatcher };
}

it.each([[undefined], [{}], ['http://127.0.0.1']])('paced goes over no %j', (other) => {
  const { over } = paced({ scopes: { all: { limit: 1 } } });
  expect(() => over(other as never)).toThrow('over takes a dispatcher of undici: paced(…).over(new Agent())');
});

describe('paced, over sockets', () => {
  it('sends no more than the limit in a window, in order, and all in the end', async () => {
    const { url, seen } = await serve([]);
    const { dispatcher } = client();
    const numbers = Array.from({ length: 12 }, (_, n) => n);
    await Promise.all(
      numbers.map((n) => request(`${url}/${n}`, { dispatcher }).then(({ body }) => body.dump())),
    );
    expect(seen.map(({ path }) => path).toSorted()).toEqual(numbers.map((n) => `/${n}`).toSorted());
    const atMs = seen.map((one) => one.atMs).toSorted((a, b) => a - b);
    // The sixth waits for the first, and so on; the server sees each a little later than it was sent.
    for (let at = 5; at < atMs.length; at += 1) expect(atMs[at]! - atMs[at - 5]!).toBeGreaterThan(395);
  });

  it.each([
    ['Node’s fetch', (url: string, init: object) => fetch(url, init as RequestInit)],
    ['undici’s fetch', (url: string, init: object) => undiciFetch(url, init)],
  ])('retries a POST of %s after a 429 with the same body, no earlier than it asks', async (_name, send) => {
    const { url, seen } = await serve([refusal(1)]);
    const { dispatcher } = client();
    const answer = await send(url, { method: 'POST', body: '{"to":1}', dispatcher });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('fine');
    expect(seen.map(({ method, body }) => [method, body])).toEqual([
      ['POST', '{"to":1}'],
      ['POST', '{"to":1}'],
    ]);
    expect(seen[1]!.atMs - seen[0]!.atMs).toBeGreaterThanOrEqual(999);
  });

  it('waits where a refusal of another status asks for it in a field of its own', async () => {
    const { url, seen } = await serve([{ status: 503, body: '{"error":{},"wait":1}' }]);
    const { dispatcher } = client({ limitedStatuses: [503], retryAfterPointer: '/wait' });
    expect((await request(url, { dispatcher })).statusCode).toBe(200);
    expect(seen[1]!.atMs - seen[0]!.atMs).toBeGreaterThanOrEqual(999);
  });

  it('leaves to others what headers of any name say that they took', async () => {
    const one = { title: 'a', limit: 5, windowSeconds: 1 };
    const headers = { remaining: 'Quota-Left', reset: { name: 'Quota-Reset', unit: 'ms' } };
    const document = { version: 1, title: 'a', windowSeconds: 60, headers, scopes: { one } };
    const left = (places: number): Answer => ({
      status: 200,
      headers: { 'quota-left': String(places), 'quota-reset': '900' },
    });
    const { url, seen } = await serve([left(1), left(0)]);
    const { dispatcher } = client(pacedOptionsOf(documentSchema.parse(document)));
    await Promise.all(
      Array.from({ length: 3 }, () => request(url, { dispatcher }).then(({ body }) => body.dump())),
    );
    expect(seen[1]!.atMs - seen[0]!.atMs).toBeLessThan(800);
    expect(seen[2]!.atMs - seen[1]!.atMs).toBeGreaterThan(850);
  });

  it('sends what a bucket holds at once, and then one after another', async () => {
    const { url, seen } = await serve([]);
    const { dispatcher } = client({
      scopes: { all: { limit: 4, windowSeconds: 0.8, kind: 'token-bucket', learnFromHeaders: false } },
    });
    await Promise.all(
      Array.from({ length: 6 }, () => request(url, { dispatcher }).then(({ body }) => body.dump())),
    );
    const atMs = seen.map((one) => one.atMs);
    // A place comes back each 0.2 s, from the first answer on.
    expect(atMs[4]! - atMs[0]!).toBeGreaterThan(199);
    expect(atMs[5]! - atMs[0]!).toBeGreaterThan(399);
  });

  it('waits as the header of a document asks, by its name and its unit', async () => {
    const document = documentSchema.parse({
      ...{ version: 1, title: 'a', windowSeconds: 60, headers: 'none', errors: 'none' },
      refusal: { status: 429, retryAfter: { name: 'retry-after-ms', as: 'ms' } },
      scopes: { one: { title: 'a', limit: 5 } },
    });
    const { url, seen } = await serve([
      { status: 429, headers: { 'retry-after-ms': '300', 'retry-after': '9' } },
    ]);
    const { dispatcher } = client(pacedOptionsOf(document));
    expect((await request(url, { dispatcher })).statusCode).toBe(200);
    expect(seen[1]!.atMs - seen[0]!.atMs).toBeGreaterThanOrEqual(299);
    expect(seen[1]!.atMs - seen[0]!.atMs).toBeLessThan(8_000);
  });

  it('waits for milliseconds where a refusal is said to ask for these', async () => {
    const { url, seen } = await serve([{ status: 429, body: '{"error":{},"wait":300}' }]);
    const { dispatcher } = client({ retryAfterPointer: '/wait', retryAfterUnit: 'ms' });
    expect((await request(url, { dispatcher })).statusCode).toBe(200);
    expect(seen[1]!.atMs - seen[0]!.atMs).toBeGreaterThanOrEqual(299);
  });

  it('keeps each limit of a scope, by what requests cost', async () => {
    const { url, seen } = await serve([]);
    const cost = ({ path }: { readonly path: string }) => (path === '/dear' ? 3 : 1);
    const also = [{ limit: 3, windowSeconds: 0.2 }];
    const { dispatcher } = client({ scopes: { all: { limit: 7, windowSeconds: 0.6, also, cost } } });
    const paths = ['/dear', '/dear', '/1', '/2'];
    await Promise.all(
      paths.map((path) => request(`${url}${path}`, { dispatcher }).then(({ body }) => body.dump())),
    );
    expect(seen.map(({ path }) => path)).toEqual(paths);
    const atMs = seen.map((one) => one.atMs);
    // Three in 0.2 s: the second dear one waits. Seven in 0.6 s: the last one waits for the first.
    expect(atMs[1]! - atMs[0]!).toBeGreaterThan(195);
    expect(atMs[3]! - atMs[0]!).toBeGreaterThan(595);
  });

  it('keeps a limit that several scopes share, and each of their own', async () => {
    // Answers wait a little, so that what is on its way counts too.
    const { url, seen } = await serve([], (response) => {
      setTimeout(() => response.end('fine'), 30);
      return true;
    });
    const scopes = {
      login: { limit: 2, match: '/login', within: 'all' },
      other: { limit: 3, match: '/other', within: 'all' },
      all: { limit: 4 },
    };
    const { dispatcher } = client({ scopes });
    const paths = ['/login', '/login', '/login', '/other', '/other', '/me', '/me', '/me', '/me', '/me'];
    await Promise.all(
      paths.map((path) => request(`${url}${path}`, { dispatcher }).then(({ body }) => body.dump())),
    );
    expect(seen.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
    const keeps = (limit: number, which: (path: string) => boolean) => {
      const atMs = seen.filter(({ path }) => which(path)).map((one) => one.atMs);
      for (let at = limit; at < atMs.length; at += 1)
        expect(atMs[at]! - atMs[at - limit]!).toBeGreaterThan(395);
    };
    keeps(4, () => true);
    keeps(2, (path) => path === '/login');
  });

  it('honours Retry-After where the body says nothing', async () => {
    const { url, seen } = await serve([{ status: 429, headers: { 'retry-after': '1' } }]);
    const { dispatcher } = client();
    const { statusCode } = await request(url, { dispatcher, method: 'PUT', body: Buffer.from('x') });
    expect(statusCode).toBe(200);
    expect(seen[1]!.atMs - seen[0]!.atMs).toBeGreaterThanOrEqual(999);
  });

  it('waits as a compressed body asks, which fetch has accepted by itself', async () => {
    const { status, headers, body = '' } = refusal(1);
    const { url, seen } = await serve([
      { status, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) },
    ]);
    const { dispatcher } = client();
    expect((await undiciFetch(url, { dispatcher })).status).toBe(200);
    expect(seen[1]!.atMs - seen[0]!.atMs).toBeGreaterThanOrEqual(999);
  });

  it('goes by the head of a refusal whose body does not end', async () => {
    const waits = ['1', '3600'];
    const { url, seen } = await serve([], (response) => {
      const wait = waits.shift();
      if (wait === undefined) return false;
      response.writeHead(429, { 'retry-after': wait }).write('{"er');
      return true;
    });
    const { dispatcher } = client();
    const asked = request(url, { dispatcher });
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    // What it would wait too long for is the caller's, as far as it has come.
    const other = client();
    const passed = await request(url, { dispatcher: other.dispatcher });
    expect(passed.statusCode).toBe(429);
    for await (const chunk of passed.body) {
      expect(String(chunk)).toBe('{"er');
      break;
    }
    const answer = await asked;
    expect(answer.statusCode).toBe(200);
    expect(await answer.body.text()).toBe('fine');
    expect(seen).toHaveLength(3);
    expect(seen[2]!.atMs - seen[0]!.atMs).toBeGreaterThanOrEqual(999);
  });

  it('waits as long as it is told to where a refusal says nothing, and as the refusal says where it does', async () => {
    const answers = [{ status: 429 }, { status: 200 }, { status: 429, headers: { 'retry-after': '1' } }];
    const { url, seen } = await serve(answers);
    // More than five windows: it is not handed to the caller.
    const { dispatcher } = client({ windowSeconds: 0.1, refusalWaitSeconds: 0.6 });
    for (const path of ['/a', '/b'])
      expect((await request(`${url}${path}`, { dispatcher })).statusCode).toBe(200);
    expect(seen.map(({ path }) => path)).toEqual(['/a', '/a', '/b', '/b']);
    expect(seen[1]!.atMs - seen[0]!.atMs).toBeGreaterThanOrEqual(599);
    expect(seen[3]!.atMs - seen[2]!.atMs).toBeGreaterThanOrEqual(999);
  });

  it('waits until the reset that a refusal tells where it is told to', async () => {
    const reset = { 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 1) };
    const answers = [{ status: 429, headers: reset }, { status: 200 }, { status: 429 }];
    const { url, seen } = await serve(answers);
    const { dispatcher } = client({ waitUntilReset: true, refusalWaitSeconds: 0.3 });
    for (const path of ['/a', '/b'])
      expect((await request(`${url}${path}`, { dispatcher })).statusCode).toBe(200);
    expect(seen[1]!.atMs - seen[0]!.atMs).toBeGreaterThanOrEqual(900);
    expect(seen[3]!.atMs - seen[2]!.atMs).toBeGreaterThanOrEqual(299);
  });

  it('sends a long stream once, whole, and hands its 429 to the caller', async () => {
    const { url, seen } = await serve([refusal(0)]);
    const { dispatcher } = client({ replayBytesMax: 10 });
    const answer = await request(url, {
      dispatcher,
      method: 'POST',
      body: Readable.from(['12345678', '90ab', 'cd']),
    });
    expect(answer.statusCode).toBe(429);
    expect(await answer.body.json()).toEqual({ success: false, error: { retry_after_seconds: 0 } });
    expect(seen.map(({ body }) => body)).toEqual(['1234567890abcd']);
  });

  it('hands over a 429 that asks for too much, and one too many', async () => {
    const { url, seen } = await serve([refusal(3_600), refusal(0), refusal(0), refusal(0)]);
    const long = client();
    expect((await request(url, { dispatcher: long.dispatcher })).statusCode).toBe(429);
    const short = client({ attemptsMax: 2 });
    expect((await request(url, { dispatcher: short.dispatcher })).statusCode).toBe(429);
    expect(seen).toHaveLength(3);
  });

  it('can be aborted in the queue, by fetch and by request, and is never sent', async () => {
    const { url, seen } = await serve([]);
    const { dispatcher, pace } = client({ scopes: { all: { limit: 1 } }, windowSeconds: 60 });
    await (await request(`${url}/first`, { dispatcher })).body.dump();
    const aborter = new AbortController();
    const { signal } = aborter;
    const one = undiciFetch(`${url}/fetch`, { dispatcher, signal }).catch((error: unknown) => String(error));
    const two = request(`${url}/request`, { dispatcher, signal }).catch((error: unknown) => String(error));
    while (pace.waiting() < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    aborter.abort(new Error('enough'));
    expect(await one).toContain('enough');
    expect(await two).toContain('enough');
    expect(pace.waiting()).toBe(0);
    expect(seen.map(({ path }) => path)).toEqual(['/first']);
  });

  it('takes a signal that is aborted already, and one that is aborted on the way', async () => {
    const { url, seen } = await serve([], () => true);
    const { dispatcher } = client();
    const signal = AbortSignal.abort(new Error('before'));
    await expect(request(url, { dispatcher, signal })).rejects.toThrow('before');
    expect(seen).toHaveLength(0);
    const aborter = new AbortController();
    const held = request(url, { dispatcher, signal: aborter.signal });
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    aborter.abort(new Error('during'));
    await expect(held).rejects.toThrow('during');
  });

  it('refuses what does not fit into the queue, and says when there is room', async () => {
    const { url } = await serve([]);
    const { dispatcher, pace } = client({ scopes: { all: { limit: 1 } }, windowSeconds: 60, queueMax: 2 });
    await (await request(url, { dispatcher })).body.dump();
    const aborter = new AbortController();
    const waiting = [1, 2].map(() =>
      request(url, { dispatcher, signal: aborter.signal }).catch(() => 'aborted'),
    );
    await expect(request(url, { dispatcher })).rejects.toMatchObject({ code: 'PACED_QUEUE_FULL' });
    let isRoomy = false;
    const room = pace.room().then(() => {
      isRoomy = true;
    });
    await Promise.resolve();
    expect(isRoomy).toBe(false);
    aborter.abort();
    await room;
    expect(await Promise.all(waiting)).toEqual(['aborted', 'aborted']);
  });

  it('gives each key and scope a window of its own, and leaves other origins alone', async () => {
    const { url, seen } = await serve([]);
    const stranger = await serve([]);
    const scopes = { media: { limit: 1, match: '/v1/media' }, rest: { limit: 2 } };
    const { dispatcher } = client({ scopes, windowSeconds: 30, origins: [url] });
    const send = async (base: string, path: string, key: string) =>
      (await request(`${base}${path}`, { dispatcher, headers: { Authorization: key } })).body.dump();
    await Promise.all([
      ...['A', 'B'].flatMap((key) =>
        ['/v1/media', '/v1/mediator', '/v1/x'].map((path) => send(url, path, key)),
      ),
      ...[1, 2, 3].map(() => send(stranger.url, '/v1/media', 'A')),
    ]);
    expect(seen).toHaveLength(6);
    expect(stranger.seen).toHaveLength(3);
  });

  it('lets a request fail as it would without it, and goes on', async () => {
    const { url } = await serve([]);
    const { dispatcher } = client();
    const gone = await serve([]);
    await gone.close();
    await expect(request(gone.url, { dispatcher })).rejects.toThrow();
    const broken = Readable.from(
      (async function* () {
        yield 'a';
        throw new Error('no more');
      })(),
    );
    await expect(request(url, { dispatcher, method: 'POST', body: broken })).rejects.toThrow('no more');
    expect((await request(url, { dispatcher })).statusCode).toBe(200);
  });
});

describe('options', () => {
  const one = { scopes: { all: { limit: 1 } } };

  it.each([
    [{ scopes: {} }, 'scopes is empty'],
    [{ scopes: { all: { limit: 0 } } }, 'scopes.all.limit must be a whole number'],
    [{ scopes: { all: { limit: 1 }, media: { limit: 1, match: '/m' } } }, 'put it last'],
    [{ scopes: { all: { limit: 1 } }, share: 2 }, 'share must be'],
    [
      { scopes: { all: { limit: 5, kind: 'bucket' as 'rolling' } } },
      'scopes.all.kind must be one of rolling, token-bucket, not "bucket"',
    ],
    [
      { scopes: { all: { limit: 5, also: [{ limit: 5, windowSeconds: 1, kind: 'gcra' as 'rolling' }] } } },
      'scopes.all.also[0].kind must be one of',
    ],
    ...['none', 'in', 'login', 'constructor'].map((within): [object, string] => [
      {
        scopes: {
          login: { limit: 2, match: '/login', within },
          in: { limit: 3, match: '/in', within: 'all' },
          all: { limit: 5 },
        },
      },
      `scopes.login.within is ${within}: name another scope, one that lies within none itself.`,
    ]),
    [{ scopes: { all: { limit: 5, cost: 6 } } }, 'scopes.all.cost must be a whole number from 1 to 5'],
    [{ scopes: { all: { limit: 5, also: [{ limit: 0, windowSeconds: 1 }] } } }, 'scopes.all.also[0].limit'],
    [{ scopes: { all: { limit: 5 } }, limitedStatuses: [200] }, 'limitedStatuses must be from 400'],
    [{ scopes: { all: { limit: 1 } }, windowSeconds: 0 }, 'windowSeconds must be'],
    [{ scopes: { all: { limit: 1 } }, windowSeconds: 2_678_400_000_001 }, 'windowSeconds must be'],
    [{ scopes: { all: { limit: 1 } }, refusalWaitSeconds: 0 }, 'refusalWaitSeconds must be'],
    [{ scopes: { all: { limit: 1 } }, origins: ['api'] }, '"api" is no URL'],
    [undefined, 'paced takes its options in one object, with scopes in it'],
    [{}, 'scopes is missing'],
    [{ scopes: [{ limit: 1 }] }, 'scopes must be'],
    [{ scopes: { all: 5 } }, 'scopes.all must be'],
    [{ ...one, windowSecond: 1 }, 'there is no option windowSecond; did you mean windowSeconds?'],
    [{ ...one, toString: 1 }, 'there is no option toString'],
    [JSON.parse('{ "scopes": {}, "__proto__": 1 }'), 'there is no option __proto__'],
    [{ scopes: { all: { limt: 5 } } }, 'scopes.all has no limt; did you mean limit?'],
    [{ scopes: { all: { limit: 5, valueOf: 1 } } }, 'scopes.all has no valueOf'],
    [
      { scopes: { all: { limit: 5, also: [{ limit: 5, windowSeconds: 1, kinds: 'rolling' }] } } },
      'scopes.all.also[0] has no kinds; did you mean kind?',
    ],
    [{ scopes: { all: { limit: 5, also: { limit: 5 } } } }, 'scopes.all.also must be a list'],
    [{ scopes: { all: { limit: '5' } } }, 'a whole number from 1 to 1000000, not "5"'],
    [{ scopes: { all: { limit: 5, match: 'v1' } } }, 'scopes.all.match must be a path, e.g. "/v1"'],
    [{ scopes: { all: { limit: 5, match: 7 } } }, 'scopes.all.match must be'],
    [
      { ...one, retryAfterUnit: 'milliseconds' },
      'retryAfterUnit must be one of whole-seconds, seconds, ms, not "milliseconds"',
    ],
    [
      { ...one, retryAfterPointer: 'retry' },
      'retryAfterPointer must be a JSON pointer, e.g. "/retry", not "retry"',
    ],
    [{ ...one, keyOf: 'x-api-key' }, 'keyOf must be a function'],
    [{ ...one, readHeaders: {} }, 'readHeaders must be a function'],
    [
      { scopes: { all: { limit: 5, readHeaders: 'X-Left' } } },
      'scopes.all.readHeaders must be a function that gives limit, remaining and reset',
    ],
    [{ ...one, learnFromHeaders: 'no' }, 'learnFromHeaders must be true or false, not "no"'],
    [{ ...one, origins: ['https://a.test/v1'] }, 'give https://a.test, and'],
    [{ ...one, origins: ['a.test:80'] }, '"a.test:80" is no URL'],
    [{ ...one, origins: 'https://a.test' }, 'origins must be a list of origins'],
    [{ ...one, limitedStatuses: 429 }, 'limitedStatuses must be a list of statuses, e.g. [429], not 429'],
    [{ ...one, limitedStatuses: [] }, 'limitedStatuses must be a list of statuses'],
    [{ scopes: { all: { limit: 5 } }, share: 0.1 }, 'give a share of at least 0.2'],
    [
      { scopes: { all: { limit: 50, also: [{ limit: 3, windowSeconds: 1 }] } }, share: 0.1 },
      '0.1 of scopes.all.also[0].limit, which is 3, is less than one request',
    ],
  ])('%o is refused with a sentence', (options, message) => {
    expect(() => paced(options as PacedOptions)).toThrow(
      expect.objectContaining({ name: 'PacedSettingsError', message: expect.stringContaining(message) }),
    );
  });

  it('are refused where nobody says where media is uploaded', () => {
    for (const wrong of [undefined, {}, { mediaPath: 'v1/media' }])
      expect(() => documentedScopes(wrong as { mediaPath: string })).toThrow(
        'documentedScopes takes the path where media is uploaded, e.g. { mediaPath: "/v1/media" }.',
      );
  });

  it('names no value that might be a key', () => {
    const wrong = { ...one, keyOf: 'a-secret' } as unknown as PacedOptions;
    expect(() => paced(wrong)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('a-secret') }),
    );
  });

  it('may be left out by name, and an origin may end with a slash', () => {
    const options = {
      ...one,
      origins: ['https://a.test/'],
      share: undefined,
      keyOf: undefined,
      queueMax: undefined,
    };
    expect(paced(options as unknown as PacedOptions).waiting()).toBe(0);
  });
});

it.each([
  ['/v1/media', 'media'],
  ['/v1/media/7?x=1', 'media'],
  ['/v1/messages?limit=1', 'messages'],
  ['/v1/messages/msg_1', 'messages'],
  ['/v1/messagesque', 'standard'],
  ['/v1/status', 'standard'],
])('%s belongs to the documented scope %s', (path, scope) => {
  const request = { method: 'GET', origin: 'https://api.example.test', path };
  expect(scopeOf(documentedScopes({ mediaPath: '/v1/media' }), request)).toBe(scope);
});

it('is a program of its own: what it is bundled into imports nothing but what Node has', async () => {
  const { metafile } = await build({
    entryPoints: [new URL('paced.ts', import.meta.url).pathname],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))).toEqual([
    'node:zlib',
  ]);
});

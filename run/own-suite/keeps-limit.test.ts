import { describe, expect, test } from 'vitest';
import { formatTrace, type Trace } from '../../contract/trace.ts';
import type { Endpoint, ExpectedLimit } from './expected-limit.ts';
import { keepsLimit, type LookOptions } from './keeps-limit.ts';
import { limitTestMs } from './look-times.ts';
import { appWith, fixedWindow, listening, rollingLog } from './testing/small-limiters.ts';
import './vitest.ts';

const promised = { limit: 20, windowSeconds: 1, promise: 'rolling' } as const;
const kept = { limit: 20, windowMs: 1_000 };

describe('a limit of one’s own', { timeout: limitTestMs(1) }, () => {
  test('is kept by a rolling window', async () => {
    await using app = await appWith(rollingLog(kept));
    await expect(app).toKeepLimit(promised);
  });

  test('is broken by a fixed window, and the exchanges that prove it are the message', async () => {
    await using app = await appWith(fixedWindow(kept));
    await expect(keepsLimit(app, promised)).rejects.toMatchObject({
      kind: 'broken',
      message: expect.stringMatching(/^The limit of 20 requests in 1 s is broken\.\n.*\n.*→ 200/s),
    });
    await expect(app).not.toKeepLimit(promised);
  });

  test.each([
    ['lets one more pass', { ...kept, limit: 21 }],
    ['has a window that is too short', { ...kept, windowMs: 700 }],
    ['has a window that is too long', { ...kept, windowMs: 2_400 }],
  ])('is broken by one that %s', async (_, other) => {
    await using app = await appWith(rollingLog(other));
    await expect(keepsLimit(app, promised)).rejects.toMatchObject({ kind: 'broken' });
  });

  test('is broken by one that lets one fewer pass', { timeout: limitTestMs(2) }, async () => {
    await using app = await appWith(rollingLog({ limit: 19, windowMs: 2_000 }));
    const longer = { ...promised, windowSeconds: 2 };
    await expect(keepsLimit(app, longer)).rejects.toMatchObject({ kind: 'broken' });
  });

  test('is broken where nothing is ever refused', async () => {
    await using app = await appWith(() => true);
    await expect(keepsLimit(app, promised)).rejects.toMatchObject({ kind: 'broken' });
  });

  test('is the business of the machine where answers take half a window', async () => {
    const limiter = rollingLog(kept);
    await using app = await listening((_, answer) => {
      answer.statusCode = limiter(performance.now()) ? 200 : 429;
      setTimeout(() => answer.end(), 500);
    });
    await expect(keepsLimit(app, promised, { attempts: 2 })).rejects.toMatchObject({
      kind: 'too-slow',
      message: expect.stringContaining('2 looks proved nothing'),
    });
  });

  test('is not asked about where nothing listens, or the key is refused', async () => {
    await expect(keepsLimit({ url: 'http://127.0.0.1:9/' }, promised)).rejects.toMatchObject({
      kind: 'not-asked',
    });
    await using app = await listening((_, answer) => answer.writeHead(401).end());
    await expect(keepsLimit(app, promised)).rejects.toMatchObject({ kind: 'not-asked' });
  });
});

test('headers are sent as they are, and never written down', { timeout: limitTestMs(1) }, async () => {
  const seen = new Set<string>();
  const limiter = rollingLog(kept);
  await using app = await listening(({ headers: { authorization, 'x-api-key': key } }, answer) => {
    seen.add(`${authorization} ${String(key)}`);
    answer.writeHead(limiter(performance.now()) ? 200 : 429).end();
  });
  const headers = { Authorization: 'Basic secret-one', 'X-API-Key': 'secret-two' };
  const traces: Trace[] = [];
  await keepsLimit({ url: app.url, headers }, promised, { onTrace: (trace) => traces.push(trace) });
  expect([...seen]).toEqual(['Basic secret-one secret-two']);
  expect(traces.map(formatTrace).join('')).not.toMatch(/secret-(?:one|two)/);
});

test('without a key none is made up', { timeout: limitTestMs(1) }, async () => {
  const seen = new Set<string | undefined>();
  const limiter = rollingLog(kept);
  await using app = await listening(({ headers }, answer) => {
    seen.add(headers.authorization);
    answer.writeHead(limiter(performance.now()) ? 200 : 429).end();
  });
  await keepsLimit(app, promised);
  expect([...seen]).toEqual([undefined]);
});

test('a limiter may refuse by another status, which is named where it was not said', {
  timeout: limitTestMs(1),
}, async () => {
  const limiter = rollingLog(kept);
  await using app = await listening((_, answer) => {
    answer.writeHead(limiter(performance.now()) ? 200 : 503).end();
  });
  await expect(keepsLimit(app, promised)).rejects.toMatchObject({
    kind: 'not-asked',
    message: expect.stringMatching(
      /no request was answered 429, and \d+ of \d+ were answered 503\..*status: 503/,
    ),
  });
});

test('a limit by another status is kept', { timeout: limitTestMs(2) }, async () => {
  const limiter = rollingLog({ limit: 20, windowMs: 2_000 });
  await using app = await listening((_, answer) => {
    answer.writeHead(limiter(performance.now()) ? 200 : 503).end();
  });
  await expect(app).toKeepLimit({ ...promised, windowSeconds: 2, status: 503 });
});

test('a limit of logins that fail is kept', { timeout: limitTestMs(2) }, async () => {
  const limiter = rollingLog({ limit: 20, windowMs: 2_000 });
  await using app = await listening((_, answer) => {
    answer.writeHead(limiter(performance.now()) ? 401 : 429).end();
  });
  await expect({ url: app.url, answered: 401 }).toKeepLimit({ ...promised, windowSeconds: 2 });
});

test('an endpoint that cannot be asked is told by its own names', async () => {
  const saying = async (status: number, answered?: number) => {
    await using app = await listening((_, answer) => answer.writeHead(status).end('no'));
    const error = await keepsLimit(
      { url: app.url, ...(answered === undefined ? {} : { answered }) },
      promised,
    ).catch((thrown: unknown) => thrown);
    return error instanceof Error ? error.message : '';
  };
  expect(await saying(500)).toMatch(
    /GET \/items answered 500, and has to be answered 2xx\. Check url, method, headers and json\.$/,
  );
  expect(await saying(401)).toMatch(
    /answered 401, and has to be answered 2xx\. If it needs a key, give it in headers\. If it is counted all the same, add answered: 401 to it\./,
  );
  expect(await saying(401, 422)).toContain(
    'answered 401, and has to be answered 2xx or 422. If it needs a key',
  );
});

const local = { url: 'http://127.0.0.1/' };

test.each([
  [
    { ...local, body: {} } as Endpoint,
    promised,
    /endpoint: there is no field "body"\. It has url, method, headers, json/,
  ],
  [
    local,
    { ...promised, windowSecond: 1 } as ExpectedLimit,
    /limit: there is no field "windowSecond"; did you mean windowSeconds\?/,
  ],
  [local, undefined as unknown as ExpectedLimit, /^limit: is missing/],
  [undefined as unknown as Endpoint, promised, /^endpoint: is missing/],
  [{ ...local, method: 'get' as 'GET' }, promised, /^ {2}method: /m],
  [{ ...local, headers: { a: 1 as unknown as string } }, promised, /^ {2}headers\.a: /m],
  [local, { ...promised, status: 200 }, /^ {2}status: is no refusal/m],
  [local, { ...promised, windowSeconds: 0.5 }, /^ {2}windowSeconds: [^(]*$/m],
  [{ url: 'http://api.example.test/' }, promised, /allow it: allowHosts: \['api\.example\.test'\]$/],
  [{ ...local, allowHosts: ['http://x'] }, promised, /^allowHosts takes a host name alone/],
  [{ ...local, allowHosts: 'a.test' as never }, promised, /^allowHosts: must be a list of host names/],
  ['items' as never, promised, /^endpoint: is no object\. An endpoint/],
  [{ url: 'items' }, promised, /url: items is no address/],
  [{ url: 'http://api.example.test/' }, promised, /not on this machine/],
  [{ url: 'http://127.0.0.1/' }, { ...promised, limit: 0 }, /limit/],
  [{ url: 'http://127.0.0.1/' }, { ...promised, windowSeconds: 61 }, /longer than 60/],
  [{ url: 'http://127.0.0.1/' }, { ...promised, promise: 'weekly' as 'rolling' }, /promise/],
])('what cannot be used is named: %j', async (endpoint, expected, text) => {
  const error = await keepsLimit(endpoint, expected).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'UsageError', message: expect.stringMatching(text) });
  expect(String(error)).not.toMatch(/--|CONFORMANCE_|contract\/|endpoint\./);
});

test('an option that is not there is named', async () => {
  const options = { attempt: 2 } as LookOptions;
  await expect(keepsLimit(local, promised, options)).rejects.toThrow(
    /^options: there is no field "attempt"; did you mean attempts\? It has attempts, signal, onTrace\.$/,
  );
  await expect(keepsLimit(local, promised, { attempts: 0 })).rejects.toThrow(
    /^options: attempts must be a whole number from 1 on, not 0\.$/,
  );
});

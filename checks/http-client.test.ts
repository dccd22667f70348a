import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { deploymentSchema } from '../contract/deployment.ts';
import type { Headers } from '../contract/document/headers.ts';
import type { Keys } from '../contract/document/keys.ts';
import { messagingDocument } from '../contract/document/messaging.ts';
import type { Exchange } from '../contract/exchange.ts';
import { type SentLine, sentLineSchema } from '../contract/sent.ts';
import { systemClock } from './clock.ts';
import { openHttpClient } from './http-client.ts';
import type { ProbeRequest } from './steps.ts';

const upload: ProbeRequest = { scope: 'media', route: 'main', key: 'A', credential: 'valid' };

/** The scopes of the messaging document, media uploads with headers of their own. */
function scopesWith(headers: Headers | undefined) {
  const { media, ...others } = messagingDocument.scopes;
  return { ...others, media: { ...media, headers } };
}

/** A client of a server that does with each request what `answer` says. */
async function clientOf(
  answer: Parameters<typeof createServer>[1],
  {
    signal = () => new AbortController().signal,
    connections = 50,
    clock = systemClock,
    keys = 'bearer' as Keys,
    headers = undefined as Headers | undefined,
    answered = undefined as number | undefined,
  } = {},
) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sent: SentLine[] = [];
  const client = openHttpClient({
    deployment: deploymentSchema.parse({
      document: { ...messagingDocument, keys, scopes: scopesWith(headers) },
      baseUrls: [`http://127.0.0.1:${port}/api`],
      keyEnv: ['KEY_A'],
      requests: { media: { method: 'GET', path: '/v1/media', answered } },
      connectionsPerScope: connections,
    }),
    keys: [{ alias: 'A', secret: 'canary-key' }],
    runId: 'run',
    userAgent: 'test',
    signal,
    onSent: (line) => sent.push(line),
    onExchange: () => undefined,
    clock,
  });
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, sent };
}

test.each<readonly [Headers | undefined, string | null]>([
  [undefined, '9'],
  [{ remaining: 'X-Left', on: 'all' }, '7'],
  ['none', '9'],
])('what is left is read from the header of the scope: %j', async (headers, remaining) => {
  const { client } = await clientOf(
    (_request, response) => response.setHeader('X-Left', 7).setHeader('X-RateLimit-Remaining', 9).end(),
    { headers },
  );
  const [exchange] = await client.send('preflight', [upload]);
  expect(exchange?.headers.remaining).toBe(remaining);
});

test.each([
  ['bearer', ['Bearer canary-key', undefined, 'Bearer', 'Bearer unknown-']],
  [{ header: 'Authorization', scheme: 'Token' }, ['Token canary-key', undefined, 'Token', 'Token unknown-']],
  [{ header: 'X-Api-Key' }, ['canary-key', undefined, '', 'unknown-']],
] as const)('the key stands where the document has it: %j', async (keys, values) => {
  const name = typeof keys === 'object' ? keys.header.toLowerCase() : 'authorization';
  const seen: IncomingHttpHeaders[] = [];
  const { client } = await clientOf(
    ({ headers }, response) => {
      seen.push(headers);
      response.end('{}');
    },
    { keys },
  );
  for (const credential of ['valid', 'absent', 'malformed', 'unknown'] as const)
    await client.send('preflight', [{ ...upload, key: credential === 'valid' ? 'A' : null, credential }]);
  const found = seen.map((headers) => headers[name]);
  expect(found.slice(0, 3)).toEqual(values.slice(0, 3));
  expect(found[3]).toMatch(new RegExp(`^${values[3]}`));
  expect(seen.filter(({ authorization }) => authorization !== undefined)).toHaveLength(
    name === 'authorization' ? 3 : 0,
  );
});

test('the key stands in the query where the document has it there, and nowhere that is told', async () => {
  const seen: IncomingMessage[] = [];
  const { client, sent } = await clientOf(
    (request, response) => {
      seen.push(request);
      response.end('{}');
    },
    { keys: { query: 'key' } },
  );
  const exchanges: Exchange[] = [];
  for (const credential of ['valid', 'absent', 'malformed', 'unknown'] as const) {
    const key = credential === 'valid' ? 'A' : null;
    exchanges.push(...(await client.send('preflight', [{ ...upload, key, credential }])));
  }
  expect(seen.map(({ url }) => url?.replace(/unknown-.+/, 'unknown-'))).toEqual([
    ...['/api/v1/media?key=canary-key', '/api/v1/media', '/api/v1/media?key=', '/api/v1/media?key=unknown-'],
  ]);
  expect(seen.some(({ headers }) => headers.authorization !== undefined)).toBe(false);
  expect(exchanges.map(({ path }) => path)).toEqual(Array(4).fill('/api/v1/media'));
  expect(JSON.stringify({ sent, exchanges })).not.toContain('canary');
});

test('what is about to be sent is told before any of it leaves, one line for like requests', async () => {
  const knownOnArrival: (readonly string[])[] = [];
  const { client, sent } = await clientOf((_request, response) => {
    knownOnArrival.push(sent.flatMap(({ requests }) => requests.map(({ requestId }) => requestId)));
    response.end('{}');
  });
  const keyless: ProbeRequest = { ...upload, key: null, credential: 'absent' };
  const exchanges = await client.send('saturate', [upload, keyless, upload]);
  const ids = ['run-0', 'run-2', 'run-1'];
  expect(knownOnArrival).toEqual([ids, ids, ids]);
  expect(sent.map((line) => sentLineSchema.parse(line))).toEqual(sent);
  expect(sent).toMatchObject([
    { key: 'A', purpose: 'saturate', path: '/api/v1/media', requests: [{ index: 0 }, { index: 2 }] },
    { key: null, credential: 'absent', requests: [{ index: 1 }] },
  ]);
  expect(JSON.stringify(sent)).not.toContain('canary-key');
  expect(exchanges.every(({ sentMs }) => sentMs >= (sent[0]?.sentMs ?? Number.POSITIVE_INFINITY))).toBe(true);
});

test.each([
  ['connections opened ahead', 1],
  ['connections that were used before', 2],
])(
  'what leaves together is all made and handed to its connections before the first of it leaves: %s',
  async (_which, bursts) => {
    let looks = 0;
    const nowMs = (): number => {
      looks += 1;
      return looks / 1_000;
    };
    const clock = { ...systemClock, nowMs };
    let handedMs = 0;
    const onHanded = (): void => {
      handedMs = clock.nowMs();
    };
    const { client } = await clientOf((_request, response) => response.end('{}'), { clock });
    await client.warm('media');
    subscribe('undici:client:sendHeaders', onHanded);
    onTestFinished(() => void unsubscribe('undici:client:sendHeaders', onHanded));
    for (let burst = 0; burst < bursts; burst += 1) {
      const sent = await client.send(
        'burst',
        Array.from({ length: 50 }, () => upload),
      );
      expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
      const moments = sent.map(({ sentMs }) => sentMs);
      expect(Math.min(...moments)).toBeGreaterThan(handedMs);
      expect(moments).toEqual(moments.toSorted((a, b) => a - b));
      // The connection of the last answer is free a turn later.
      await setImmediate();
    }
  },
);

test('an answer is that of a request that passed where its request says so, and its body is kept', async () => {
  const { client } = await clientOf((_, response) => response.writeHead(422).end('{"success":false}'), {
    answered: 422,
  });
  const [passed] = await client.send('preflight', [upload]);
  expect(passed).toMatchObject({ outcome: 'admitted', status: 422, body: '{"success":false}' });
  const [intruding] = await client.send('without-key', [{ ...upload, key: null, credential: 'absent' }]);
  expect(intruding).toMatchObject({ outcome: 'refused', status: 422 });
});

test('a 429 whose body breaks off after its head is an answer with a part of its body', async () => {
  const { client } = await clientOf((_request, response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"success":', () => response.destroy());
  });
  const [exchange] = await client.send('confirm', [upload]);
  expect(exchange).toMatchObject({ status: 429, outcome: 'limited', bodyState: 'partial', failure: null });
});

test('a request that waits for a connection never leaves once it is given up', async () => {
  const stopped = new AbortController();
  let signal = stopped.signal;
  let arrived = 0;
  const settings = { signal: () => signal, connections: 2 };
  const { client } = await clientOf((_request, response) => {
    arrived += 1;
    // The first two are never answered: the others wait for their connections.
    if (arrived === 2) stopped.abort();
    else if (arrived > 2) response.end('{}');
  }, settings);
  const twenty = Array.from({ length: 20 }, () => upload);
  const exchanges = await client.send('saturate', twenty);
  expect(exchanges.filter(({ failure }) => failure === 'the run was interrupted')).toHaveLength(20);
  signal = new AbortController().signal;
  const [late] = await client.send('confirm', [upload]);
  expect([arrived, late?.status]).toEqual([3, 200]);
});

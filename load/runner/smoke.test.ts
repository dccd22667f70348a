/** Each scenario, bundled and run by the real k6 against a small server on loopback. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, type TestContext, test } from 'vitest';
import { type Deployment, type DeploymentInput, deploymentSchema } from '../../contract/deployment.ts';
import { messagingDocument } from '../../contract/document/messaging.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import type { Scenario } from '../plan/scenario.ts';
import { k6ScriptText } from './bundle.ts';
import { planScenario, type ScenarioChoices } from './plan-scenario.ts';
import { runScenario } from './run-scenario.ts';
import { scenarios } from './scenarios.ts';
import { settleParameters } from './settle-parameters.ts';
import { k6BeforeAll } from './testing/k6-before-all.ts';

const k6For = k6BeforeAll();
const folder = await temporaryFolder();
const secret = 'canary-key-of-the-smoke-test';
const neighbourSecret = 'canary-key-of-its-neighbour';
const [messagesBurst, mediaBurst] = scenarios;

type Seen = {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly path: string | undefined;
};

let seen: Seen[];
let answer: (request: IncomingMessage, response: ServerResponse, keyedBefore: number) => void;
let stop: () => void;
let baseUrl: string;

beforeEach(async () => {
  seen = [];
  answer = limited;
  let keyed = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('latin1');
      seen.push({ headers: request.headers, body, path: request.url });
      const before = keyed;
      if (keyIn(request) !== undefined) keyed += 1;
      answer(request, response, before);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix`;
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
});

afterEach(() => stop());

const limit = 8;

const keyIn = ({ headers, url = '' }: IncomingMessage) =>
  headers.authorization ?? headers['x-api-key'] ?? /[?&]key=(.*)/.exec(url)?.[1];

/** Admits the first `limit` requests with the key, and asks the others for one. */
function limited(request: IncomingMessage, response: ServerResponse, keyedBefore: number): void {
  const authorization = keyIn(request);
  if (authorization === undefined) {
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"success":false}');
    return;
  }
  const status = keyedBefore < limit ? 200 : 429;
  response
    .writeHead(status, { 'x-ratelimit-limit': '8', 'set-cookie': 'a=b', 'retry-after': '7' })
    .end(JSON.stringify({ echo: authorization }));
}

function deploymentOf(changes: Partial<DeploymentInput> = {}): Deployment {
  return deploymentSchema.parse({
    baseUrls: [baseUrl],
    keyEnv: ['KEY_A'],
    requests: {
      messages: { method: 'POST', path: '/v1/messages', body: { json: { to: '1' } } },
      media: {
        method: 'POST',
        path: '/v1/media',
        body: { file: { field: 'upload', filename: 'a "b".bin', bytes: 2_000 } },
      },
    },
    ...changes,
  });
}

type Run = {
  scenario?: Scenario;
  deployment?: Partial<DeploymentInput>;
  choices?: ScenarioChoices;
  signal?: AbortSignal;
  secretHeaders?: Readonly<Record<string, string>>;
};

/** Runs a burst of 12. */
async function run(context: TestContext, changes: Run = {}) {
  const { scenario = messagesBurst, choices = {}, signal, secretHeaders = {} } = changes;
  const k6 = k6For(context);
  const deployment = deploymentOf(changes.deployment);
  const limits = { standard: limit, messages: limit, media: limit };
  return runScenario({
    k6,
    planned: planScenario(scenario, { deployment, limits, choices }),
    deployment,
    secretHeaders,
    keys: [
      { alias: 'A', secret },
      { alias: 'B', secret: neighbourSecret },
    ],
    runId: 'run7',
    userAgent: 'messaging-conformance/0 run/run7',
    env: process.env,
    signal,
  });
}

const outcomes = (exchanges: readonly Exchange[], purpose: string): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of exchanges.filter((exchange) => exchange.purpose === purpose)) {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};

const k6Timeout = { timeout: 120_000 };

test('secret headers are sent with every request, and masked like keys', k6Timeout, async (context) => {
  answer = (request, response) =>
    void response.writeHead(403).end(`no: ${request.headers['x-api-key']}, ${request.headers['cookie']}`);
  const secretHeaders = { 'X-Api-Key': 'canary of="a" gate', Cookie: 'id=canary-of-a-cookie' };
  const headers = { 'X-Api-Key': '(withheld)', 'X-Plain': '1' };
  const requests = { messages: { method: 'POST', path: '/v1/messages', headers } } as const;
  const { line, exchanges } = await run(context, {
    secretHeaders,
    deployment: { requests },
    choices: { vus: 3 },
  });
  expect(line).toMatchObject({ state: 'complete', requestsSent: 12 });
  expect(
    new Set(
      seen.map((one) => `${one.headers['x-api-key']} ${one.headers['cookie']} ${one.headers['x-plain']}`),
    ),
  ).toEqual(new Set(['canary of="a" gate id=canary-of-a-cookie 1']));
  expect(exchanges.map(({ body }) => body)).toEqual(
    Array(12).fill(`no: ${'*'.repeat(18)}, ${'*'.repeat(21)}`),
  );
});

test.for([
  [{ header: 'X-Api-Key' }, 'x-api-key', secret],
  [{ header: 'Authorization', scheme: 'Token' }, 'authorization', `Token ${secret}`],
] as const)(
  'the key stands where the document has it: %j',
  k6Timeout,
  async ([keys, name, value], context) => {
    const document = { ...messagingDocument, keys };
    const { line, exchanges } = await run(context, { deployment: { document } });
    expect(line).toMatchObject({ state: 'complete', requestsSent: 12 });
    expect(outcomes(exchanges, 'burst')).toEqual({ admitted: 2, limited: 4 });
    expect(new Set(seen.map(({ headers }) => headers[name]))).toEqual(new Set([value]));
    expect(seen.every(({ headers }) => name === 'authorization' || headers.authorization === undefined)).toBe(
      true,
    );
    expect(JSON.stringify({ line, exchanges })).not.toContain(secret);
  },
);

test('the key stands in the query where the document has it there', k6Timeout, async (context) => {
  const document = { ...messagingDocument, keys: { query: 'key' } };
  const messages = { method: 'POST', path: '/v1/messages?a=1', body: { json: { to: '1' } } } as const;
  const { line, exchanges } = await run(context, { deployment: { document, requests: { messages } } });
  expect(line).toMatchObject({ state: 'complete', requestsSent: 12 });
  expect(outcomes(exchanges, 'burst')).toEqual({ admitted: 2, limited: 4 });
  const target = `/prefix/v1/messages?a=1&key=${encodeURIComponent(secret)}`;
  expect(new Set(seen.map(({ path }) => path))).toEqual(new Set([target]));
  expect(seen.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  expect(new Set(exchanges.map(({ path }) => path))).toEqual(new Set(['/v1/messages?a=1']));
  expect(JSON.stringify({ line, exchanges })).not.toContain(secret);
});

test('no key is sent where a run has none', k6Timeout, async (context) => {
  answer = (request, response) =>
    void response.writeHead(keyIn(request) === undefined && seen.length <= limit ? 200 : 429).end();
  const document = { ...messagingDocument, keys: 'none', countedBy: 'address' } as const;
  const scenario = scenarios.find(({ name }) => name === 'burst')!;
  const { line, exchanges } = await run(context, { scenario, deployment: { document, keyEnv: [] } });
  expect(line).toMatchObject({ state: 'complete', reason: null });
  expect(exchanges.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(limit);
});

test('no key is sent to a scope of which the document says so', k6Timeout, async (context) => {
  let keyed = 0;
  answer = (request, response) => {
    if (keyIn(request) !== undefined) keyed += 1;
    response.writeHead(seen.length <= limit ? 200 : 429).end();
  };
  const { standard, messages } = messagingDocument.scopes;
  const scopes = { messages: { ...messages, countedBy: 'address', keys: 'none' }, standard } as const;
  const scenario = scenarios.find(({ name }) => name === 'burst')!;
  const document = { ...messagingDocument, scopes };
  const { line, exchanges } = await run(context, { scenario, deployment: { document } });
  expect(line).toMatchObject({ state: 'complete', reason: null });
  expect(new Set(exchanges.map(({ scope }) => scope))).toContain('messages');
  expect(keyed).toBe(0);
});

test('a burst of messages is sent, counted and written down', k6Timeout, async (context) => {
  const beforeMs = Date.now();
  const { line, exchanges } = await run(context);
  const afterMs = Date.now() + 1;
  expect(line).toMatchObject({ state: 'complete', reason: null, requestsSent: 12 });
  expect(outcomes(exchanges, 'open')).toEqual({ admitted: 6 });
  expect(outcomes(exchanges, 'burst')).toEqual({ admitted: 2, limited: 4 });
  expect(exchanges.map(({ index }) => index)).toEqual(exchanges.map((_, index) => index));
  for (const { sentMs, receivedMs } of exchanges) {
    expect(beforeMs).toBeLessThanOrEqual(sentMs);
    expect(sentMs).toBeLessThan(receivedMs ?? 0);
    expect(receivedMs).toBeLessThanOrEqual(afterMs);
  }
  const refused = exchanges.filter(({ outcome }) => outcome === 'limited');
  expect(refused[0]).toMatchObject({ headers: { limit: '8', remaining: null }, retryAfter: '7' });
  expect(refused[0]?.body).toBe(`{"echo":"Bearer ${'*'.repeat(secret.length)}"}`);
  expect(JSON.stringify({ line, exchanges })).not.toContain(secret);
});

test('every request says who sent it, and carries nothing of another', k6Timeout, async (context) => {
  const { exchanges } = await run(context);
  expect(seen).toHaveLength(12);
  expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(['/prefix/v1/messages']));
  expect(seen.map(({ headers }) => headers['x-request-id']).toSorted()).toEqual(
    exchanges.map(({ requestId }) => requestId).toSorted(),
  );
  for (const { headers, body } of seen) {
    expect(headers['user-agent']).toBe('messaging-conformance/0 run/run7');
    expect(headers['content-type']).toBe('application/json');
    expect(headers.cookie).toBeUndefined();
    expect(body).toBe('{"to":"1"}');
  }
});

test(
  'a burst of uploads runs from a few bytes to as many as the settings say',
  k6Timeout,
  async (context) => {
    const { line, exchanges } = await run(context, { scenario: mediaBurst });
    expect(line).toMatchObject({ state: 'complete', requestsSent: 12, scope: 'media' });
    expect(outcomes(exchanges, 'burst')).toEqual({ admitted: 2, limited: 4 });
    const fileBytes = seen.map(({ body }) => (/\r\n\r\n(k*)\r\n--/.exec(body)?.[1] ?? '').length);
    expect(Math.min(...fileBytes)).toBe(4);
    expect(Math.max(...fileBytes)).toBe(2_000);
    for (const { headers, body } of seen) {
      expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
      expect(body.slice(0, 300)).toMatch(/name="upload"; filename="a .*b.*\.bin"/);
      expect(body.slice(0, 300)).toContain('Content-Type: application/octet-stream');
    }
  },
);

test('strange answers are written down as they are', k6Timeout, async (context) => {
  answer = (_request, response, before) => {
    if (before === 0) response.socket?.destroy();
    else if (before === 1) response.writeHead(302, { location: '/prefix/elsewhere' }).end();
    else if (before === 2)
      response.writeHead(429, { 'X-RATELIMIT-LIMIT': ['8', '9'] }).end(`é${'x'.repeat(9_999)}`);
    else if (before === 3) response.writeHead(500).end(Buffer.from([0, 255, 254, 10, 34]));
    else response.writeHead(204).end();
  };
  const { line, exchanges } = await run(context);
  expect(line).toMatchObject({ state: 'complete', reason: null, requestsSent: 12 });
  expect(outcomes(exchanges, 'open')).toEqual({ admitted: 2, limited: 1, refused: 2, indeterminate: 1 });
  expect(outcomes(exchanges, 'burst')).toEqual({ admitted: 6 });
  const withStatus = (status: number | null) => exchanges.find((exchange) => exchange.status === status);
  expect(withStatus(null)).toMatchObject({ receivedMs: null, failure: expect.stringMatching(/EOF|reset/) });
  expect(withStatus(429)).toMatchObject({ headers: { limit: '8, 9' }, body: `é${'x'.repeat(9_999)}` });
  expect(withStatus(500)?.body).toMatch(/\n"$/);
  expect(seen.map(({ path }) => path)).not.toContain('/prefix/elsewhere');
});

test('a service that never answers costs one time-out', k6Timeout, async (context) => {
  answer = () => undefined;
  const deployment = { requestTimeoutSeconds: 0.2 };
  const { line, exchanges } = await run(context, { deployment });
  expect(line).toMatchObject({ state: 'complete', requestsSent: 12 });
  expect(new Set(exchanges.map(({ failure }) => failure))).toEqual(new Set(['request timeout']));
});

test('nobody listens: every request is indeterminate', k6Timeout, async (context) => {
  stop();
  const { line, exchanges } = await run(context);
  expect(line.state).toBe('complete');
  expect(outcomes(exchanges, 'burst')).toEqual({ indeterminate: 6 });
});

test('an abort ends k6 in the middle of a burst', k6Timeout, async (context) => {
  const abort = new AbortController();
  answer = () => abort.abort();
  const deployment = { requestTimeoutSeconds: 60 };
  const { line } = await run(context, { deployment, signal: abort.signal });
  expect(line).toMatchObject({ state: 'incomplete' });
  expect(line.reason).toMatch(/^interrupted/);
});

test(
  'independent clients send the same burst, each in connections of its own',
  k6Timeout,
  async (context) => {
    const { line, exchanges } = await run(context, { choices: { vus: 6 } });
    expect(line).toMatchObject({ state: 'complete', reason: null, requestsSent: 12 });
    expect(outcomes(exchanges, 'burst')).toEqual({ admitted: 2, limited: 4 });
    expect(new Set(exchanges.map(({ index }) => index)).size).toBe(12);
    expect(exchanges.every(({ latencyMs }) => (latencyMs ?? 0) > 0)).toBe(true);
  },
);

test('several processes share a burst, start together, and name their clocks', k6Timeout, async (context) => {
  const { line, exchanges } = await run(context, { choices: { segments: 3 } });
  expect(line).toMatchObject({ state: 'complete', reason: null, requestsSent: 12 });
  expect(outcomes(exchanges, 'burst')).toEqual({ admitted: 2, limited: 4 });
  expect(new Set(exchanges.map(({ requestId }) => requestId)).size).toBe(12);
  const clocks = exchanges.filter(({ purpose }) => purpose === 'burst').map(({ clock }) => clock);
  expect(new Set(clocks)).toEqual(
    new Set(['k6-messages-burst-1', 'k6-messages-burst-2', 'k6-messages-burst-3']),
  );
});

test('streams on two keys and two nodes say of each request what was sent', k6Timeout, async (context) => {
  const scenario = scenarios.find(({ name }) => name === 'noisy-neighbour');
  const deployment = {
    windowSeconds: 1,
    baseUrls: [baseUrl, `${baseUrl}/second`],
    keyEnv: ['KEY_A', 'KEY_B'],
  };
  // A busy machine may leave arrivals out; what was sent has to be written down all the same.
  const { exchanges } = await run(context, { ...(scenario && { scenario }), deployment });
  const written = exchanges.map(({ requestId, key, node }) => ({ requestId, key, node }));
  const sent = seen.map(({ headers, path }) => ({
    requestId: headers['x-request-id'],
    key: headers.authorization === `Bearer ${secret}` ? 'A' : 'B',
    node: path === '/prefix/second/v1/messages' ? 1 : 0,
  }));
  const byId = (one: { requestId?: unknown }, two: { requestId?: unknown }): number =>
    String(one.requestId).localeCompare(String(two.requestId));
  expect(written.toSorted(byId)).toEqual(sent.toSorted(byId));
  expect(new Set(written.map(({ key, node }) => `${key}${node}`)).size).toBe(4);
  for (const { index, requestId } of exchanges) expect(requestId).toBe(`run7-noisy-neighbour-${index}`);
});

test('started by hand, the script says what it lacks', k6Timeout, async (context) => {
  const path = join(folder, 'scenario.js');
  await writeFile(path, await k6ScriptText());
  const said = async (args: readonly string[], parameters: Readonly<Record<string, string>>) => {
    const env = { PATH: process.env['PATH'], TMPDIR: tmpdir(), CONFORMANCE_LOAD_KEY: secret, ...parameters };
    const k6 = k6For(context);
    const { stderr } = await promisify(execFile)(k6.path, ['run', ...args, path], { env }).catch(
      (failed: { stderr: string }) => failed,
    );
    return stderr;
  };
  expect(await said([], {})).toContain('CONFORMANCE_LOAD_PARAMETERS is not set');
  const deployment = deploymentOf();
  const limits = { standard: limit, messages: limit, media: limit };
  const planned = planScenario(messagesBurst, { deployment, limits, choices: {} });
  const keys = [{ alias: 'A', secret }];
  const settled = settleParameters({
    planned,
    deployment,
    keys,
    runId: 'run7',
    userAgent: 'test',
    looker: 'runner',
  });
  if (settled.kind === 'unusable') throw new Error(settled.reason);
  const parameters = { CONFORMANCE_LOAD_PARAMETERS: JSON.stringify(settled.parameters) };
  const withoutLanes = await said(['--vus', '1', '--iterations', '1'], parameters);
  expect(withoutLanes).toContain('start it without --vus, --iterations, --duration or --stage');
  expect(seen).toHaveLength(0);
});

/**
 * A receiver of webhooks in Node, without packages, that passes every case of `conformance webhooks drive`. It keeps its
 * state in memory: a real receiver puts the event into a queue or a database before it answers.
 *
 *     WEBHOOK_SECRET=… node docs/receivers/receiver.ts 3000
 *
 * During a rotation of the secret, WEBHOOK_SECRET_OLD holds the old one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import process from 'node:process';

type Event = { readonly event: string; readonly data: Readonly<Record<string, unknown>> };
type Message = { state: string; handled: number; readonly seen: Set<string> };

const bodyBytesMax = 4 * 1_048_576;
const secrets = ['WEBHOOK_SECRET', 'WEBHOOK_SECRET_OLD']
  .map((name) => process.env[name] ?? '')
  .filter((secret) => secret !== '');
// With an empty secret, everybody could sign.
if (secrets.length === 0) throw new Error('WEBHOOK_SECRET is not set');

const messages = new Map<string, Message>();

async function receive(request: IncomingMessage): Promise<number> {
  // The signature is over the raw bytes, not over parsed JSON.
  const body = await bodyOf(request);
  if (body === null) return 413;
  const signatures = request.headersDistinct['x-service-signature'] ?? [];
  if (signatures.length !== 1 || !isSigned(signatures[0] ?? '', body)) return 401;
  const event = eventIn(body);
  if (event === null) return 400;
  // Answer first, work later: the sender waits only for a short time.
  setImmediate(handle, event);
  return 200;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= bodyBytesMax) chunks.push(chunk);
  }
  return bytes > bodyBytesMax ? null : Buffer.concat(chunks);
}

function isSigned(signature: string, body: Buffer): boolean {
  const given = Buffer.from(signature);
  return secrets.some((secret) => {
    const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
    // timingSafeEqual throws where the lengths differ.
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function eventIn(body: Buffer): Event | null {
  try {
    const { event, data } = JSON.parse(body.toString('utf8')) as Partial<Event>;
    return typeof event === 'string' && typeof data === 'object' && data !== null ? { event, data } : null;
  } catch {
    return null;
  }
}

const ranks: Readonly<Record<string, number>> = { sent: 1, delivered: 2, read: 3 };

/** Handles each event of a message once, in any order; the state of a message never goes back. */
function handle({ event, data }: Event): void {
  const id = String(data['message_id']);
  const message = messages.get(id) ?? { state: '', handled: 0, seen: new Set() };
  messages.set(id, message);
  if (message.seen.has(event)) return;
  message.seen.add(event);
  message.handled += 1;
  const state = event.replace('message.', '');
  if ((ranks[state] ?? 0) >= (ranks[message.state] ?? 0)) message.state = state;
}

/** `GET /effects?message_id=…`, for `--effects`. Only tests should be able to reach it. */
function tellEffect(request: IncomingMessage, response: ServerResponse): void {
  const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('message_id') ?? '';
  const message = messages.get(id);
  if (message === undefined) {
    response.writeHead(404).end();
    return;
  }
  const { state, handled } = message;
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ state, handled }));
}

const server = createServer((request, response) => {
  if (request.method === 'GET' && request.url?.startsWith('/effects')) {
    tellEffect(request, response);
  } else if (request.method === 'POST') {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      // The sender broke off: there is nobody to answer.
      () => response.destroy(),
    );
  } else {
    response.writeHead(405, { allow: 'POST' }).end();
  }
});
// A client that sends a request byte by byte must not hold a connection for ever.
server.headersTimeout = 10_000;
server.requestTimeout = 30_000;
server.listen(Number(process.argv[2] ?? 3_000), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : '';
  process.stdout.write(`receiving on http://127.0.0.1:${port}/hooks\n`);
});

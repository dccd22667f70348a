import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const firstSecret = 'first-secret-of-a-test';
export const secondSecret = 'second-secret-of-a-test';

export type Event = {
  readonly event: string;
  readonly timestamp: number;
  readonly data: Readonly<Record<string, unknown>>;
};

/** What is known of a message. */
export type Message = { state: string; handled: number; readonly seen: Set<string> };
export type Memory = Map<string, Message>;

/** What a receiver does; a broken one differs from the good one in a function. */
export type Behaviour = {
  /** The whole body, or a number: the status by which it is refused. */
  readonly read: (request: IncomingMessage) => Promise<Buffer | number>;
  /** The value of the signature header; `null` where there is none that could be right. */
  readonly signatureOf: (request: IncomingMessage) => string | null;
  readonly isSigned: (signature: string | null, body: Buffer) => boolean;
  /** Status of the answer to a verified event. What it throws becomes a 500. */
  readonly take: (event: Event, memory: Memory) => number | Promise<number>;
  readonly onForged: (body: Buffer, memory: Memory) => void;
  /** Status of the answer to a forgery. */
  readonly refusal: number;
  readonly onServer: (server: Server) => void;
};

/** A receiver that does nothing wrong, though it is not like the good one. */
export type OtherReceiver = {
  readonly name: string;
  /** Cases that have to be open: what they are about comes later than is waited for. */
  readonly open: readonly string[];
  readonly behaviour: () => Partial<Behaviour>;
};

/** A receiver with one defect. */
export type BrokenReceiver = {
  readonly name: string;
  /** The cases that catch it; every other one passes, or is open because of these. */
  readonly fails: readonly string[];
  readonly behaviour: () => Partial<Behaviour>;
  /** There where the defect is slowness: an answer has less time, and a burst more events. */
  readonly pace?: 'hurried';
};

export const hmac = (body: Buffer | string, { secret = firstSecret, algorithm = 'sha256' } = {}): string =>
  createHmac(algorithm, secret).update(body).digest('hex');

export function isSame(given: string, expected: string): boolean {
  const [left, other] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === other.length && timingSafeEqual(left, other);
}

const ranks: Readonly<Record<string, number>> = { sent: 1, delivered: 2, read: 3 };

/** The event's effect, once: the state only goes forward. */
export function handleOnce({ event, data }: Event, memory: Memory): number {
  const id = String(data['message_id']);
  const message = memory.get(id) ?? { state: '', handled: 0, seen: new Set<string>() };
  memory.set(id, message);
  if (message.seen.has(event)) return 200;
  message.seen.add(event);
  message.handled += 1;
  const state = event.replace('message.', '');
  if ((ranks[state] ?? 0) >= (ranks[message.state] ?? 0)) message.state = state;
  return 200;
}

/** A receiver that keeps to every case. */
export const goodBehaviour: Behaviour = {
  read: async (request) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  },
  signatureOf: (request) => {
    const values = request.headersDistinct['x-service-signature'] ?? [];
    return values.length === 1 ? (values[0] ?? null) : null;
  },
  isSigned: (signature, body) =>
    [firstSecret, secondSecret].some((secret) => isSame(signature ?? '', `sha256=${hmac(body, { secret })}`)),
  take: handleOnce,
  onForged: () => undefined,
  refusal: 401,
  onServer: () => undefined,
};

export type RunningReceiver = { readonly url: string; readonly effects: string; readonly close: () => void };

/** Starts a receiver on a free port of this machine; its effects URL is part of it. */
export async function startReceiver(behaviour: Behaviour): Promise<RunningReceiver> {
  const memory: Memory = new Map();
  const server = createServer((request, response) => {
    if (request.method === 'GET') return tellEffect(request, response, memory);
    receive(request, { behaviour, memory }).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  });
  behaviour.onServer(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/hooks`,
    effects: `${origin}/effects`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Receiving = { readonly behaviour: Behaviour; readonly memory: Memory };

async function receive(request: IncomingMessage, { behaviour, memory }: Receiving): Promise<number> {
  const body = await behaviour.read(request);
  if (typeof body === 'number') return body;
  if (!behaviour.isSigned(behaviour.signatureOf(request), body)) {
    behaviour.onForged(body, memory);
    return behaviour.refusal;
  }
  return behaviour.take(JSON.parse(body.toString('utf8')) as Event, memory);
}

function tellEffect({ url }: IncomingMessage, response: ServerResponse, memory: Memory): void {
  const message = memory.get(new URL(url ?? '', 'http://x').searchParams.get('message_id') ?? '');
  if (message === undefined) {
    response.writeHead(404).end();
    return;
  }
  const { state, handled } = message;
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ state, handled }));
}

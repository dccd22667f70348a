import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isSecretName, shownPathOf } from '../../../contract/secret/secret-names.ts';
import { withheld } from '../../../contract/secret/withheld.ts';
import { keptBody } from '../../../contract/webhooks/body.ts';
import {
  type AnswerKind,
  type Delivery,
  deliveryBytesMax,
  type Unheard,
} from '../../../contract/webhooks/trace.ts';
import { type AnswerPlan, answerAt } from './answer-plan.ts';

export type ReceiverSettings = {
  /** Address of this machine to listen on. */
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly plan: AnswerPlan;
  /** How long a slow answer takes. */
  readonly slowMs: number;
  readonly bounds: ReceiverBounds;
  /** ms since the Unix epoch; must not go back. */
  readonly nowMs: () => number;
  /** Called with each delivery once it was answered, or once it is certain that it will not be. */
  readonly onDelivery: (delivery: Delivery) => void;
};

/** What one sender can take away from the others. */
export type ReceiverBounds = {
  /** Most connections at a time; one more is dropped. With the bytes kept of each body, this bounds the memory. */
  readonly connectionsMax: number;
  /** How long the head of a request may take: a connection that sends none takes a place until then. */
  readonly headMsMax: number;
};

export const receiverBounds: ReceiverBounds = { connectionsMax: 256, headMsMax: 10_000 };

/** How long a request may take, with its body; its place is free again afterwards. */
const requestMsMax = 60_000;

export type Receiver = {
  readonly url: string;
  /** Deliveries whose head arrived so far. */
  readonly arrived: () => number;
  /** Deliveries that are still arriving, or wait for a slow answer. */
  readonly open: () => number;
  /** Connections so far of which no request could be read. */
  readonly unheard: () => Unheard;
  /** Accepts no more connections, and reports the deliveries that are still open. */
  close(): Promise<void>;
};

/** Bytes of a body that are read. A longer body closes its connection. */
const bodyBytesMax = 16 * deliveryBytesMax;

/** Header lines that are kept of one request. */
const headerLinesMax = 100;

const statuses: Readonly<Record<AnswerKind, number>> = {
  ok: 200,
  slow: 200,
  error: 500,
  limited: 429,
  gone: 410,
  none: 0,
};

/**
 * A receiver that only records: it keeps the raw bytes and header lines, and answers as planned.
 * @throws where the port cannot be listened on.
 */
export async function openReceiver(settings: ReceiverSettings): Promise<Receiver> {
  const { host, port, nowMs, plan, bounds } = settings;
  const { connectionsMax, headMsMax } = bounds;
  const numbers = new WeakMap<Socket, number>();
  const open = new Set<OpenDelivery>();
  let connections = 0;
  let arrived = 0;
  const unheard = { dropped: 0, silent: 0, unreadable: 0 };
  const timeouts = {
    keepAliveTimeout: 60_000,
    headersTimeout: headMsMax,
    requestTimeout: Math.max(headMsMax, requestMsMax),
    connectionsCheckingInterval: Math.min(1_000, headMsMax),
  };
  const server = createServer(timeouts, (request, response) => {
    const delivery = new OpenDelivery({
      request,
      response,
      settings,
      index: arrived,
      connection: numbers.get(request.socket) ?? 0,
      answer: answerAt(plan, arrived),
      arrivedMs: nowMs(),
      onSettled: () => open.delete(delivery),
    });
    arrived += 1;
    open.add(delivery);
  });
  server.maxConnections = connectionsMax;
  server.on('connection', (socket) => {
    connections += 1;
    numbers.set(socket, connections);
  });
  server.on('drop', () => {
    unheard.dropped += 1;
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    // One that breaks off within its body is a delivery, and is reported as one.
    const isHeard = [...open].some((one) => one.socket === socket);
    if (!isHeard && isLate) unheard.silent += 1;
    else if (!isHeard && error.code?.startsWith('HPE_') === true) unheard.unreadable += 1;
    if (socket.writable)
      socket.end(
        `HTTP/1.1 ${isLate ? '408 Request Timeout' : '400 Bad Request'}\r\nConnection: close\r\n\r\n`,
      );
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/`,
    arrived: () => arrived,
    open: () => open.size,
    unheard: () => ({ ...unheard }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const delivery of [...open]) delivery.settle(null);
        server.closeAllConnections();
      }),
  };
}

type OpenParts = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly settings: ReceiverSettings;
  readonly index: number;
  readonly connection: number;
  readonly answer: AnswerKind;
  readonly arrivedMs: number;
  readonly onSettled: () => void;
};

/** One delivery from its head to its answer. */
class OpenDelivery {
  readonly #parts: OpenParts;
  #chunks: Buffer[] = [];
  #keptBytes = 0;
  #bodyBytes = 0;
  #completeMs: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isSettled = false;

  constructor(parts: OpenParts) {
    this.#parts = parts;
    const { request, response } = parts;
    request.on('data', (chunk: Buffer) => this.#keep(chunk));
    request.on('end', () => this.#complete());
    request.on('error', () => this.settle(null));
    // The sender closed the connection before the end of its body, or before the answer.
    response.on('close', () => this.settle(null));
  }

  get socket(): Socket {
    return this.#parts.request.socket;
  }

  /** Reports the delivery, once. */
  settle(answeredMs: number | null): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const { request, settings, index, connection, answer, arrivedMs, onSettled } = this.#parts;
    onSettled();
    settings.onDelivery({
      kind: 'delivery',
      index,
      connection,
      method: request.method ?? '',
      path: shownPathOf(request.url ?? ''),
      headers: headerLines(request.rawHeaders),
      body: keptBody(Buffer.concat(this.#chunks)),
      bodyBytes: this.#bodyBytes,
      arrivedMs,
      completeMs: this.#completeMs,
      answer,
      status: answeredMs === null ? null : statuses[answer],
      answeredMs,
    });
    this.#chunks = [];
  }

  #keep(chunk: Buffer): void {
    this.#bodyBytes += chunk.length;
    const kept = chunk.subarray(0, deliveryBytesMax - this.#keptBytes);
    if (kept.length > 0) this.#chunks.push(kept);
    this.#keptBytes += kept.length;
    if (this.#bodyBytes > bodyBytesMax) this.#parts.request.destroy();
  }

  #complete(): void {
    const { answer, settings } = this.#parts;
    this.#completeMs = settings.nowMs();
    // A delivery that will never be answered is reported at once, so that the trace certainly has it.
    if (answer === 'none') this.settle(null);
    else if (answer === 'slow') this.#timer = setTimeout(() => this.#answer(), settings.slowMs);
    else this.#answer();
  }

  #answer(): void {
    const { response, answer, settings } = this.#parts;
    response.once('finish', () => this.settle(settings.nowMs()));
    response.writeHead(statuses[answer], { 'content-length': 0 }).end();
  }
}

/** The raw header lines, without the values of credentials. */
function headerLines(raw: readonly string[]): [string, string][] {
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length && lines.length < headerLinesMax; at += 2) {
    const name = raw[at] ?? '';
    // A proxy may repeat the request's path, with a token in its query.
    lines.push([name, isSecretName(name) ? withheld : shownPathOf(raw[at + 1] ?? '')]);
  }
  return lines;
}

import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Unheard } from '../../../contract/webhooks/trace.ts';
import { type AnswerPlan, answerAt } from './answer-plan.ts';
import { type Handling, OpenDelivery } from './open-delivery.ts';

export type ReceiverSettings = Handling & {
  /** Address of this machine to listen on. */
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly plan: AnswerPlan;
  readonly bounds: ReceiverBounds;
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

/**
 * A receiver that records: it keeps the raw bytes and header lines, and answers as planned, or as it was answered.
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

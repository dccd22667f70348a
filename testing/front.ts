import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestTo, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this machine. */
export type Front = { readonly url: string; readonly close: () => void };

/** Stands in front of services: it answers each request by itself, or hands it on. */
export async function startFront(
  answering: (incoming: IncomingMessage, answer: ServerResponse) => void,
): Promise<Front> {
  const server = createServer(answering).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type HandedRequest = { readonly incoming: IncomingMessage; readonly answer: ServerResponse };

/** Where a request goes; left out: this machine, and the path that it asks for. */
export type HandedTo = { readonly host?: string; readonly port: number; readonly path?: string };

/** Has a service answer a request. `onAnswer` sees what it answers first, and may change its head. */
export function handOn(
  { host = '127.0.0.1', port, path }: HandedTo,
  { incoming, answer }: HandedRequest,
  onAnswer: (from: IncomingMessage) => unknown = () => undefined,
): void {
  const { method, url, headers } = incoming;
  const onward = requestTo({ host, port, method, path: path ?? url, headers }, (from) => {
    onAnswer(from);
    answer.writeHead(from.statusCode ?? 502, from.headers);
    from.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  incoming.pipe(onward);
}

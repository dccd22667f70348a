import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CertificateAndKey } from './certificates.ts';
import { handOn } from './front.ts';

export type ForwardProxyWish = {
  /** Where every name leads. */
  readonly to: { readonly host: string; readonly port: number };
  /** `user:password` that it asks for; left out: nobody is asked. */
  readonly user?: string;
  /** What it answers to every request in place of forwarding it. */
  readonly refuses?: number;
  /** Left out: clients speak to it without encryption. */
  readonly certificate?: CertificateAndKey;
};

export type ForwardProxy = {
  readonly url: string;
  /** What it was asked for: `CONNECT host:port`, or the method and the whole address. */
  readonly asked: readonly string[];
  readonly close: () => void;
};

/** An HTTP proxy on this machine that knows no names: all that it is asked for goes to one place. */
export async function startForwardProxy(wish: ForwardProxyWish): Promise<ForwardProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const refusalOf = ({ headers }: IncomingMessage): number | null => {
    if (wish.refuses !== undefined) return wish.refuses;
    const wanted = wish.user === undefined ? undefined : `Basic ${Buffer.from(wish.user).toString('base64')}`;
    return wanted === undefined || headers['proxy-authorization'] === wanted ? null : 407;
  };
  const forward = (incoming: IncomingMessage, answer: ServerResponse): void => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const refusal = refusalOf(incoming);
    if (refusal !== null) {
      answer.writeHead(refusal, { 'content-type': 'text/html' }).end(`<h1>${refusal}</h1>`);
      return;
    }
    const { pathname, search } = new URL(incoming.url ?? '');
    handOn({ ...wish.to, path: pathname + search }, { incoming, answer });
  };
  const tunnel = (incoming: IncomingMessage, client: Duplex): void => {
    asked.push(`CONNECT ${incoming.url}`);
    client.on('error', () => undefined);
    const refusal = refusalOf(incoming);
    if (refusal !== null) {
      client.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const onward = connect(wish.to, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(client);
      client.pipe(onward);
    });
    onward.on('error', () => client.destroy());
    client.on('close', () => onward.destroy());
  };
  const server =
    wish.certificate === undefined ? createServer(forward) : createSecureServer(wish.certificate, forward);
  server.on('connect', tunnel);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const scheme = wish.certificate === undefined ? 'http' : 'https';
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

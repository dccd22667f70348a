import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { CertificateAndKey } from './certificates.ts';

export type FrontWish = {
  readonly certificate: CertificateAndKey;
  /** Which version of HTTP it speaks; `either` as the client likes. */
  readonly http?: '1.1' | '2' | 'either';
  /** The authority whose certificates it asks its clients for, as PEM; left out: it asks for none. */
  readonly clientCa?: string;
  /** Where it listens; default: 127.0.0.1. */
  readonly host?: string;
  /** Port of the service on this machine that it stands before; left out: it answers 200 to everything. */
  readonly before?: number;
};

/** What was seen of one request. */
export type SeenRequest = {
  readonly http: string;
  readonly userAgent: string;
  readonly host: string;
  /** Name in the client's certificate; `null` where it showed none. */
  readonly client: string | null;
};

export type EncryptedFront = {
  readonly port: number;
  readonly seen: readonly SeenRequest[];
  readonly close: () => void;
};

/** Ends TLS on this machine, before a service that is not encrypted. */
export async function startEncryptedFront(wish: FrontWish): Promise<EncryptedFront> {
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const answer = (
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ): void => {
    const { headers, httpVersion } = request;
    const peer = (request.socket as TLSSocket).getPeerCertificate();
    seen.push({
      http: httpVersion,
      userAgent: headers['user-agent'] ?? '',
      host: String(headers[':authority'] ?? headers.host ?? ''),
      client: peer.subject === undefined ? null : String(peer.subject.CN),
    });
    const { before } = wish;
    // Those of HTTP/2 are made to be used like these.
    const plain = response as ServerResponse;
    if (before === undefined) plain.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    else pass(request, plain, before);
  };
  const mutual =
    wish.clientCa === undefined ? {} : { ca: wish.clientCa, requestCert: true, rejectUnauthorized: true };
  const { http = '1.1', certificate, host = '127.0.0.1' } = wish;
  const server =
    http === '1.1'
      ? createHttpsServer({ ...certificate, ...mutual }, answer)
      : createSecureServer({ ...certificate, ...mutual, allowHTTP1: http === 'either' }, answer);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Hands a request on, and its answer back. */
function pass(request: IncomingMessage | Http2ServerRequest, response: ServerResponse, port: number): void {
  const kept = Object.entries(request.headers).filter(([name]) => !/^(:.*|connection|host)$/.test(name));
  const { method, url: path } = request;
  const onward = httpRequest(
    { host: '127.0.0.1', port, method, path, headers: Object.fromEntries(kept) },
    (from) => {
      const { connection, 'keep-alive': _keep, 'transfer-encoding': _coding, ...headers } = from.headers;
      response.writeHead(from.statusCode ?? 502, headers);
      from.pipe(response);
    },
  );
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}

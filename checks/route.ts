import { createSecureContext, TLSSocket } from 'node:tls';
import { buildConnector, type Dispatcher } from 'undici';
import { type ProxyAddress, portOf, readRedirection, type Transport } from '../contract/transport.ts';
import { TransportError } from './transport-error.ts';
import { type ProxyOptions, proxyConnector, tunnelConnector } from './tunnel.ts';

type Connector = buildConnector.connector;
type Socket = NonNullable<Parameters<Parameters<Connector>[1]>[1]>;

/** What is known of a connection once it is there. */
export type ConnectionFacts = {
  /** Position of the base URL. */
  readonly node: number;
  readonly url: string;
  readonly http: '1.1' | '2';
  /** Version of TLS, e.g. `TLSv1.3`, and who signed the certificate; `null` where nothing is encrypted. */
  readonly tls: { readonly version: string; readonly issuer: string } | null;
  /** Where the other end is, as address and port; `null` behind a proxy. */
  readonly address: string | null;
  readonly proxy: ProxyAddress | null;
};

/** How requests get to one node. */
export type Route = {
  /** For undici's `connect` option. */
  readonly connect: Connector;
  /** A request as it leaves: a proxy that forwards is told the whole address (RFC 9112 §3.2.2). */
  readonly onWire: (dispatch: Dispatcher.DispatchOptions) => Dispatcher.DispatchOptions;
  /**
   * What the service said last when it broke a connection off, as TLS has it; `null` where it never did. With TLS 1.3, a
   * client that lacks a certificate hears of it only after the connection is there (RFC 8446 §4.4.2.4).
   */
  readonly alert: () => Error | null;
};

export type RouteOptions = {
  readonly transport: Transport;
  readonly timeoutMs: number;
  /** Called for every connection. */
  readonly onConnected?: ((connected: ConnectionFacts) => void) | undefined;
};

/** The routes to all nodes; what they share, as the list of trusted authorities, is prepared once. */
export function routesTo(baseUrls: readonly string[], options: RouteOptions): readonly Route[] {
  const { trusted, client } = options.transport;
  const ca = trusted === null ? {} : { ca: [...trusted] };
  // Reading hundreds of certificates again for each connection would take longer than connecting.
  const forProxy = trusted === null ? {} : { secureContext: createSecureContext(ca) };
  const forService =
    client === null
      ? forProxy
      : { secureContext: createSecureContext({ ...ca, cert: client.cert, key: client.key }) };
  return baseUrls.map((text, node) => routeTo(new URL(text), { ...options, node, forProxy, forService }));
}

type Prepared = RouteOptions & {
  readonly node: number;
  readonly forProxy: object;
  readonly forService: object;
};

function routeTo(
  url: URL,
  { transport, timeoutMs, onConnected, node, forProxy, forService }: Prepared,
): Route {
  const { settings, proxies } = transport;
  const proxy = proxies[node] ?? null;
  const straight = straightConnector(url, { settings, timeoutMs, forService });
  const isForwarded = proxy !== null && url.protocol === 'http:';
  const connect = connectorBy(proxy, { straight, isForwarded, timeoutMs, trust: forProxy });
  let alert: Error | null = null;
  let issuer = '';
  return {
    alert: () => alert,
    connect: (target, callback) =>
      connect(target, (error, socket) => {
        if (error !== null || socket === null) return callback(error ?? new Error('no connection'), null);
        const refusal = settings.http === '2' ? withoutHttp2(socket, url) : null;
        if (refusal !== null) {
          socket.destroy();
          return callback(refusal, null);
        }
        socket.on('error', (broken: Error) => {
          if ('code' in broken && String(broken.code).startsWith('ERR_SSL_')) alert = broken;
        });
        issuer = issuerOf(socket) ?? issuer;
        onConnected?.(connectedBy(socket, { node, url, proxy, issuer }));
        return callback(null, socket);
      }),
    onWire: isForwarded ? (dispatch) => forwarded(dispatch, url, proxy) : (dispatch) => dispatch,
  };
}

type Ways = ProxyOptions & { readonly straight: Connector; readonly isForwarded: boolean };

function connectorBy(proxy: ProxyAddress | null, { straight, isForwarded, ...options }: Ways): Connector {
  if (proxy === null) return straight;
  if (isForwarded) return proxyConnector(proxy, options);
  return tunnelConnector(proxy, { ...options, within: straight });
}

type Straight = Pick<Prepared, 'timeoutMs' | 'forService'> & { readonly settings: Transport['settings'] };

function straightConnector(url: URL, { settings, timeoutMs, forService }: Straight): Connector {
  const isHttp2 = settings.http === '2';
  const family = settings.ip === undefined ? {} : { family: Number(settings.ip), autoSelectFamily: false };
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2: isHttp2,
    preferH2: isHttp2,
    ...family,
    ...forService,
  });
  const elsewhere = (settings.resolve ?? [])
    .map(readRedirection)
    .find((one) => one?.host === url.hostname && one.port === portOf(url));
  if (elsewhere === undefined || elsewhere === null) return connect;
  // The certificate is checked for the name, not for the address.
  const name = url.protocol === 'https:' ? { servername: url.hostname } : {};
  return (target, callback) => connect({ ...target, ...name, hostname: elsewhere.address }, callback);
}

function withoutHttp2(socket: Socket, { origin }: URL): TransportError | null {
  if (socket instanceof TLSSocket && socket.alpnProtocol === 'h2') return null;
  return new TransportError(
    'HTTP2_REFUSED',
    `${origin} does not speak HTTP/2: leave --http 2 out, and HTTP/1.1 is spoken`,
  );
}

/** `null` for a connection that goes on with the keys of an earlier one: it shows no certificate (RFC 8446 §2.2). */
function issuerOf(socket: Socket): string | null {
  const issuer = socket instanceof TLSSocket ? socket.getPeerCertificate().issuer : undefined;
  const name = issuer?.CN ?? issuer?.O;
  return name === undefined ? null : String(name);
}

function connectedBy(
  socket: Socket,
  {
    node,
    url,
    proxy,
    issuer,
  }: Pick<ConnectionFacts, 'node' | 'proxy'> & { readonly url: URL; readonly issuer: string },
): ConnectionFacts {
  const isEncrypted = socket instanceof TLSSocket;
  return {
    node,
    url: url.origin,
    http: isEncrypted && socket.alpnProtocol === 'h2' ? '2' : '1.1',
    tls: isEncrypted ? { version: socket.getProtocol() ?? 'TLS', issuer } : null,
    address: proxy === null ? `${socket.remoteAddress ?? ''} port ${socket.remotePort ?? ''}` : null,
    proxy,
  };
}

function forwarded(
  dispatch: Dispatcher.DispatchOptions,
  { origin }: URL,
  { authorization }: ProxyAddress,
): Dispatcher.DispatchOptions {
  const credentials = authorization === null ? {} : { 'proxy-authorization': authorization };
  return {
    ...dispatch,
    path: `${origin}${dispatch.path}`,
    headers: { ...(dispatch.headers as Readonly<Record<string, string>>), ...credentials },
  };
}

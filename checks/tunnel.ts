import { buildConnector } from 'undici';
import { type ProxyAddress, portOf } from '../contract/transport.ts';
import { failureText } from './failures.ts';
import { TransportError } from './transport-error.ts';

type Connector = buildConnector.connector;
type Socket = NonNullable<Parameters<Parameters<Connector>[1]>[1]>;

export type ProxyOptions = {
  readonly timeoutMs: number;
  /** How certificates of the proxy itself are checked, where it is spoken to by https://. */
  readonly trust: object;
};

/** Connects to a proxy, whatever it is asked for. */
export function proxyConnector({ url, source }: ProxyAddress, options: ProxyOptions): Connector {
  const proxy = new URL(url);
  const connect = buildConnector({ timeout: options.timeoutMs, allowH2: false, ...options.trust });
  const place: buildConnector.Options = {
    hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
    host: proxy.host,
    protocol: proxy.protocol,
    port: String(portOf(proxy)),
  };
  return (_target, callback) =>
    connect(place, (error, socket) => {
      if (error === null) return callback(null, socket as Socket);
      const what = `the proxy ${url} (${source}) cannot be reached: ${failureText(error)}. `;
      const fix = 'Check its address, or go without it: --proxy none';
      return callback(new TransportError('PROXY_UNREACHABLE', what + fix), null);
    });
}

/**
 * Connects through a proxy: asks it for a tunnel to the host (RFC 9110 §9.3.6), in which the connection is then encrypted
 * from end to end.
 */
export function tunnelConnector(
  proxy: ProxyAddress,
  { within, ...options }: ProxyOptions & { readonly within: Connector },
): Connector {
  const toProxy = proxyConnector(proxy, options);
  return (target, callback) =>
    toProxy(target, (error, socket) => {
      if (error !== null || socket === null) return callback(error ?? new Error('no connection'), null);
      const place = `${target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname}:${target.port || 443}`;
      askForTunnel(socket, { place, proxy, timeoutMs: options.timeoutMs }).then(
        () => within({ ...target, httpSocket: socket }, callback),
        (refusal: TransportError) => {
          socket.destroy();
          callback(refusal, null);
        },
      );
    });
}

type Asking = { readonly place: string; readonly proxy: ProxyAddress; readonly timeoutMs: number };

/** No head of an answer is longer, bytes. */
const headBytesMax = 16_384;

function askForTunnel(socket: Socket, { place, proxy, timeoutMs }: Asking): Promise<void> {
  const credentials = proxy.authorization === null ? '' : `Proxy-Authorization: ${proxy.authorization}\r\n`;
  socket.write(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n${credentials}\r\n`);
  return new Promise((resolve, reject) => {
    let head = '';
    const timer = setTimeout(() => end(refusalOf(null, place, proxy)), timeoutMs);
    const end = (refusal: TransportError | null): void => {
      clearTimeout(timer);
      socket.off('data', read).off('error', broken).off('close', broken).pause();
      if (refusal === null) resolve();
      else reject(refusal);
    };
    const broken = (): void => end(refusalOf(null, place, proxy));
    const read = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      const until = head.indexOf('\r\n\r\n');
      if (until === -1 && head.length < headBytesMax) return;
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
      end(status >= 200 && status < 300 && until !== -1 ? null : refusalOf(status, place, proxy));
    };
    socket.on('data', read).on('error', broken).on('close', broken);
  });
}

/** Why a proxy opens no tunnel, and what to set; `status` is `null` where it did not answer. */
function refusalOf(status: number | null, place: string, proxy: ProxyAddress): TransportError {
  const who = `the proxy ${proxy.url} (${proxy.source})`;
  if (status === 407) return new TransportError('PROXY_AUTHENTICATION', proxyUserText(proxy));
  if (status === null || status === 0)
    return new TransportError(
      'PROXY_REFUSED',
      `${who} did not answer CONNECT ${place}. Is it an HTTP proxy?`,
    );
  return new TransportError(
    'PROXY_REFUSED',
    `${who} answered ${status} to CONNECT ${place}: it does not let requests through to there. ` +
      'Ask whoever runs it, or go without it: NO_PROXY with the name of the host, or --proxy none',
  );
}

/** What a 407 of a proxy means, and what to set. */
function proxyUserText({ url, source, authorization }: ProxyAddress): string {
  const asks =
    authorization === null
      ? 'asks for a user and a password'
      : 'does not take the user and the password that it was given';
  const { protocol, host } = new URL(url);
  return (
    `the proxy ${url} (${source}) ${asks}: put them into the environment variable HTTPS_PROXY ` +
    `(HTTP_PROXY for http://), as ${protocol}//USER:PASSWORD@${host}`
  );
}

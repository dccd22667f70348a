import type { buildConnector } from 'undici';

type Socket = NonNullable<Parameters<Parameters<buildConnector.connector>[1]>[1]>;

export type WarmConnector = {
  /** For undici's `connect` option: hands out a connection opened ahead of time, or opens one. */
  readonly connect: buildConnector.connector;
  /** Opens connections ahead of time until so many are open; resolves with how many are. Takes no place in a window. */
  readonly open: (count: number) => Promise<number>;
  readonly close: () => void;
};

/** Connections that are open before the first request, so that connecting does not spread out a burst. */
export function warmConnector(baseUrl: URL, connector: buildConnector.connector): WarmConnector {
  let ready: Socket[] = [];
  const target: buildConnector.Options = {
    hostname: baseUrl.hostname.replace(/^\[|\]$/g, ''),
    host: baseUrl.host,
    protocol: baseUrl.protocol,
    port: baseUrl.port,
  };
  const openOne = (): Promise<void> =>
    new Promise((resolve) => {
      connector(target, (error, socket) => {
        if (error === null && socket !== null) {
          socket.on('error', ignore);
          ready.push(socket);
        }
        resolve();
      });
    });
  return {
    connect: (options, callback) => {
      const socket = nextOpen(ready);
      if (socket === undefined) connector(options, callback);
      else queueMicrotask(() => callback(null, socket));
    },
    open: async (count) => {
      ready = usable(ready);
      await Promise.all(Array.from({ length: Math.max(0, count - ready.length) }, openOne));
      ready = usable(ready);
      return ready.length;
    },
    close: () => {
      for (const socket of ready.splice(0)) socket.destroy();
    },
  };
}

/** `isUsable` finds a connection that died while it waited. undici listens for errors on those that it uses. */
function ignore(): void {
  // nothing to do: the state of the socket is looked at
}

/** The next one on which a request can be sent; those before it, on which none can, are closed. */
function nextOpen(ready: Socket[]): Socket | undefined {
  for (let socket = ready.pop(); socket !== undefined; socket = ready.pop()) {
    if (isUsable(socket)) {
      socket.off('error', ignore);
      return socket;
    }
    socket.destroy();
  }
  return undefined;
}

/** Those on which a request can be sent; the others are closed. */
function usable(ready: readonly Socket[]): Socket[] {
  const { open = [], ended = [] } = Object.groupBy(ready, (socket) => (isUsable(socket) ? 'open' : 'ended'));
  for (const socket of ended) socket.destroy();
  return open;
}

/**
 * A server gives up a connection on which it was asked nothing for long, and some say so by a 408 (RFC 9110 §15.5.9). It
 * would be taken for the answer to the first request. With HTTP/2, a server speaks first by right (RFC 9113 §3.4).
 */
function isUsable(socket: Socket): boolean {
  const isQuiet = socket.readableLength === 0 || ('alpnProtocol' in socket && socket.alpnProtocol === 'h2');
  return !socket.destroyed && socket.writable && isQuiet;
}

import { connect as connectPlain, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '../../clock.ts';

/** How often each held connection sends one more byte, ms. */
const dripMs = 250;

/** How long to wait until all of them are open, ms. */
const openMsMax = 2_000;

export type HeldConnections = {
  /** How many could be opened. */
  readonly opened: number;
  readonly close: () => void;
};

/** A connection to a receiver, by its scheme. */
function connectTo(target: URL): Socket {
  const { hostname, protocol } = target;
  const host = hostname.replace(/^\[|\]$/g, '');
  const port = target.port === '' ? defaultPort(protocol) : Number(target.port);
  // A name is sent for the certificate; an address must not be (RFC 6066 §3).
  const name = /[a-z]/i.test(host) && !host.includes(':') ? { servername: host } : {};
  return protocol === 'https:' ? connectTls({ host, port, ...name }) : connectPlain({ host, port });
}

function defaultPort(protocol: string): number {
  return protocol === 'https:' ? 443 : 80;
}

/** Opens connections that begin a request and send a byte of its head now and then, until they are closed. */
export async function holdConnections(target: URL, count: number): Promise<HeldConnections> {
  const sockets = Array.from({ length: count }, () => connectTo(target));
  const opened = await Promise.all(sockets.map((socket) => begun(socket, target)));
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('a');
  }, dripMs);
  return {
    opened: opened.filter((isOpen) => isOpen).length,
    close: () => {
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function begun(socket: Socket, { host, pathname, search, protocol }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), openMsMax);
    const end = (isOpen: boolean): void => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    socket.on('error', () => end(false));
    // The answer is not used, but must not fill a buffer.
    socket.resume();
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      socket.write(`POST ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `);
      end(true);
    });
  });
}

/** How long a receiver that has stopped listening may take to come back, ms: a supervisor starts it again. */
export const comeBackMsMax = 5_000;

const retryMs = 200;
const connectMsMax = 1_000;

type Waiting = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called where nothing listens at first, with the end of the wait. */
  readonly onWait: (untilMs: number) => void;
};

/** Waits until something listens at an address. Returns how long that took, ms; `null` where nothing did. */
export async function untilListening(
  target: URL,
  { clock, signal, onWait }: Waiting,
): Promise<number | null> {
  const sinceMs = clock.nowMs();
  for (let waitedMs = 0; waitedMs <= comeBackMsMax && !signal.aborted; waitedMs = clock.nowMs() - sinceMs) {
    if (await listens(target)) return waitedMs;
    onWait(sinceMs + comeBackMsMax);
    await sleep(retryMs, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

function listens(target: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTo(target);
    const end = (is: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(is);
    };
    const timer = setTimeout(() => end(false), connectMsMax);
    socket.once('error', () => end(false));
    socket.once('connect', () => end(true));
  });
}

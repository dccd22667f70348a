import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import type { ReceiverWay } from './receiver-way.ts';

/** How often each held connection sends one more byte, ms. */
const dripMs = 250;

/** How long to wait until all of them are open, ms. */
const openMsMax = 2_000;

export type HeldConnections = {
  /** How many could be opened. */
  readonly opened: number;
  readonly close: () => void;
};

/** Opens connections that begin a request and send a byte of its head now and then, until they are closed. */
export async function holdConnections(way: ReceiverWay, count: number): Promise<HeldConnections> {
  const over = new AbortController();
  const { target, onWire } = way;
  const { path } = onWire({ method: 'POST', path: `${target.pathname}${target.search}` });
  const begun = async (): Promise<Socket> => {
    const socket = await openUntil(way, over.signal);
    socket.on('error', () => undefined);
    // The answer is not used, but must not fill a buffer.
    socket.resume();
    socket.write(`POST ${path} HTTP/1.1\r\nHost: ${target.host}\r\nX-Slow: `);
    return socket;
  };
  const inTime = sleep(openMsMax, null, { ref: false });
  const sockets: Socket[] = [];
  const opened = await Promise.all(
    Array.from({ length: count }, () => {
      const opening = begun().then(
        (socket) => sockets.push(socket) > 0,
        () => false,
      );
      return Promise.race([opening, inTime]);
    }),
  );
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('a');
  }, dripMs);
  return {
    opened: opened.filter((isOpen) => isOpen === true).length,
    close: () => {
      over.abort();
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Socket = Awaited<ReturnType<ReceiverWay['open']>>;

/** A connection; one that comes too late is closed at once. */
async function openUntil(way: ReceiverWay, signal: AbortSignal): Promise<Socket> {
  const socket = await way.open();
  if (signal.aborted) socket.destroy();
  return socket;
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
  way: ReceiverWay,
  { clock, signal, onWait }: Waiting,
): Promise<number | null> {
  const sinceMs = clock.nowMs();
  for (let waitedMs = 0; waitedMs <= comeBackMsMax && !signal.aborted; waitedMs = clock.nowMs() - sinceMs) {
    if (await listens(way)) return waitedMs;
    onWait(sinceMs + comeBackMsMax);
    await sleep(retryMs, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

async function listens(way: ReceiverWay): Promise<boolean> {
  const late = AbortSignal.timeout(connectMsMax);
  const opening = openUntil(way, late).then(
    (socket) => {
      socket.destroy();
      return true;
    },
    () => false,
  );
  return Promise.race([opening, sleep(connectMsMax, false, { ref: false })]);
}

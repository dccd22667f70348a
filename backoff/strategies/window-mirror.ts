import type { KeptLimit } from '../pacer/kept-limits.ts';
import { type PacedAnswer, type PacerSettings, placeMarginMs } from '../pacer/pacer.ts';
import type { SentByAll } from '../pacer/pacers.ts';
import { createQueue, type Queue, type QueueClock, type QueueSettings, type Ticket } from '../pacer/queue.ts';
import { type Answer, nobody, type Random, type Sharers, type Strategy, toldMs } from '../strategy.ts';

/** The limit that is mirrored, and who shares it. */
export type MirroredLimit = {
  readonly limit: number;
  readonly windowMs: number;
  /** `key`: all processes keep one mirror; `process`: each keeps its share of the limit. */
  readonly sharedBy: 'process' | 'key';
  /** What is kept to in place of that limit, where it takes more, or something stricter. */
  readonly kept?: readonly KeptLimit[] | undefined;
};

/** A queue, as `paced` keeps one for each key and scope, and what the clients that share it know of it. */
export type WindowMirror = {
  readonly queue: Queue;
  readonly clock: TurnedClock;
  /** By client: what the queue calls to let it go, and whose that is. */
  readonly go: readonly Ticket['go'][];
  readonly clientOf: ReadonlyMap<Ticket['go'], number>;
  /** By client: its place in the queue, until its job is answered. */
  readonly tickets: (Ticket | null)[];
  /** By client: what it was let go with, until that is answered. */
  readonly sent: (SentByAll | null)[];
  /** Clients that were let go while another was asking or answered. */
  readonly released: number[];
  asking: number;
  /** Who sleeps until the next moment of the queue, and which moment that was. */
  watching: number;
  watchedMs: number;
};

/**
 * What `paced` does to requests, as a strategy of clients: the same queue with the same pacer says when a request may go.
 * Of those that it holds back, the first sleeps until the moment that the queue names, the others until they are called.
 */
export function windowMirror({ limit, windowMs, sharedBy, kept }: MirroredLimit): Strategy<WindowMirror> {
  const limits = kept ?? [{ limit, windowMs, isBlind: false, isBucket: false }];
  return {
    name: sharedBy === 'key' ? 'window mirror' : 'window mirror, a share each',
    sharedBy,
    gates: true,
    heedsRetryAfter: true,
    start(sharers) {
      const mirrored = limits.map((one): PacerSettings => {
        const ownMax = sharedBy === 'key' ? one.limit : placesOf(one.limit, sharers);
        return { ...one, ownMax, marginMs: placeMarginMs(one.windowMs) };
      });
      const settings = { limits: mirrored, queueMax: sharers.clients, onShorter: () => undefined };
      return emptyMirror(settings, sharers.clients);
    },
    next(mirror, answer, random) {
      mirror.asking = answer.client;
      mirror.clock.turnTo(answer.nowMs);
      const waitMs = answer.kind === 'ready' ? heldMs(mirror, answer) : heard(mirror, answer, random);
      mirror.asking = nobody;
      return [waitMs, mirror];
    },
    called: calledOf,
  };
}

/** Of a limit, the places of one process; all processes together have every one. */
export function placesOf(limit: number, { process, processes }: Omit<Sharers, 'clients'>): number {
  return Math.max(1, Math.floor(limit / processes) + (process < limit % processes ? 1 : 0));
}

function emptyMirror(settings: QueueSettings, clients: number): WindowMirror {
  const clock = turnedClock();
  const go = Array.from({ length: clients }, (_, client): Ticket['go'] => (request) => {
    mirror.sent[client] = request;
    if (client !== mirror.asking) mirror.released.push(client);
  });
  const mirror: WindowMirror = {
    queue: createQueue(settings, clock),
    clock,
    go,
    clientOf: new Map(go.map((one, client) => [one, client])),
    tickets: go.map(() => null),
    sent: go.map(() => null),
    released: [],
    asking: nobody,
    watching: nobody,
    watchedMs: Number.POSITIVE_INFINITY,
  };
  return mirror;
}

/** How long a client is held back, ms; 0 where it may send now, `Infinity` where it is to be called. */
function heldMs(mirror: WindowMirror, { client, nowMs }: Answer): number {
  const { queue, clock, go, tickets, sent } = mirror;
  tickets[client] ??= queue.enter(go[client] as Ticket['go']);
  if (sent[client] !== null) return 0;
  if (queue.first() !== tickets[client]) return Number.POSITIVE_INFINITY;
  watch(mirror, client);
  return clock.dueMs() - nowMs;
}

/** Tells the queue of an answer. Gives what it asks for, ms. */
function heard(mirror: WindowMirror, answer: Answer, random: Random): number {
  const { queue, tickets, sent } = mirror;
  const { client, kind } = answer;
  const [ticket, request] = [tickets[client], sent[client]];
  // Of what the queue did not let go it has nothing to learn.
  if (!ticket || !request) return toldMs(answer);
  sent[client] = null;
  queue.answered(request, pacedAnswer(answer, random));
  if (kind === 'limited') queue.again(ticket);
  // What was lost may have been counted: the job asks for another place.
  else tickets[client] = null;
  return toldMs(answer);
}

function pacedAnswer(answer: Answer, random: Random): PacedAnswer {
  const { kind, remaining, resetSeconds } = answer;
  // The limit it knows already, and no strategy is shown the header.
  const headers = {
    limit: null,
    remaining: remaining < 0 ? null : remaining,
    resetMs: resetSeconds === 0 ? null : resetSeconds * 1_000,
  };
  if (kind !== 'limited') return { kind: 'counted', headers };
  const waitMs = toldMs(answer);
  return { kind: 'refused', headers, toldMs: waitMs === 0 ? null : waitMs, draw: random() };
}

/** Whoever was let go; then the first in the queue, once for each moment of the queue until which it does not sleep yet. */
function calledOf(mirror: WindowMirror): number {
  const free = mirror.released.shift();
  if (free !== undefined) return free;
  const first = mirror.queue.first();
  const client = first === null ? nobody : (mirror.clientOf.get(first.go) ?? nobody);
  return watch(mirror, client) ? client : nobody;
}

/** Has a client sleep until the next moment of the queue; `false` where it does so already. */
function watch(mirror: WindowMirror, client: number): boolean {
  const dueMs = mirror.clock.dueMs();
  if (client === mirror.watching && dueMs === mirror.watchedMs) return false;
  mirror.watching = client;
  mirror.watchedMs = dueMs;
  return true;
}

/** A clock that stands still until it is turned, with the one timer that a queue has. */
type TurnedClock = QueueClock & {
  turnTo(nowMs: number): void;
  /** When the timer is due; `Infinity` where none is set. */
  dueMs(): number;
};

function turnedClock(): TurnedClock {
  let nowMs = 0;
  let timer: { readonly atMs: number; readonly call: () => void } | null = null;
  return {
    nowMs: () => nowMs,
    dueMs: () => timer?.atMs ?? Number.POSITIVE_INFINITY,
    at(atMs, call) {
      const mine = { atMs, call };
      timer = mine;
      return {
        cancel() {
          if (timer === mine) timer = null;
        },
      };
    },
    turnTo(momentMs) {
      nowMs = Math.max(nowMs, momentMs);
      if (timer === null || timer.atMs > nowMs) return;
      const { call } = timer;
      timer = null;
      call();
    },
  };
}

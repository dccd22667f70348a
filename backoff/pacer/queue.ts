import type { PacedAnswer, Pacer, PacerSettings } from './pacer.ts';
import { createPacers, type SentByAll } from './pacers.ts';

/** A monotonic clock in ms, and a timer on it. `cancel` of what has fired or was cancelled does nothing. */
export type QueueClock = {
  readonly nowMs: () => number;
  readonly at: (momentMs: number, call: () => void) => { cancel(): void };
};

/** One request in the queue. `go` is called once for each time that it may be sent. */
export type Ticket = {
  readonly order: number;
  readonly cost: number;
  readonly go: (request: SentByAll) => void;
};

/** The queue of one key and scope: first come, first served, a refused request before all that came after it. */
export type Queue = {
  /** `null` where the queue is full. A request takes as many places as it costs; left out: 1. */
  enter(go: Ticket['go'], cost?: number): Ticket | null;
  /** Back to its old place after a refusal. */
  again(ticket: Ticket): void;
  /** Out of the queue; `false` where it was not in it. */
  leave(ticket: Ticket): boolean;
  answered(request: SentByAll, answer: PacedAnswer): void;
  /** What was told to go did not leave this process. */
  withdrawn(request: SentByAll): void;
  readonly waiting: number;
  /** Who goes next; `null` where nobody waits. */
  first(): Ticket | null;
  idleFromMs(): number;
  /** Looks again whether something may be sent: another queue changed what they share. */
  wake(): void;
};

export type QueueSettings = {
  /** What a request has to pass, each limit of its scope alone. */
  readonly limits: readonly PacerSettings[];
  /** Limits that other queues keep to as well; left out: none. */
  readonly shared?: readonly Pacer[];
  /** Called when something was answered, or was not sent after all: queues that share a limit may go on. */
  readonly onFreed?: () => void;
  /** Who has a place as soon as an answer on its way is there does not count. */
  readonly queueMax: number;
  /** Called when fewer requests wait than before. */
  readonly onShorter: () => void;
};

export function createQueue(settings: QueueSettings, clock: QueueClock): Queue {
  const pacers = createPacers(settings.limits, settings.shared);
  /** A Set keeps the order of arrival and gives up any of its members at once. */
  const fresh = new Set<Ticket>();
  const refused: Ticket[] = [];
  let orders = 0;
  let timer: { cancel(): void } | null = null;
  let pumping = false;

  const first = (): Ticket | null => refused[0] ?? fresh.values().next().value ?? null;
  const remove = (ticket: Ticket): boolean => {
    const at = refused.indexOf(ticket);
    if (at !== -1) refused.splice(at, 1);
    const was = at !== -1 || fresh.delete(ticket);
    if (was) settings.onShorter();
    return was;
  };

  const waiting = (): number => fresh.size + refused.length;

  /** Sends what may be sent; at most as many as wait, for what comes in meanwhile starts it again. */
  const pump = (): void => {
    if (pumping) return;
    pumping = true;
    timer?.cancel();
    timer = null;
    try {
      for (let ticket = first(); ticket !== null; ticket = first()) {
        const may = pacers.permission(clock.nowMs(), ticket.cost);
        if (may.kind === 'wait') timer = clock.at(may.untilMs, pump);
        if (may.kind !== 'send') break;
        remove(ticket);
        ticket.go(pacers.sent(clock.nowMs(), ticket.cost));
      }
    } finally {
      pumping = false;
    }
  };

  return {
    enter(go, cost = 1) {
      const { queueMax } = settings;
      const isLong = waiting() >= queueMax;
      if (isLong && beyond(pacers.placesAhead(clock.nowMs()), refused, fresh) >= queueMax) return null;
      const ticket = { order: orders, cost, go };
      orders += 1;
      fresh.add(ticket);
      pump();
      return ticket;
    },
    again(ticket) {
      const later = refused.findIndex(({ order }) => order > ticket.order);
      refused.splice(later === -1 ? refused.length : later, 0, ticket);
      pump();
    },
    leave(ticket) {
      const was = remove(ticket);
      if (was) pump();
      return was;
    },
    answered(request, answer) {
      pacers.answered(request, answer, clock.nowMs());
      pump();
      settings.onFreed?.();
    },
    withdrawn(request) {
      pacers.withdrawn(request);
      pump();
      settings.onFreed?.();
    },
    get waiting() {
      return waiting();
    },
    first,
    wake: pump,
    idleFromMs: () => (first() === null ? pacers.idleFromMs() : Number.POSITIVE_INFINITY),
  };
}

/** How many wait but for the first ones, which have places as soon as an answer on its way is there. */
function beyond(places: number, refused: readonly Ticket[], fresh: ReadonlySet<Ticket>): number {
  let left = places;
  let count = refused.length + fresh.size;
  for (const tickets of [refused, fresh]) {
    for (const { cost } of tickets) {
      left -= cost;
      if (left < 0) return count;
      count -= 1;
    }
  }
  return count;
}

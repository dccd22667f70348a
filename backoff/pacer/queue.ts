import {
  answered,
  createPacer,
  idleFromMs,
  type PacedAnswer,
  type PacerSettings,
  permission,
  type Sent,
  sent,
  withdrawn,
} from './pacer.ts';

/** A monotonic clock in ms, and a timer on it. `cancel` of what has fired or was cancelled does nothing. */
export type QueueClock = {
  readonly nowMs: () => number;
  readonly at: (momentMs: number, call: () => void) => { cancel(): void };
};

/** One request in the queue. `go` is called once for each time that it may be sent. */
export type Ticket = { readonly order: number; readonly go: (request: Sent) => void };

/** The queue of one key and scope: first come, first served, a refused request before all that came after it. */
export type Queue = {
  /** `null` where the queue is full. */
  enter(go: Ticket['go']): Ticket | null;
  /** Back to its old place after a refusal. */
  again(ticket: Ticket): void;
  /** Out of the queue; `false` where it was not in it. */
  leave(ticket: Ticket): boolean;
  answered(request: Sent, answer: PacedAnswer): void;
  /** What was told to go did not leave this process. */
  withdrawn(): void;
  readonly waiting: number;
  /** Who goes next; `null` where nobody waits. */
  first(): Ticket | null;
  idleFromMs(): number;
};

export type QueueSettings = PacerSettings & {
  readonly queueMax: number;
  /** Called when fewer requests wait than before. */
  readonly onShorter: () => void;
};

export function createQueue(settings: QueueSettings, clock: QueueClock): Queue {
  const pacer = createPacer(settings);
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

  /** Sends what may be sent; at most as many as wait, for what comes in meanwhile starts it again. */
  const pump = (): void => {
    if (pumping) return;
    pumping = true;
    timer?.cancel();
    timer = null;
    try {
      for (let ticket = first(); ticket !== null; ticket = first()) {
        const may = permission(pacer, clock.nowMs());
        if (may.kind === 'wait') timer = clock.at(may.untilMs, pump);
        if (may.kind !== 'send') break;
        remove(ticket);
        ticket.go(sent(pacer, clock.nowMs()));
      }
    } finally {
      pumping = false;
    }
  };

  return {
    enter(go) {
      if (fresh.size + refused.length >= settings.queueMax) return null;
      const ticket = { order: orders, go };
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
      answered(pacer, request, answer, clock.nowMs());
      pump();
    },
    withdrawn() {
      withdrawn(pacer);
      pump();
    },
    get waiting() {
      return fresh.size + refused.length;
    },
    first,
    idleFromMs: () => (first() === null ? idleFromMs(pacer) : Number.POSITIVE_INFINITY),
  };
}

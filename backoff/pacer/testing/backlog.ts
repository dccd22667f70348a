import { type Limiter, openWindow } from '../../../limiters/limiter.ts';
import type { PacedAnswer, PacerSettings, SeenHeaders } from '../pacer.ts';
import type { SentByAll } from '../pacers.ts';
import { createQueue, type Ticket } from '../queue.ts';
import { virtualClock } from './virtual-clock.ts';

export type Backlog = {
  readonly limiter: Limiter<unknown>;
  readonly jobs: number;
  /** One way, ms; each drawn anew. */
  readonly latencyMs: () => number;
  /** From [0, 1). */
  readonly random: () => number;
  readonly headers: 'believed' | 'ignored';
  /** Processes that share the key, each with an equal part. */
  readonly processes?: number;
  /** When others used the key before, ms; the backlog begins at 0. */
  readonly earlierMs?: readonly number[];
  /** Share of the requests that are never answered, counted or not. */
  readonly lost?: number;
  /** What the clients keep to; left out: the limiter's own rate, shared evenly. */
  readonly kept?: readonly PacerSettings[];
  /** By job; left out: 1. */
  readonly costOf?: (job: number) => number;
};

export type DrainedBacklog = {
  /** Jobs in the order in which they were admitted, of each process. */
  readonly admitted: readonly (readonly number[])[];
  readonly refused: number;
  /** Sent before the wait that the last refusal of the process asked for was over. */
  readonly early: number;
  readonly makespanMs: number;
};

/** How long an answer that does not come is waited for, ms. */
const timeoutMs = 10_000;

/** A backlog that is there at once, drained through queues in virtual time at a service with the documented answers. */
export function drain(backlog: Backlog): DrainedBacklog {
  const { limiter, jobs, latencyMs, random, headers, processes = 1, earlierMs = [], lost = 0 } = backlog;
  const { kept, costOf = () => 1 } = backlog;
  const clock = virtualClock();
  const window = openWindow(limiter);
  for (const atMs of earlierMs) window.decide(atMs);
  const admitted: number[][] = [];
  const count = { refused: 0, early: 0, makespanMs: 0 };

  for (let process = 0; process < processes; process += 1) {
    const mine: number[] = [];
    admitted.push(mine);
    const { limit, windowMs } = limiter;
    const ownMax = Math.max(1, Math.floor(limit / processes));
    const marginMs = windowMs * 400e-6 + 2;
    const limits = kept ?? [{ limit, ownMax, windowMs, marginMs }];
    const queue = createQueue({ limits, queueMax: jobs, onShorter: () => undefined }, clock);
    let notBeforeMs = Number.NEGATIVE_INFINITY;

    const send = (job: number, ticket: () => Ticket, sent: SentByAll): void => {
      if (clock.nowMs() < notBeforeMs) count.early += 1;
      const isLost = random() < lost;
      if (isLost) clock.at(clock.nowMs() + timeoutMs, () => answer({ job, ticket, sent }, 'lost'));
      if (isLost && random() < 0.5) return;
      clock.at(clock.nowMs() + latencyMs(), () => {
        const decision = window.decide(clock.nowMs(), costOf(job));
        const seconds = Math.max(1, Math.ceil(decision.retryAfterMs / 1_000));
        const seen: SeenHeaders = {
          limit,
          remaining: decision.remaining,
          resetMs: Math.ceil(decision.resetMs / 1_000) * 1_000,
        };
        if (isLost) return;
        clock.at(clock.nowMs() + latencyMs(), () =>
          answer({ job, ticket, sent }, { seen, toldMs: decision.admitted ? null : seconds * 1_000 }),
        );
      });
    };
    const answer = (
      {
        job,
        ticket,
        sent,
      }: { readonly job: number; readonly ticket: () => Ticket; readonly sent: SentByAll },
      what: 'lost' | { readonly seen: SeenHeaders; readonly toldMs: number | null },
    ): void => {
      const known: PacedAnswer['headers'] =
        what === 'lost' || headers === 'ignored'
          ? { limit: null, remaining: null, resetMs: null }
          : what.seen;
      if (what !== 'lost' && what.toldMs !== null) {
        count.refused += 1;
        notBeforeMs = Math.max(notBeforeMs, clock.nowMs() + what.toldMs);
        queue.answered(sent, { kind: 'refused', headers: known, toldMs: what.toldMs, draw: random() });
        queue.again(ticket());
        return;
      }
      mine.push(job);
      count.makespanMs = clock.nowMs();
      queue.answered(sent, { kind: 'counted', headers: known });
    };

    for (let job = process; job < jobs; job += processes) {
      const held: { ticket: Ticket | null } = { ticket: null };
      const ticketOf = (): Ticket => {
        if (held.ticket === null) throw new Error('a job without a ticket');
        return held.ticket;
      };
      clock.at(0, () => {
        held.ticket = queue.enter((sent) => send(job, ticketOf, sent), costOf(job));
      });
    }
  }
  clock.run();
  return { admitted, ...count };
}

/** The shortest time in which this many requests fit into windows of an empty log: a window for each full one before. */
export function makespanMsLeast(jobs: number, { limit, windowMs }: Limiter<unknown>): number {
  return (Math.ceil(jobs / limit) - 1) * windowMs;
}

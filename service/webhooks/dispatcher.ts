import { attemptsPerTurnMax } from '../choices.ts';
import type { Journal } from './journal.ts';
import type { GaveUp, Outbox, OutboxEntry } from './outbox.ts';
import type { Poster } from './post.ts';
import { requestOf, type Sender } from './sender.ts';

export type DispatcherParts = {
  readonly outbox: Outbox;
  readonly journal: Journal | null;
  readonly poster: Poster;
  readonly sender: Sender;
  readonly secret: string;
  readonly nowMs: () => number;
  readonly onGiveUp: (gaveUp: GaveUp) => void;
};

/** How often a wait for the last events checks again, ms. */
const pollMs = 10;

/** Longest sleep of one timer; a longer wait is slept in parts. */
const sleepMsMax = 60_000;

/** Runs an outbox: takes what is due, sends it, and settles it. */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  #timer: NodeJS.Timeout | null = null;
  #isWaking = false;
  #isOpen = true;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Looks into the outbox in a later turn of the event loop, so that no request to the API waits for it. */
  wake(): void {
    if (this.#isWaking || !this.#isOpen) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      this.#sendDue();
    });
  }

  /** Waits until every accepted event is settled, at most `withinMs`. Returns whether they are. */
  async drained(withinMs: number): Promise<boolean> {
    return this.#becomes(({ waiting, underWay }) => waiting + underWay === 0, withinMs);
  }

  /** Starts no more attempts, and waits for those under way, at most `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#isOpen = false;
    this.#stopTimer();
    await this.#becomes(({ underWay }) => underWay === 0, graceMs);
    await this.#parts.poster.close();
    this.#parts.journal?.close();
  }

  #sendDue(): void {
    this.#stopTimer();
    const { outbox, nowMs } = this.#parts;
    for (let begun = 0; this.#isOpen; begun += 1) {
      if (begun === attemptsPerTurnMax) {
        this.wake();
        return;
      }
      const taken = outbox.take(nowMs());
      if (taken.kind === 'wait') {
        const sleepMs = Math.min(sleepMsMax, Math.max(1, taken.untilMs - nowMs()));
        this.#timer = setTimeout(() => this.#sendDue(), sleepMs);
      }
      if (taken.kind !== 'send') return;
      void this.#attempt(taken.entry);
    }
  }

  async #attempt({ body, eventId, kind, sequence }: OutboxEntry): Promise<void> {
    const { sender, poster, outbox, journal, nowMs, onGiveUp, secret } = this.#parts;
    const request = requestOf(sender, { body, eventId, secret });
    let attempted = await poster.post(request);
    for (let copy = 1; copy < sender.copies; copy += 1) attempted = await poster.post(request);
    const { settlement, done } = outbox.settle(sequence, attempted, nowMs());
    for (const one of done) journal?.settle(one);
    if (settlement.kind === 'give-up') onGiveUp({ eventId, kind, why: settlement.why });
    this.wake();
  }

  async #becomes(
    holds: (counts: { readonly waiting: number; readonly underWay: number }) => boolean,
    withinMs: number,
  ): Promise<boolean> {
    const untilMs = this.#parts.nowMs() + withinMs;
    while (!holds(this.#parts.outbox.counts())) {
      if (this.#parts.nowMs() >= untilMs) return false;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    return true;
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

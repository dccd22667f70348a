import type { PacedAnswer } from '../pacer/pacer.ts';
import type { SentByAll } from '../pacer/pacers.ts';
import type { Queue } from '../pacer/queue.ts';
import { askedMs, type CollectedRefusal } from './collected-refusal.ts';
import { type AnswerHeaders, type Moment, noHeaders, seenHeaders } from './headers.ts';
import type { PacedSettings } from './options.ts';

/** What is told of one sending. */
export type Account = {
  /** It took a place, or may have; `null` where no answer came. */
  counted(headers: AnswerHeaders | null): void;
  /** @returns how long the refusal asks to wait, ms. */
  refused(given: CollectedRefusal): number | null;
  /** It did not leave this process. */
  withdrawn(): void;
};

/** Of a request, what its account needs. */
type Accounted = {
  readonly queue: Queue;
  readonly settings: PacedSettings;
  readonly moment: () => Moment;
  /** From [0, 1), for the jitter. */
  readonly random: () => number;
};

/** Tells the queue what became of one sending; the first word counts. */
export function createAccount({ queue, settings, moment, random }: Accounted, sent: SentByAll): Account {
  let isTold = false;
  const headersOf = (headers: AnswerHeaders) =>
    settings.learnFromHeaders ? seenHeaders(headers, settings.readHeaders, moment()) : noHeaders;
  const answered = (given: PacedAnswer): void => {
    if (isTold) return;
    isTold = true;
    queue.answered(sent, given);
  };
  return {
    counted(headers) {
      answered({ kind: 'counted', headers: headers === null ? noHeaders : headersOf(headers) });
    },
    refused(given) {
      const toldMs = askedMs(given, moment(), settings);
      answered({ kind: 'refused', headers: headersOf(given.headers), toldMs, draw: random() });
      return toldMs;
    },
    withdrawn() {
      if (isTold) return;
      isTold = true;
      queue.withdrawn(sent);
    },
  };
}

import type { QueueClock } from '../pacer/queue.ts';

/** The queue's clock and the wall's beside it, for moments in calendar time. */
export type ProcessClock = QueueClock & { readonly wallMs: () => number };

/** A timer of Node takes no more, ms: it fires at once where it gets more. A longer wait is made of several. */
export const timerMsMax = 2_147_483_647;

/** This process's clocks. A timer keeps the process alive: somebody waits for the answer behind it. */
export const processClock: ProcessClock = {
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  at(momentMs, call) {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const leftMs = momentMs - performance.now();
      // Timers fire up to a millisecond early: whatever is left then is waited for too.
      if (leftMs <= 0) call();
      else timer = setTimeout(arm, Math.min(timerMsMax, Math.ceil(leftMs)));
    };
    timer = setTimeout(arm, Math.min(timerMsMax, Math.max(0, Math.ceil(momentMs - performance.now()))));
    return { cancel: () => clearTimeout(timer) };
  },
};

/** How often the meter looks at the clock, ms. */
const tickMs = 20;

/** Adds up how long this process was stalled. Data that arrived meanwhile was read that much later. */
export type StallMeter = {
  /** Since the meter was opened, ms; only grows. */
  readonly stalledMs: () => number;
  readonly close: () => void;
};

export function openStallMeter(nowMs: () => number): StallMeter {
  let lastMs = nowMs();
  let sumMs = 0;
  const look = (): void => {
    const atMs = nowMs();
    // A tick that is late by less than one tick is normal.
    const lateMs = atMs - lastMs - tickMs;
    if (lateMs > tickMs) sumMs += lateMs;
    lastMs = atMs;
  };
  const timer = setInterval(look, tickMs);
  timer.unref();
  return {
    stalledMs: () => {
      look();
      return sumMs;
    },
    close: () => clearInterval(timer),
  };
}

/** How often a time-out is extended because of stalls, at most: on a machine that is always busy it must end too. */
const grantsMax = 10;

export type RunningTimer = {
  readonly timeoutMs: number;
  /** Since the timer was started. */
  readonly stalledMs: () => number;
  readonly onEnd: () => void;
};

/**
 * Calls `onEnd` once, after `timeoutMs` in which this process ran. After a stall, a timer fires before the data that
 * arrived is read, so the time-out is extended by the stall, `grantsMax` times at most. Returns the function that stops
 * it.
 */
export function runningTimer({ timeoutMs, stalledMs, onEnd }: RunningTimer): () => void {
  let grantedMs = 0;
  let grants = 0;
  let timer = setTimeout(onTime, timeoutMs);
  function onTime(): void {
    const owedMs = stalledMs() - grantedMs;
    if (owedMs <= 0 || grants >= grantsMax) {
      onEnd();
      return;
    }
    grantedMs += owedMs;
    grants += 1;
    timer = setTimeout(onTime, owedMs);
  }
  return () => clearTimeout(timer);
}

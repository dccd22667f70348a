/** How often a time-out is put off for what this process did not run; on a machine that never comes to rest it ends. */
const grantsMax = 10;

export type RunningTimer = {
  readonly timeoutMs: number;
  /** Since the timer was started. */
  readonly stalledMs: () => number;
  readonly onEnd: () => void;
};

/**
 * Calls once after a time in which this process ran. After a stall a timer fires before what has arrived is read: so much
 * longer is waited, a few times at most. Gives what stops it.
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

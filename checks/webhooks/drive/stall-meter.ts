/** How often the meter looks at the clock, ms. */
const tickMs = 20;

/** Adds up how long this process did not come to run: whatever arrived meanwhile was seen that much later. */
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
    // A tick that is late by less than one is an ordinary one.
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

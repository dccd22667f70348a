/** How far the wall clock may move against the monotonic one in a run whose result is believed, ms. */
const steadyMs = 2;

/** Between two looks at the clocks, ms: a step forth and back within it goes unseen. */
const lookEveryMs = 50;

const runsMax = 4;

/**
 * Runs what depends on the wall clock of this machine, as k6 does; again where that was stepped meanwhile, which virtual
 * machines do at any moment. Gives what the run gave that no step disturbed, or else the last.
 */
export async function underSteadyClock<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let runs = 1; ; runs += 1) {
    const moved = watchClock();
    try {
      const result = await run();
      if (!moved.stop() || runs === runsMax) return result;
    } catch (error) {
      if (!moved.stop() || runs === runsMax) throw error;
    }
  }
}

function watchClock(): { stop(): boolean } {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const look = (): void => {
    const apartMs = apart();
    least = Math.min(least, apartMs);
    most = Math.max(most, apartMs);
  };
  look();
  const timer = setInterval(look, lookEveryMs);
  return {
    stop() {
      clearInterval(timer);
      look();
      return most - least > steadyMs;
    },
  };
}

/** Wall minus monotonic time, ms: of several looks the one that nothing came between. */
function apart(): number {
  let best = { apartMs: 0, tookMs: Number.POSITIVE_INFINITY };
  for (let looks = 0; looks < 5; looks += 1) {
    const fromMs = performance.now();
    const wallMs = Date.now();
    const tookMs = performance.now() - fromMs;
    if (tookMs < best.tookMs) best = { apartMs: wallMs - fromMs, tookMs };
  }
  return best.apartMs;
}

/** The most of these moments, ms and in their order, that lie within one second. */
export function mostWithinASecond(momentsMs: readonly number[]): number {
  let most = 0;
  let from = 0;
  for (const [at, ms] of momentsMs.entries()) {
    while (ms - (momentsMs[from] ?? ms) >= 1_000) from += 1;
    most = Math.max(most, at - from + 1);
  }
  return most;
}

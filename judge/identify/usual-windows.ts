/**
 * Lengths of window that limiters are usually set to, s, ascending. The schedule asks for each of them where no window is
 * expected, so the list is short: every length costs a request.
 */
export const usualSeconds = [
  1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 600, 900, 3_600,
] as const;

/** Lengths that divide a minute or an hour too, but are seldom set: known where they are met, and not asked for. */
const seldomSeconds = [3, 4, 6, 12, 40] as const;

/** How usual a seldom length is, beside a usual one. */
const seldomWeight = 0.2;

/** A length of window, and which share of all limiters is taken to have it; all shares sum to 1. */
export type UsualWindow = { readonly ms: number; readonly share: number };

/** How usual a minute is, beside any other usual length: most documents state requests per minute. */
const minuteWeight = 4;

/**
 * What is looked for, and what explanations are weighed by. The likeliest first: a minute, and then from the shortest
 * on.
 */
export const usualWindows: readonly UsualWindow[] = shared([
  { seconds: 60, weight: minuteWeight },
  ...usualSeconds.filter((seconds) => seconds !== 60).map((seconds) => ({ seconds, weight: 1 })),
  ...seldomSeconds.map((seconds) => ({ seconds, weight: seldomWeight })),
]);

type Weighted = { readonly seconds: number; readonly weight: number };

function shared(windows: readonly Weighted[]): readonly UsualWindow[] {
  const total = windows.reduce((sum, { weight }) => sum + weight, 0);
  return windows.map(({ seconds, weight }) => ({ ms: seconds * 1_000, share: weight / total }));
}

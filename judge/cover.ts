/** A stretch around a round: after the first of two moments, until the second, ms. */
export type Stretch = { readonly fromMs: number; readonly toMs: number };

/**
 * Stretches that cover a round of `roundMs` when they are laid around it, as few as a greedy choice finds; `null` where
 * they leave a part free.
 */
export function coverOf<One extends Stretch>(
  stretches: readonly One[],
  roundMs: number,
): readonly One[] | null {
  const whole = stretches.find(({ fromMs, toMs }) => toMs - fromMs >= roundMs);
  if (whole !== undefined) return [whole];
  const laid = stretches
    .filter(({ fromMs, toMs }) => toMs > fromMs)
    .map((one) => {
      const beginMs = one.fromMs - Math.floor(one.fromMs / roundMs) * roundMs;
      return { one, beginMs, endMs: beginMs + (one.toMs - one.fromMs) };
    })
    .sort((left, right) => left.beginMs - right.beginMs);
  // Whichever one is the first, those after it reach as far as they can: only who covers the beginning can be the first.
  const around = laid.map((each) => ({
    ...each,
    beginMs: each.beginMs - roundMs,
    endMs: each.endMs - roundMs,
  }));
  const last = around.filter(({ endMs }) => endMs > 0);
  const first = last.reduce<(typeof laid)[number] | null>(
    (best, each) => (best === null || each.endMs > best.endMs ? each : best),
    null,
  );
  const chosen: One[] = first === null ? [] : [first.one];
  let reachedMs = first === null ? 0 : first.endMs;
  const goalMs = first === null ? roundMs : Math.max(first.beginMs + roundMs, reachedMs);
  let at = 0;
  while (reachedMs < goalMs) {
    let best: (typeof laid)[number] | null = null;
    for (; at < laid.length && (laid[at]?.beginMs ?? 0) <= reachedMs; at += 1) {
      const each = laid[at] as (typeof laid)[number];
      if (best === null || each.endMs > best.endMs) best = each;
    }
    if (best === null || best.endMs <= reachedMs) return null;
    chosen.push(best.one);
    reachedMs = best.endMs;
  }
  return [...new Set(chosen)];
}

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
    // One that begins at an end that is not known would stand in no order.
    .filter(({ fromMs, toMs }) => toMs > fromMs)
    .map((one) => {
      const beginMs = one.fromMs - Math.floor(one.fromMs / roundMs) * roundMs;
      return { one, beginMs, endMs: beginMs + (one.toMs - one.fromMs) };
    })
    .sort((left, right) => left.beginMs - right.beginMs);
  const chosen: One[] = [];
  let reachedMs = 0;
  // Those after the first reach as far as they can: only who reaches past the end, around to the beginning, can be the first.
  const first = farthest(laid);
  if (first !== null && first.endMs > roundMs) {
    chosen.push(first.one);
    reachedMs = first.endMs - roundMs;
  }
  let at = 0;
  while (reachedMs < roundMs) {
    const from = at;
    while (at < laid.length && (laid[at] as Laid<One>).beginMs <= reachedMs) at += 1;
    const next = farthest(laid.slice(from, at));
    if (next === null) return null;
    chosen.push(next.one);
    // Less far than before, where all that is left ends too early: then none begins by then.
    reachedMs = next.endMs;
  }
  return [...new Set(chosen)];
}

/** A stretch that begins within the first round. */
type Laid<One> = { readonly one: One; readonly beginMs: number; readonly endMs: number };

/** The one that reaches farthest; of several the first. */
function farthest<One>(laid: readonly Laid<One>[]): Laid<One> | null {
  return laid.reduce<Laid<One> | null>(
    (best, each) => (best === null || each.endMs > best.endMs ? each : best),
    null,
  );
}

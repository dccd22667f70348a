/**
 * A stretch of time, ms. Whoever makes one says which of its ends belong to it; around a round it is what comes after the
 * first, until the second.
 */
export type Stretch = { readonly fromMs: number; readonly toMs: number };

/**
 * Stretches that cover a round of `roundMs` when they are laid around it, as few as a greedy choice finds; `null` where
 * they leave a part free. One that ends before it begins covers nothing.
 */
export function coverOf<One extends Stretch>(
  stretches: readonly One[],
  roundMs: number,
): readonly One[] | null {
  const whole = stretches.find(({ fromMs, toMs }) => toMs - fromMs >= roundMs);
  if (whole !== undefined) return [whole];
  const laid = laidAround(stretches, roundMs);
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

/** The parts of a round that stretches leave free, ascending: each from its beginning on, the last one perhaps around it. */
export function leftFree(stretches: readonly Stretch[], roundMs: number): readonly Stretch[] {
  const laid = laidAround(stretches, roundMs);
  const [first] = laid;
  if (first === undefined) return [{ fromMs: 0, toMs: roundMs }];
  const free: Stretch[] = [];
  // What reaches past the end covers some of the beginning too.
  let reachedMs = Math.max(first.beginMs, (farthest(laid) as Laid<Stretch>).endMs - roundMs);
  for (const { beginMs, endMs } of laid) {
    if (beginMs > reachedMs) free.push({ fromMs: reachedMs, toMs: beginMs });
    reachedMs = Math.max(reachedMs, endMs);
  }
  const againMs = first.beginMs + roundMs;
  return againMs > reachedMs ? [...free, { fromMs: reachedMs, toMs: againMs }] : free;
}

/** Whether a stretch covers a part of the round, wherever they are laid around it. */
export function covers({ fromMs, toMs }: Stretch, part: Stretch, roundMs: number): boolean {
  if (toMs - fromMs >= roundMs) return true;
  const turnsMs = Math.floor((part.fromMs - fromMs) / roundMs) * roundMs;
  return toMs + turnsMs >= part.toMs;
}

/** Those that cover something, each from within the first round on, in their order there. */
function laidAround<One extends Stretch>(stretches: readonly One[], roundMs: number): readonly Laid<One>[] {
  return (
    stretches
      // One that begins at an end that is not known would stand in no order.
      .filter(({ fromMs, toMs }) => toMs > fromMs)
      .map((one) => {
        const beginMs = one.fromMs - Math.floor(one.fromMs / roundMs) * roundMs;
        return { one, beginMs, endMs: beginMs + (one.toMs - one.fromMs) };
      })
      .sort((left, right) => left.beginMs - right.beginMs)
  );
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

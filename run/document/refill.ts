/** What a bucket's reset tells: how many places were missing, and how long it takes until all are back. */
export type Refill = {
  readonly missing: number;
  readonly seconds: number;
  /** In how long a whole bucket fills; `null` where that is not known well enough. */
  readonly wholeSeconds: number | null;
};

/** One answer of a limit: when its reset is, and when it had come. */
type Told = {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetMs: number | null;
  readonly receivedMs: number;
};

type Full = {
  readonly limit: number;
  readonly missing: number;
  readonly resetMs: number;
  readonly receivedMs: number;
};

/** What a clock and a network may add, ms. */
const slackMs = 100;
/** The time to go has to be so many times as long as what it is rounded to. */
const wellKnown = 5;

/**
 * Whether the reset says when a bucket is full again, and not when a window ends: it moves further than the time that passed, by
 * places that were taken; or places came back within seconds.
 * @param roundedMs what the reset is rounded to.
 */
export function refillOf(told: readonly Told[], roundedMs: number): Refill | null {
  const known = told.flatMap(fullOf);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || known.length < told.length || known.length < 2)
    return null;
  const tolerated = roundedMs + slackMs;
  const isOutrun = known.some((one, at) => {
    const before = known[at - 1];
    return before !== undefined && one.missing > before.missing && aheadMs(before, one) > tolerated;
  });
  const taken = last.missing - first.missing;
  const back = known.length - 1 - taken;
  // Of a bucket that says when it is full, no more came back than that leaves time for.
  const backMs = (back * (last.resetMs - last.receivedMs)) / Math.max(1, last.missing);
  const isBack =
    taken >= 0 && back > 0 && backMs <= last.receivedMs - first.receivedMs + (1 + back) * tolerated;
  // A new window begins where the end jumps though no more is missing.
  const isNew = taken <= 0 && aheadMs(first, last) > tolerated + roundedMs;
  if (!isOutrun && (!isBack || isNew)) return null;
  const most = known.reduce((one, other) => (other.missing > one.missing ? other : one));
  return {
    missing: most.missing,
    seconds: Math.round((most.resetMs - most.receivedMs) / 100) / 10,
    wholeSeconds: isOutrun ? wholeSeconds(known, roundedMs) : null,
  };
}

/** Longer ones are none: their reset is in another unit. */
const wholeSecondsMax = 2_678_400;

/** In how long a whole bucket fills. A place that is on its way is missing too, so the longest is the nearest. */
function wholeSeconds(known: readonly Full[], roundedMs: number): number | null {
  const all = known.flatMap(({ limit, missing, resetMs, receivedMs }) => {
    const toGoMs = resetMs - receivedMs;
    return missing > 0 && toGoMs >= wellKnown * roundedMs ? [(limit * toGoMs) / missing / 1_000] : [];
  });
  const longest = Math.max(...all);
  return all.length > 0 && longest <= wholeSecondsMax ? longest : null;
}

function fullOf({ limit, remaining, resetMs, receivedMs }: Told): readonly Full[] {
  // Refusals take no places.
  if (limit === null || remaining === null || remaining === 0 || resetMs === null) return [];
  return [{ limit, missing: limit - remaining, resetMs, receivedMs }];
}

/** How much further the reset moved than time went on, ms. */
function aheadMs(from: Full, to: Full): number {
  return to.resetMs - from.resetMs - (to.receivedMs - from.receivedMs);
}

/**
 * What one answer of a counter on a grid asks of the cell that it was given in, which began at `startMs`. `counted` had
 * been decided by then, in any cell; `previous` of them before the cell before; and that cell still weighs by `overlap`.
 */
export type CellDemand = {
  readonly at: number;
  readonly startMs: number;
  readonly counted: number;
  readonly previous: number;
  readonly overlap: number;
};

/** Of a long trace there are hundreds of thousands: each is looked at once, and none is kept. */
export type CellDemands = {
  /** The counter stood above this at each of them, with the most that may be counted. */
  readonly above: { readonly count: number; readonly by: Iterable<CellDemand> };
  /** The counter stood below this at each of them, with the least that is surely counted. */
  readonly below: { readonly count: number; readonly by: Iterable<CellDemand> };
};

/**
 * What was on its way when a cell began was decided before that or after it, and so it counts once: each answer in the
 * cell asks how many were decided before, and the same number has to do for all of them. Gives the positions of those
 * for which no number does.
 */
export function contradictedCells({ above, below }: CellDemands): readonly number[] {
  const least = new Map<number, number>();
  for (const demand of below.by) {
    if (!isWithin(demand)) continue;
    const known = least.get(demand.startMs) ?? Number.NEGATIVE_INFINITY;
    least.set(demand.startMs, Math.max(known, decidedBefore(demand, below.count)));
  }
  const contradicted: number[] = [];
  for (const demand of above.by) {
    if (!isWithin(demand)) continue;
    const moreThan = least.get(demand.startMs) ?? Number.NEGATIVE_INFINITY;
    const isNone = Math.floor(moreThan - rounding) + 1 >= decidedBefore(demand, above.count) + rounding;
    if (isNone) contradicted.push(demand.at);
  }
  return contradicted;
}

/** At the beginning of a cell it makes no difference in which of the two a request counts. */
function isWithin({ overlap }: CellDemand): boolean {
  return overlap < 1;
}

/** How many were decided before the cell if the counter stood at `count`. */
function decidedBefore({ counted, previous, overlap }: CellDemand, count: number): number {
  return (counted - previous * overlap - count) / (1 - overlap);
}

/** Far less than one request. */
const rounding = 1e-6;

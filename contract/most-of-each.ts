/** How some of many are chosen: what takes turns, and what comes first of each. */
export type Choosing<Item> = {
  readonly of: (item: Item) => string;
  /** The greater comes first; of equals the one that stands first. */
  readonly weight: (item: Item) => number;
};

/**
 * So many items, in their order: of each kind in turn the one of most weight that is left. So that many of one kind leave
 * room for the others.
 */
export function mostOfEach<Item>(
  items: readonly Item[],
  most: number,
  { of, weight }: Choosing<Item>,
): readonly Item[] {
  if (items.length <= most) return items;
  const byWeight = <One extends Weighed>(left: One, right: One): number => right.weight - left.weight;
  const weighed = items.map((item, at) => ({ at, kind: of(item), weight: weight(item) }));
  const inTurns = [...Map.groupBy(weighed, ({ kind }) => kind).values()]
    .flatMap((alike) => alike.sort(byWeight).map((one, turn) => ({ ...one, turn })))
    .sort((left, right) => left.turn - right.turn || byWeight(left, right));
  const kept = new Set(inTurns.slice(0, most).map(({ at }) => at));
  return items.filter((_, at) => kept.has(at));
}

type Weighed = { readonly weight: number };

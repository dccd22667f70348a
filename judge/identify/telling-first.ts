/** Positions in the order in which they are asked about, for each list of positions. */
const orders = new WeakMap<readonly number[], number[]>();

type Asked = {
  readonly isContradicted: (at: number) => boolean;
  /** Ends as soon as more than so many are. */
  readonly giveUpAt: number;
};

/**
 * Those positions of a list that some settings contradict, ascending. The same list is asked about for thousands of settings,
 * most of which are wrong: what contradicted others comes first, so that few positions are asked about before the end.
 */
export function contradicting(
  positions: readonly number[],
  { isContradicted, giveUpAt }: Asked,
): readonly number[] {
  const order = orderOf(positions);
  const found: number[] = [];
  for (let place = 0; place < order.length && found.length <= giveUpAt; place += 1) {
    const at = order[place] as number;
    if (!isContradicted(at)) continue;
    const first = found.length;
    order[place] = order[first] as number;
    order[first] = at;
    insert(found, at);
  }
  return found;
}

/** Into an ascending list. Mostly there are a few: to sort them all takes more than half of the memory of such a question. */
function insert(ascending: number[], value: number): void {
  let place = ascending.length;
  for (; place > 0 && (ascending[place - 1] as number) > value; place -= 1)
    ascending[place] = ascending[place - 1] as number;
  ascending[place] = value;
}

function orderOf(positions: readonly number[]): number[] {
  const known = orders.get(positions);
  if (known !== undefined) return known;
  const order = [...positions];
  orders.set(positions, order);
  return order;
}

import { insertAscending } from '../insert-ascending.ts';

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
  let found = 0;
  for (let place = 0; place < order.length && found <= giveUpAt; place += 1) {
    const at = order[place] as number;
    if (!isContradicted(at)) continue;
    order[place] = order[found] as number;
    insertAscending(order, at, found);
    found += 1;
  }
  return order.slice(0, found);
}

function orderOf(positions: readonly number[]): number[] {
  const known = orders.get(positions);
  if (known !== undefined) return known;
  const order = [...positions];
  orders.set(positions, order);
  return order;
}

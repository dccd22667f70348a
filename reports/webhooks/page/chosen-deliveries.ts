import { groupsOf, placesOf, setKey, type TextKeys, textKeys } from '../../../contract/text-groups.ts';
import { linesMax, type PageDeliveries, type PageDelivery, triesShownMax } from './page-delivery.ts';

/** Groups of one sort that are chosen: a page has room for fewer, since each takes more than half a kilobyte. */
const groupsMax = 1_000;

export type Choosing<Item> = {
  /** In order of arrival, as often as they are asked for. */
  readonly items: Iterable<Item> & { readonly length: number };
  /** The same for an event and its repetitions. */
  readonly groupOf: (item: Item) => string;
  /** Whether it shows what is wrong. */
  readonly isFlawed: (item: Item) => boolean;
  readonly shown: (item: Item) => PageDelivery;
};

/**
 * What a page can show of deliveries, of which there may be millions: they are read twice, and only the chosen are held.
 */
export function chosenDeliveries<Item>({ items, groupOf, isFlawed, shown }: Choosing<Item>): PageDeliveries {
  const lines: PageDelivery[] = [];
  const flawed = new Set<number>();
  const keys = textKeys(items.length);
  let total = 0;
  for (const item of items) {
    setKey(keys, total, groupOf(item));
    if (isFlawed(item)) flawed.add(total);
    if (total < linesMax) lines.push(shown(item));
    total += 1;
  }
  const chosen = chosenGroups(keys, total, flawed);
  const read = readAt(items, new Set(chosen.flatMap(({ tries, last }) => [...tries, last])), shown);
  const at = (place: number): readonly PageDelivery[] => read.get(place) ?? [];
  return {
    total,
    lines,
    groups: chosen.map(({ tries, last, ...group }) => ({
      ...group,
      tries: tries.flatMap(at),
      last: at(last)[0] as PageDelivery,
    })),
  };
}

type Chosen = {
  readonly sort: 'flawed' | 'repeated' | 'single';
  readonly length: number;
  /** Places of the first of them, and of the last. */
  readonly tries: readonly number[];
  readonly last: number;
};

/** The first groups of each sort, in the order of their first deliveries. */
function chosenGroups(keys: TextKeys, total: number, flawed: ReadonlySet<number>): readonly Chosen[] {
  const counts = { flawed: 0, repeated: 0, single: 0 };
  const chosen: Chosen[] = [];
  for (const group of groupsOf(placesOf(keys, total))) {
    const repeated = group.length > 1 ? 'repeated' : 'single';
    const sort = group.some((place) => flawed.has(place)) ? 'flawed' : repeated;
    counts[sort] += 1;
    const last = group.at(-1);
    if (counts[sort] > groupsMax || last === undefined) continue;
    chosen.push({ sort, length: group.length, tries: group.slice(0, triesShownMax), last });
  }
  return chosen;
}

function readAt<Item>(
  items: Iterable<Item>,
  places: ReadonlySet<number>,
  shown: (item: Item) => PageDelivery,
): ReadonlyMap<number, readonly PageDelivery[]> {
  const read = new Map<number, readonly PageDelivery[]>();
  let place = -1;
  for (const item of items) {
    place += 1;
    if (places.has(place)) read.set(place, [shown(item)]);
    if (read.size === places.size) break;
  }
  return read;
}

import { groupsOf, placesOf, setKey, type TextKeys, textKeys } from '../../../contract/text-groups.ts';
import {
  bodyCharactersMax,
  detailBytesMax,
  lineCharactersMax,
  linesMax,
  type PageDeliveries,
  type PageDelivery,
  type PageGroup,
  type PageLine,
  triesShownMax,
} from './page-delivery.ts';

export type Choosing<Item> = {
  /** In order of arrival, as often as they are asked for. */
  readonly items: Iterable<Item> & { readonly length: number };
  /** The same for an event and its repetitions. */
  readonly groupOf: (item: Item) => string;
  /** Whether it shows what is wrong. */
  readonly isFlawed: (item: Item) => boolean;
  /** What may make it long. */
  readonly parts: (item: Item) => Parts;
  readonly shown: (item: Item) => PageDelivery;
};

type Parts = Pick<PageDelivery, 'headers' | 'body'>;

/** Words and marks around one delivery that is shown in full take more bytes than this. */
const frameBytesMin = 300;

/**
 * What a page can show of deliveries, of which there may be millions: they are read twice, and only the chosen are held.
 */
export function chosenDeliveries<Item>(choosing: Choosing<Item>): PageDeliveries {
  const { items, groupOf, isFlawed, parts, shown } = choosing;
  const lines: PageLine[] = [];
  const flawed = new Set<number>();
  const keys = textKeys(items.length);
  const leastBytes = new Uint16Array(items.length);
  let total = 0;
  for (const item of items) {
    setKey(keys, total, groupOf(item));
    if (isFlawed(item)) flawed.add(total);
    leastBytes[total] = leastBytesOf(parts(item));
    if (total < linesMax) lines.push(lineOf(shown(item)));
    total += 1;
  }
  const chosen = chosenGroups(keys, { total, flawed, leastBytes });
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

/** What is held of a delivery for a line: not its body, which may be a megabyte. */
function lineOf({ index, atMs, name, about, signatureWord, answer }: PageDelivery): PageLine {
  return { index, atMs, name, about, signatureWord, answer };
}

/** A page takes at least so many bytes to show a delivery in full. */
function leastBytesOf({ headers, body }: Parts): number {
  const lines = headers.reduce((sum, line) => sum + Math.min(line.join('').length, lineCharactersMax), 0);
  return Math.min(frameBytesMin + lines + Math.min(body?.length ?? 0, bodyCharactersMax), 0xff_ff);
}

type Chosen = Pick<PageGroup, 'sort' | 'length'> & {
  /** Places of the first of them, and of the last. */
  readonly tries: readonly number[];
  readonly last: number;
};

type Choice = {
  readonly total: number;
  readonly flawed: ReadonlySet<number>;
  readonly leastBytes: Uint16Array;
};

/**
 * The first groups of each sort, in the order of their first deliveries: no page has room for more, since it shows one
 * sort after the other.
 */
function chosenGroups(keys: TextKeys, { total, flawed, leastBytes }: Choice): readonly Chosen[] {
  const bytes = { flawed: 0, repeated: 0, single: 0 };
  const chosen: Chosen[] = [];
  for (const group of groupsOf(placesOf(keys, total))) {
    const repeated = group.length > 1 ? 'repeated' : 'single';
    const sort = group.some((place) => flawed.has(place)) ? 'flawed' : repeated;
    const last = group.at(-1);
    if (bytes[sort] > detailBytesMax || last === undefined) continue;
    const tries = group.slice(0, triesShownMax);
    bytes[sort] += tries.reduce((sum, place) => sum + (leastBytes[place] as number), 0);
    chosen.push({ sort, length: group.length, tries, last });
  }
  const before = { flawed: 0, repeated: bytes.flawed, single: bytes.flawed + bytes.repeated };
  return chosen.filter(({ sort }) => before[sort] <= detailBytesMax);
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

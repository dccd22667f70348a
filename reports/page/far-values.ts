import { grouped } from '../../contract/quantities.ts';

/** Values of a chart with those apart that would leave the others no room. */
export type Spread<Item> = {
  /** The least and the largest of the values that are drawn in their place; `null` where there is none. */
  readonly span: readonly [low: number, high: number] | null;
  /** Items whose value lies further from 0 than is drawn. */
  readonly far: readonly Item[];
};

/** One pass, however many there are. Items without a value are in neither. */
export function spreadOf<Item>(
  items: readonly Item[],
  numberOf: (item: Item) => number | null,
  most: number,
): Spread<Item> {
  let span: [number, number] | null = null;
  const far: Item[] = [];
  for (const item of items) {
    const value = numberOf(item);
    if (value === null) continue;
    if (!(Math.abs(value) <= most)) far.push(item);
    else span = span === null ? [value, value] : [Math.min(span[0], value), Math.max(span[1], value)];
  }
  return { span, far };
}

const units = [
  { name: 'years', seconds: 31_556_952 },
  { name: 'days', seconds: 86_400 },
  { name: 'hours', seconds: 3_600 },
  { name: 'minutes', seconds: 60 },
] as const;

/** How far away a moment is, in the largest unit of which there are two: "55,772 years ahead". */
export function awayText(seconds: number): string {
  const size = Math.abs(seconds);
  const unit = units.find((one) => size >= 2 * one.seconds) ?? { name: 's', seconds: 1 };
  return `${grouped(Math.round(size / unit.seconds))} ${unit.name} ${seconds < 0 ? 'ago' : 'ahead'}`;
}

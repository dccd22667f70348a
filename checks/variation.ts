/**
 * A number from 0 up to 1 for one detail of a run that does not announce itself. It depends on the seed, the detail's
 * name and its position alone, so that a schedule stays a pure function of what has been answered.
 */
export type Vary = (detail: string, at?: number) => number;

/** The variation of one part of a run, e.g. one scope's schedule. */
export function varyBy(seed: number, part: string): Vary {
  const begun = mixed(0x9e3779b9, `${seed} ${part} `);
  return (detail, at = 0) => fractionOf(mixed(mixed(begun, detail), ` ${at}`));
}

/** What a detail is in a run that announces itself, and from where to where it is drawn in one that does not. */
export type DrawnRange = { readonly usual: number; readonly least: number; readonly most: number };

/** The value of a detail; `vary` is `null` in a run that announces itself. */
export function drawn(vary: Vary | null, range: DrawnRange, detail: string, at = 0): number {
  return vary === null ? range.usual : range.least + vary(detail, at) * (range.most - range.least);
}

/** The same for a whole number; the largest value is as likely as the others. */
export function drawnInteger(vary: Vary | null, range: DrawnRange, detail: string, at = 0): number {
  const { usual, least, most } = range;
  return vary === null ? usual : Math.floor(least + vary(detail, at) * (most - least + 1));
}

/** The items in another order. */
export function shuffled<Item>(vary: Vary | null, items: readonly Item[], detail: string): readonly Item[] {
  if (vary === null) return items;
  return items
    .map((item, at) => ({ item, rank: vary(detail, at) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ item }) => item);
}

/** Agents that many clients of an API have. */
const usualAgents = [
  'axios/1.7.9',
  'curl/8.5.0',
  'Go-http-client/1.1',
  'okhttp/4.12.0',
  'python-requests/2.32.3',
] as const;

/** The User-Agent of a run that does not announce itself. */
export function neutralAgent(seed: number): string {
  const at = Math.floor(varyBy(seed, 'run')('agent') * usualAgents.length);
  return usualAgents[at] ?? usualAgents[0];
}

/** Each character of a text mixed into 32 bits by a multiplication. */
function mixed(begun: number, text: string): number {
  let bits = begun;
  for (let at = 0; at < text.length; at += 1) {
    bits = Math.imul(bits ^ text.charCodeAt(at), 0x2c1b3c6d);
    bits ^= bits >>> 15;
  }
  return bits;
}

/** Such bits spread evenly over 0 to 1. */
function fractionOf(mixedBits: number): number {
  let bits = Math.imul(mixedBits ^ (mixedBits >>> 13), 0x297a2d39);
  bits ^= bits >>> 16;
  return (bits >>> 0) / 2 ** 32;
}

/** Smallest file of a spread, bytes. */
export const fileBytesMin = 4;

/**
 * Size of the file at `index` of `count`, bytes: a geometric ladder from `fileBytesMin` to `bytesMax`, so that
 * small and large files meet in one burst (45 files up to 1 MiB are 4.3 MB together). Neighbours on the wire are
 * not neighbours on the ladder: even positions climb from the bottom, odd ones from the top.
 */
export function fileBytesAt(index: number, count: number, bytesMax: number): number {
  if (count < 2) return bytesMax;
  const step = index % 2 === 0 ? index / 2 : count - (index + 1) / 2;
  const ratio = bytesMax / fileBytesMin;
  return Math.round(fileBytesMin * ratio ** (step / (count - 1)));
}

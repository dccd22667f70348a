/** Times in pictures: hundredths of a millisecond, which is below what any clock of a client tells. */
export function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}

/** The known words that are closest to a misspelt one, best first; none where nothing is close. */
export function nearest(word: string, known: readonly string[], atMost = 3): readonly string[] {
  return known
    .map((candidate) => ({
      candidate,
      distance: distanceBetween(word.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(
      ({ candidate, distance }) =>
        distance <= Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3)) ||
        (word.length >= 3 && candidate.includes(word)),
    )
    .sort((left, right) => left.distance - right.distance)
    .slice(0, atMost)
    .map(({ candidate }) => candidate);
}

/** The end of a sentence about an unknown word: `; did you mean X or Y?`, or a full stop. */
export function didYouMean(word: string, known: readonly string[]): string {
  const close = nearest(word, known);
  return close.length === 0 ? '.' : `; did you mean ${close.join(' or ')}?`;
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours, each of one letter (optimal string alignment): people
 * swap letters as often as they mistype them.
 */
function distanceBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  let rowBefore: readonly number[] = [];
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const substituted = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? (rowBefore[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(substituted, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    rowBefore = row;
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The known words that are closest to a misspelt one, best first; none where nothing is close. */
export function nearest(word: string, known: readonly string[], atMost = 3): readonly string[] {
  return known
    .map((candidate) => ({
      candidate,
      distance: distanceBetween(word.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(
      ({ candidate, distance }) =>
        distance <= Math.max(2, candidate.length * 0.4) || candidate.includes(word),
    )
    .sort((left, right) => left.distance - right.distance)
    .slice(0, atMost)
    .map(({ candidate }) => candidate);
}

/** The end of a sentence on a word that is not known: `; did you mean X or Y?`, or a full stop. */
export function didYouMean(word: string, known: readonly string[]): string {
  const close = nearest(word, known);
  return close.length === 0 ? '.' : `; did you mean ${close.join(' or ')}?`;
}

/** Levenshtein's distance: insertions, deletions and substitutions of one character. */
function distanceBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const substituted = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

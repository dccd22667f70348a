/** Runs whose settings depend on the seed alone. */
export type SeededBatch = { readonly seed: number; readonly runs: number };

/** All runs of a seed, so many at a time, so that the same ones are played however many workers there are. */
export function batchesOf({ seed, runs }: SeededBatch, size: number): readonly SeededBatch[] {
  return Array.from({ length: Math.ceil(runs / size) }, (_, at) => ({
    seed: seed + at,
    runs: Math.min(size, runs - at * size),
  }));
}

const shownMax = 10;

/** The first false verdicts, a line each: what was called violated, and the setting that repeats it. */
export function falseVerdictLines(
  wrong: readonly { readonly setting: unknown; readonly violated: readonly string[] }[],
): readonly string[] {
  return wrong
    .slice(0, shownMax)
    .map(({ setting, violated }) => `violated ${violated.join(', ')} under ${JSON.stringify(setting)}`);
}

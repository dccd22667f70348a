export type Playing<One, Result> = {
  /** How many go on at the same time. */
  readonly atOnce: number;
  readonly play: (one: One) => Promise<Result>;
  readonly onPlayed?: (result: Result) => void;
};

/** Plays what waits most of its time, a few at once in this process. The results are in the order of `all`. */
export async function inTurn<One, Result>(
  all: readonly One[],
  { atOnce, play, onPlayed }: Playing<One, Result>,
): Promise<readonly Result[]> {
  const results = new Array<Result>(all.length);
  const waiting = all.entries();
  const takeInTurn = async (): Promise<void> => {
    for (const [at, one] of waiting) {
      const result = await play(one);
      results[at] = result;
      onPlayed?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, takeInTurn));
  return results;
}

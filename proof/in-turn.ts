export type Playing<One, Result> = {
  /** How many go on at the same time. */
  readonly atOnce: number;
  /** How long after one has begun the next one may, ms; default: none. */
  readonly apartMs?: number;
  readonly play: (one: One) => Promise<Result>;
  readonly onPlayed?: (result: Result) => void;
  /** Once it is aborted, nothing more is begun; what goes on comes to its end. */
  readonly signal?: AbortSignal;
};

/**
 * Plays what waits most of its time, a few at once in this process. The results are in the order of `all`, without those
 * that were not begun.
 */
export async function inTurn<One, Result>(
  all: readonly One[],
  { atOnce, apartMs = 0, play, onPlayed, signal }: Playing<One, Result>,
): Promise<readonly Result[]> {
  const results: { readonly at: number; readonly result: Result }[] = [];
  const waiting = all.entries();
  let mayBegin: Promise<unknown> = Promise.resolve();
  const takeInTurn = async (): Promise<void> => {
    for (const [at, one] of waiting) {
      const turn = mayBegin;
      if (apartMs > 0) mayBegin = turn.then(() => pause(apartMs));
      await turn;
      if (signal?.aborted === true) return;
      const result = await play(one);
      results.push({ at, result });
      onPlayed?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, takeInTurn));
  return results.toSorted((one, other) => one.at - other.at).map(({ result }) => result);
}

function pause(forMs: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, forMs));
}

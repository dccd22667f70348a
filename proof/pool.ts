import { availableParallelism } from 'node:os';
import { Tinypool } from 'tinypool';
import { messageOf } from '../contract/thrown.ts';

/** Work that is cut into batches, each of which depends on nothing but itself. */
export type Campaign<Batch, Result> = {
  /** The module that exports `play` under its own name: workers import it. */
  readonly module: URL;
  /** Plays one batch, in a worker; batch and result are plain data. */
  readonly play: (batch: Batch) => Result | Promise<Result>;
  readonly batches: readonly Batch[];
  /** What a batch is counted in while one waits for the rest, e.g. 500 runs. */
  readonly unit: string;
  readonly unitsIn: (batch: Batch) => number;
};

export type PoolOptions = {
  /** Where progress is drawn; nothing is where this is no terminal. */
  readonly stream: { readonly isTTY?: boolean | undefined; write(text: string): unknown };
  /** Workers at most; as many as there are cores where it is left out. */
  readonly workersMax?: number;
};

export type Played<Result> = {
  /** In the order of the batches, however many workers played them. */
  readonly results: readonly Result[];
  readonly workers: number;
  readonly seconds: number;
};

/**
 * Plays every batch, on all cores. Each worker has one batch at a time and gets the next one when it has answered, so
 * that nothing queues up and all end at about the same time.
 * @throws where a batch fails or a worker ends, with what it was playing; all other workers are ended then.
 */
export async function playAll<Batch, Result>(
  campaign: Campaign<Batch, Result>,
  { stream, workersMax = availableParallelism() }: PoolOptions,
): Promise<Played<Result>> {
  const { module, play, batches } = campaign;
  const began = performance.now();
  const workers = Math.min(workersMax, batches.length);
  const pool = new Tinypool({
    filename: module.href,
    name: play.name,
    minThreads: workers,
    maxThreads: workers,
    maxQueue: workers,
  });
  const results = new Array<Result>(batches.length);
  const waiting = batches.entries();
  const underway = new Set<Batch>();
  const showProgress = progressOf(campaign, { stream, began });
  const takeInTurn = async (): Promise<void> => {
    for (const [at, batch] of waiting) {
      underway.add(batch);
      results[at] = await answered(pool, batch);
      underway.delete(batch);
      showProgress(batch);
    }
  };
  try {
    await Promise.race([
      Promise.all(Array.from({ length: workers }, takeInTurn)),
      endedEarly(pool, underway),
    ]);
  } catch (error) {
    // Not awaited: the pool would wait for ever for the end of a worker that has ended by itself.
    pool.destroy().catch(() => undefined);
    throw error;
  }
  await pool.destroy();
  if (stream.isTTY === true) stream.write('\n');
  return { results, workers, seconds: (performance.now() - began) / 1_000 };
}

/** @throws what the batch threw, with the batch that plays it again. */
async function answered<Batch, Result>(pool: Tinypool, batch: Batch): Promise<Result> {
  try {
    return await pool.run(batch);
  } catch (cause) {
    const why = messageOf(cause);
    throw new Error(`the batch ${JSON.stringify(batch)} failed: ${why}`, { cause });
  }
}

/** Rejects where a worker ends without an error or between two batches, which the pool itself does not notice. */
function endedEarly(pool: Tinypool, underway: ReadonlySet<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    pool.on('error', reject);
    for (const worker of pool.threads) {
      worker.once('exit', (code: number) => {
        const batches = [...underway].map((batch) => JSON.stringify(batch)).join(', ');
        reject(
          new Error(`a worker ended with exit code ${code}; these batches were being played: ${batches}`),
        );
      });
    }
  });
}

type Drawing = { readonly stream: PoolOptions['stream']; readonly began: number };

/** Redraws one line whenever a batch has been played. */
function progressOf<Batch, Result>(
  { batches, unit, unitsIn }: Campaign<Batch, Result>,
  { stream, began }: Drawing,
): (batch: Batch) => void {
  const all = batches.reduce((sum, batch) => sum + unitsIn(batch), 0);
  let done = 0;
  return (batch) => {
    done += unitsIn(batch);
    if (stream.isTTY !== true) return;
    const perSecond = done / ((performance.now() - began) / 1_000);
    const rate = `${Number(perSecond.toPrecision(2))} a second`;
    stream.write(`\r${done} of ${all} ${unit}, ${rate}, ${((all - done) / perSecond).toFixed(0)} s left  `);
  };
}

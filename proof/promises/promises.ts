import type { CommandIo } from '../command.ts';
import { playAll } from '../pool.ts';
import { batchesOf, falseVerdictLines } from '../soundness/batches.ts';
import { type PromiseResult, playPromiseBatch } from './hostile-promise.ts';
import { promiseCases } from './keepers.ts';

/** Runs that a worker plays at a time. */
const batchSize = 250;

/** Plays limiters that keep promises of any kind in hostile worlds; the judges are sound only if no verdict is false. */
export async function judgePromises(
  { promises, seed }: { readonly promises: number; readonly seed: number },
  io: CommandIo,
): Promise<void> {
  const played = await playAll(
    {
      module: new URL('./hostile-promise.ts', import.meta.url),
      play: playPromiseBatch,
      batches: batchesOf({ seed, runs: promises }, batchSize),
      unit: 'runs',
      unitsIn: ({ runs }) => runs,
    },
    { stream: io.stderr },
  );
  const held = played.results.reduce((sum, one) => sum + one.held, 0);
  const wrong = played.results.flatMap(({ falseVerdicts }) => falseVerdicts);
  io.stdout.write(
    [
      `runs              ${promises} (seed ${seed}), each a limiter that keeps its promise, in a hostile world`,
      `false verdicts    ${wrong.length}`,
      ...promiseCases.map(({ name }) => `  ${name.padEnd(28)}${sumOf(played.results, name)} runs`),
      `held              ${((100 * held) / promises).toFixed(1)} % of the limits`,
      `rate              ${(promises / played.seconds).toFixed(0)} runs a second`,
      ...falseVerdictLines(wrong),
      '',
    ].join('\n'),
  );
  io.exit(wrong.length === 0 ? 0 : 1);
}

function sumOf(results: readonly PromiseResult[], name: string): number {
  return results.reduce((sum, { runsOf }) => sum + (runsOf[name] ?? 0), 0);
}

import type { CommandIo } from '../command.ts';
import { playAll } from '../pool.ts';
import { batchesOf, falseVerdictLines } from '../soundness/batches.ts';
import { playDocumentBatch } from './document-batch.ts';

/** Runs that a worker plays at a time. */
const batchSize = 100;

/** Plays services that keep whatever a document can say; the judges are sound only if no verdict is false. */
export async function judgeDocuments(
  { documents, seed }: { readonly documents: number; readonly seed: number },
  io: CommandIo,
): Promise<void> {
  const { results, seconds } = await playAll(
    {
      module: new URL('./document-batch.ts', import.meta.url),
      play: playDocumentBatch,
      batches: batchesOf({ seed, runs: documents }, batchSize),
      unit: 'documents',
      unitsIn: ({ runs }) => runs,
    },
    { stream: io.stderr },
  );
  const traces = results.reduce((sum, one) => sum + one.traces, 0);
  const held = results.reduce((sum, one) => sum + one.held, 0);
  const wrong = results.flatMap(({ falseVerdicts }) => falseVerdicts);
  io.stdout.write(
    [
      `documents         ${documents} (seed ${seed}), each drawn in all that one can say, with a whole run in a hostile world`,
      `traces            ${traces}: these, and for each five of requests that no schedule sends`,
      `false verdicts    ${wrong.length}`,
      `held              ${(held / traces).toFixed(1)} must clauses of a trace`,
      `rate              ${(traces / seconds).toFixed(0)} traces a second`,
      ...falseVerdictLines(wrong),
      '',
    ].join('\n'),
  );
  io.exit(wrong.length === 0 ? 0 : 1);
}

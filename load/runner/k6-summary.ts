import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const counter = z.object({ count: z.int().min(0) });

const summarySchema = z.object({
  metrics: z.object({ http_reqs: counter, script_errors: counter, dropped_iterations: counter.optional() }),
});

/** What k6 itself says about a run. */
export type K6Summary = {
  readonly requests: number;
  readonly scriptErrors: number;
  /** Arrivals that k6 left out because no client was free, those beyond the last request of a lane among them. */
  readonly dropped: number;
};

/**
 * The counters in the file that k6's `--summary-export` writes. `null` where the file or a counter is missing, for
 * example because k6 was killed or no request was sent.
 */
export async function readSummary(path: string): Promise<K6Summary | null> {
  try {
    const { metrics } = summarySchema.parse(JSON.parse(await readFile(path, 'utf8')));
    return {
      requests: metrics.http_reqs.count,
      scriptErrors: metrics.script_errors.count,
      dropped: metrics.dropped_iterations?.count ?? 0,
    };
  } catch {
    return null;
  }
}

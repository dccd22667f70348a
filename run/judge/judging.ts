import type { Baseline } from '../../reports/baseline/baseline.ts';
import type { PartialRuns } from '../../reports/enough.ts';
import type { HistoryLine } from '../../reports/history/history-line.ts';
import type { RunBefore } from '../plan/repetition.ts';

/** What a trace is held against besides the document; each part is for one kind of trace. */
export type Judging = {
  /** Deviations of a deployment that the baseline accepts; `null` where there is no baseline. */
  readonly baseline: Baseline | null;
  /** Runs against deployments before this one, of whatever target. */
  readonly past: readonly HistoryLine[];
  /** Secrets that may have signed captured webhooks. */
  readonly secrets: readonly string[];
  /** Whether a run against a deployment that is only a part may be conformant. */
  readonly partialRuns: PartialRuns;
  /** The run whose open clauses the judged one repeats; left out where it repeats none. */
  readonly before?: RunBefore | undefined;
  /** So many threads judge a trace together; left out where its length decides. The answer is the same. */
  readonly shards?: number | undefined;
  /** Only the verdicts are wanted, and no report of them is written: no limiter is identified then, and nothing drawn. */
  readonly verdictsAlone?: boolean;
};

export const documentAlone: Judging = { baseline: null, past: [], secrets: [], partialRuns: 'refused' };

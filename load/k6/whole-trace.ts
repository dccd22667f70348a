import type { Scope } from '../../contract/scopes.ts';
import type { LoadLine } from '../../contract/trace.ts';
import { keyAliasAt, type Parameters } from './parameters.ts';

/** The part of k6's end-of-test summary that tells whether everything was sent. */
export type K6Summary = {
  readonly metrics: Readonly<
    Record<string, { readonly values: Readonly<Record<string, number>> } | undefined>
  >;
};

/**
 * The names that a run of the script goes by, and the first line of its trace where the script has to write it itself.
 * A script that is run twice is two runs, each by a clock of its own.
 */
export function traceStart({ header, runId, clock }: Parameters): Pick<Parameters, 'runId' | 'clock'> {
  if (header === undefined) return { runId, clock };
  const own = crypto.randomUUID().slice(0, 8);
  const names = { runId: `${runId}-${own}`, clock: `${clock}-${own}` };
  const clocks = [{ id: names.clock, kind: 'wall', offsetMsMax: 0 }];
  const startedAt = new Date().toISOString();
  console.log(JSON.stringify({ ...header, runId: names.runId, startedAt, clocks }));
  return names;
}

export type PlannedLoad = { readonly requests: number; readonly scope: Scope };

/** The last lines of a trace that the script writes itself. */
export function traceEnd(
  { header, scenario, keyAliases }: Parameters,
  { metrics }: K6Summary,
  { requests, scope }: PlannedLoad,
): void {
  if (header === undefined) return;
  const count = (name: string): number => metrics[name]?.values['count'] ?? 0;
  const sent = count('http_reqs');
  const why = whyIncomplete({
    sent,
    requests,
    errors: count('script_errors'),
    dropped: count('dropped_iterations'),
  });
  const state = why === null ? 'complete' : 'incomplete';
  const key = keyAliasAt(keyAliases, 0);
  const line: LoadLine = { kind: 'load', scenario, state, reason: why, key, scope, requestsSent: sent };
  console.log(JSON.stringify(line));
  console.log(
    JSON.stringify({ kind: 'end', endedAt: new Date().toISOString(), complete: why === null, reason: why }),
  );
}

type Sent = {
  readonly sent: number;
  readonly requests: number;
  readonly errors: number;
  readonly dropped: number;
};

function whyIncomplete({ sent, requests, errors, dropped }: Sent): string | null {
  if (errors > 0) return 'the script threw an exception';
  if (dropped > 0) return `k6 left out ${dropped} requests that were due`;
  return sent === requests ? null : `k6 sent ${sent} of ${requests} requests`;
}

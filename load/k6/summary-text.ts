/** The part of k6's end-of-test summary that shows whether everything was sent. */
export type K6Summary = {
  readonly metrics: Readonly<
    Record<
      string,
      | {
          readonly values: Readonly<Record<string, number>>;
          /** By their texts. */
          readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>;
        }
      | undefined
    >
  >;
};

/** The command that judges a trace of load alone; the file stands after it. */
const judging = 'npx conformance judge --allow-partial';

/**
 * What a k6 that ran alone says at its end: what was counted, which thresholds were crossed, and how the trace is judged.
 * @param traceFile of k6's `--console-output`, where its variable names it; the flag cannot be seen.
 */
export function summaryText({
  scenario,
  reason,
  metrics,
  traceFile = 'trace.ndjson',
}: {
  readonly scenario: string;
  /** Why the scenario is not complete; `null` where it is. */
  readonly reason: string | null;
  readonly metrics: K6Summary['metrics'];
  readonly traceFile?: string | undefined;
}): string {
  const count = (name: string): number => metrics[name]?.values['count'] ?? 0;
  const crossed = Object.entries(metrics).flatMap(([name, metric]) =>
    Object.entries(metric?.thresholds ?? {}).flatMap(([text, { ok }]) =>
      ok ? [] : [`  ${name}: ${text}, and there were ${count(name)}`],
    ),
  );
  const ms = (name: string): string => `${(metrics['http_req_duration']?.values[name] ?? 0).toFixed(0)} ms`;
  return [
    `${scenario}: ${count('http_reqs')} requests, ${count('admitted')} admitted, ${count('limited')} over the limit, ${count('unexpected')} answered otherwise; the slowest answer took ${ms('max')}`,
    reason === null ? 'Complete: all that was planned was sent.' : `Incomplete: ${reason}.`,
    ...(crossed.length === 0 ? [] : ['Thresholds crossed:', ...crossed]),
    'A count proves only that too many were admitted. What else the exchanges prove says',
    `  ${judging} ${traceFile}`,
    'if k6 was started with --console-output trace.ndjson --log-format raw.',
    '',
  ].join('\n');
}

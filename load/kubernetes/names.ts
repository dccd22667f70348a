/** Variable of a pod with the name of its runner, e.g. conformance-messages-burst-2. */
export const runnerVariable = 'CONFORMANCE_RUNNER';

/** Files of a ConfigMap besides the script. A trace is composed from them later. */
export const configMapFiles = { header: 'trace-header.json', load: 'load.json' } as const;

/** Where a volume for traces is mounted. */
export const tracesFolder = '/traces';

/** The id of a runner's clock in the trace. */
export function clockOf(runner: string): string {
  return `k6-${runner}`;
}

/** Runners of a TestRun, as k6-operator names them. */
export function runnersOf(testRun: string, parallelism: number): readonly string[] {
  return Array.from({ length: parallelism }, (_, at) => `${testRun}-${at + 1}`);
}

/**
 * k6's flags that say where the exchanges go: into the pod's log, or into a file on a volume. k6-operator splits them
 * at spaces.
 */
export function consoleArguments(to: 'log' | 'volume'): readonly string[] {
  return [
    ...[
      '--no-color',
      '--no-usage-report',
      '--log-format=raw',
      '--log-output=stderr',
      '--summary-mode=disabled',
    ],
    ...(to === 'volume' ? [`--console-output=${tracesFolder}/$(${runnerVariable}).ndjson`] : []),
  ];
}

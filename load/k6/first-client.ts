import { sleep } from 'k6';
import exec from 'k6/execution';
import type { Options } from 'k6/options';
import type { LoadLine } from '../../contract/trace-lines.ts';
import {
  clientCertVariable,
  clientKeyVariable,
  keyAliasAt,
  type LaneParameters,
  laneVariable,
  lookFunction,
  type Parameters,
  type Started,
} from './parameters.ts';
import { scriptErrors, unexpected } from './send.ts';
import { type K6Summary, summaryText } from './summary-text.ts';

/** What k6 calls once in a script, for all of its clients. */
export type FirstClient = {
  readonly options: Options;
  readonly setup: () => Started;
  /** Replaces k6's own summary on standard output: by what to do next where k6 runs alone, else by nothing. */
  readonly handleSummary: (summary: K6Summary) => Record<string, string>;
};

/**
 * What client 0 does; it sends nothing. Everything is inside this function, because every client builds whatever is
 * outside a function for itself.
 * @throws where the parameters or keys are missing.
 */
export function firstClient(parameters: Parameters, keys: readonly string[]): FirstClient {
  const { around, scenario, startAtMs, keyAliases } = parameters;
  if (parameters.keyPlace !== null && keys.length < parameters.keys)
    throw new Error(
      `there ${keys.length === 1 ? 'is 1 API key' : `are ${keys.length} API keys`} of ${parameters.keys}: API_KEY_B holds a second one, KEYS holds more`,
    );

  /** Each k6 scenario hands its clients the parameters of their lane. */
  const optionsWithLanes = (): Options => {
    const { timeoutMs, lanes, requests, options, keyPlace, secretHeaders } = parameters;
    const scenarios = Object.entries(options.scenarios ?? {}).map(([name, executor]) => {
      const lane = lanes[name];
      const request = lane && requests[lane.scope];
      if (executor.exec === lookFunction) return [name, executor];
      if (lane === undefined || request === undefined) throw new Error(`there is no lane ${name}`);
      // What is undefined is not in the text.
      const shared = { scenario, timeoutMs, keyAliases, keyPlace, secretHeaders };
      const laneParameters: LaneParameters = { ...lane, ...shared, ...request };
      return [name, { ...executor, env: { [laneVariable]: JSON.stringify(laneParameters) } }];
    });
    return { ...options, ...ownCertificate(), scenarios: Object.fromEntries(scenarios) };
  };

  /** The certificate that this client shows, from the files that two variables name. */
  const ownCertificate = (): Pick<Options, 'tlsAuth'> => {
    const cert = __ENV[clientCertVariable];
    const key = __ENV[clientKeyVariable];
    return cert === undefined || key === undefined ? {} : { tlsAuth: [{ cert: open(cert), key: open(key) }] };
  };

  /** Several processes begin at a common moment, so that they send at the same time. */
  const startTogether = (): number => {
    const leftMs = startAtMs - Date.now();
    if (startAtMs > 0 && leftMs < 0) throw new Error(`k6 was ready ${-leftMs} ms after the common start`);
    if (leftMs > 0) sleep(leftMs / 1_000);
    return Math.max(startAtMs, Date.now());
  };

  /**
   * The names of this run, and the first line of its trace where the script writes that itself. A script that is
   * started twice makes two runs, each with a clock of its own.
   */
  const beginTrace = (): Pick<Parameters, 'runId' | 'clock'> => {
    const { runId, clock } = parameters;
    if (around === undefined) return { runId, clock };
    const own = crypto.randomUUID().slice(0, 8);
    const names = { runId: `${runId}-${own}`, clock: `${clock}-${own}` };
    const clocks = [{ id: names.clock, kind: 'wall', offsetMsMax: 0, tiedBy: names.clock }];
    const startedAt = new Date().toISOString();
    console.log(JSON.stringify({ ...around.header, runId: names.runId, startedAt, clocks }));
    return names;
  };

  return {
    options: optionsWithLanes(),
    setup: () => {
      // A counter without a sample is left out of k6's summary.
      unexpected.add(0);
      scriptErrors.add(0);
      const startMs = startTogether() + parameters.headStartMs;
      const startedAtMs = exec.instance.currentTestRunDuration + parameters.headStartMs;
      return { startMs, startedAtMs, ...beginTrace() };
    },
    handleSummary: ({ metrics }) => {
      if (around === undefined) return {};
      const { requests, scope } = around;
      const count = (name: string): number => metrics[name]?.values['count'] ?? 0;
      const requestsSent = count('http_reqs');
      const dropped = count('dropped_iterations');
      let reason: string | null = null;
      if (count('script_errors') > 0) reason = 'the script threw an exception';
      else if (requestsSent !== requests)
        reason = `k6 sent ${requestsSent} of ${requests} requests${dropped > 0 ? ', and left others out that were due' : ''}`;
      const complete = reason === null;
      const state = complete ? 'complete' : 'incomplete';
      const key = keyAliasAt(keyAliases, 0);
      const line: LoadLine = { kind: 'load', scenario, state, reason, key, scope, requestsSent };
      console.log(JSON.stringify(line));
      console.log(JSON.stringify({ kind: 'end', endedAt: new Date().toISOString(), complete, reason }));
      return { stdout: summaryText({ scenario, reason, metrics, traceFile: __ENV['K6_CONSOLE_OUTPUT'] }) };
    },
  };
}

import { sleep } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import type { Options } from 'k6/options';
import { countingErrors } from './counters.ts';
import { lanesOf, type Planner, requestsOf } from './lane.ts';
import { k6Options } from './options.ts';
import {
  keyAliasAt,
  keyFileVariable,
  keyVariable,
  type Parameters,
  parametersVariable,
  parseKeys,
  parseParameters,
} from './parameters.ts';
import { type Playing, playStream, playWaves } from './play.ts';
import { type RequestPlanner, requestPlanner } from './request.ts';
import { type K6Summary, traceEnd, traceStart } from './whole-trace.ts';

/** What k6 asks a script for: its options, what is done once before, and one iteration. */
export type K6Scenario = {
  readonly options: Options;
  readonly setup: () => Started;
  readonly iteration: (started: Started) => void;
  /** Takes the place of k6's own summary on standard output, which nobody reads. */
  readonly handleSummary: (summary: K6Summary) => Record<string, string>;
};

/** When the scenario began, ms by the wall clock; and the names that it goes by. */
type Started = { readonly startMs: number } & Pick<Parameters, 'runId' | 'clock'>;

/** The k6 scenario of a plan, for the keys and parameters that the environment holds. */
export function k6Scenario(planner: Planner): K6Scenario {
  const given = parseParameters(__ENV[parametersVariable] ?? globalThis.conformanceLoadParameters);
  const lanes = lanesOf(planner, given.setting);
  const keys = keysFor(given);
  let plan: RequestPlanner | null = null;
  let parameters: Parameters | null = null;
  const firstIndices = new Map<string, number>();
  let requests = 0;
  for (const lane of lanes) {
    firstIndices.set(lane.name, requests);
    requests += requestsOf(lane).all;
  }
  const keyAt = (position: number) => ({
    alias: keyAliasAt(given.keyAliases, position),
    secret: keys[position] ?? '',
  });
  return {
    options: k6Options(lanes, given),
    setup: () => ({ startMs: startTogether(given.startAtMs), ...traceStart(given) }),
    handleSummary: (summary) => {
      traceEnd(given, summary, { requests, scope: lanes[0]?.scope ?? 'messages' });
      return {};
    },
    iteration: ({ startMs, ...names }) =>
      countingErrors(() => {
        const { name, iterationInTest: share } = exec.scenario;
        const lane = lanes.find((one) => one.name === name);
        if (lane === undefined) throw new Error(`there is no lane ${name}`);
        const firstIndex = firstIndices.get(name) ?? 0;
        parameters ??= { ...given, ...names };
        plan ??= requestPlanner(parameters, parameters.runId);
        const playing: Playing = { parameters, plan, keyAt, startMs, share, firstIndex };
        if (lane.kind === 'waves') playWaves(lane, playing);
        else playStream(lane, playing);
      }),
  };
}

function keysFor({ setting }: Parameters): readonly string[] {
  const path = __ENV[keyFileVariable];
  if (path === undefined) return parseKeys(__ENV[keyVariable], setting.keys);
  // One copy for all clients.
  return new SharedArray('keys', () => [...parseKeys(open(path), setting.keys)]);
}

/** Several processes begin at the moment that they were given, so that they press at the same time. */
function startTogether(startAtMs: number): number {
  const leftMs = startAtMs - Date.now();
  if (startAtMs > 0 && leftMs < 0) throw new Error(`k6 was ready ${-leftMs} ms after the common start`);
  if (leftMs > 0) sleep(leftMs / 1_000);
  return Math.max(startAtMs, Date.now());
}

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
import { requestPlanner } from './request.ts';

/** What k6 asks a script for: its options, what is done once before, and one iteration. */
export type K6Scenario = {
  readonly options: Options;
  readonly setup: () => Started;
  readonly iteration: (started: Started) => void;
};

/** When the scenario began, ms by the wall clock. */
type Started = { readonly startMs: number };

/** The k6 scenario of a plan, for the keys and parameters that the environment holds. */
export function k6Scenario(planner: Planner): K6Scenario {
  const parameters = parseParameters(__ENV[parametersVariable]);
  const lanes = lanesOf(planner, parameters.setting);
  const keys = keysFor(parameters);
  const plan = requestPlanner(parameters, parameters.runId);
  const firstIndices = new Map<string, number>();
  let requests = 0;
  for (const lane of lanes) {
    firstIndices.set(lane.name, requests);
    requests += requestsOf(lane).all;
  }
  const keyAt = (position: number) => ({
    alias: keyAliasAt(parameters.keyAliases, position),
    secret: keys[position] ?? '',
  });
  return {
    options: k6Options(lanes, parameters),
    setup: () => startTogether(parameters.startAtMs),
    iteration: ({ startMs }) =>
      countingErrors(() => {
        const { name, iterationInTest: share } = exec.scenario;
        const lane = lanes.find((one) => one.name === name);
        if (lane === undefined) throw new Error(`there is no lane ${name}`);
        const firstIndex = firstIndices.get(name) ?? 0;
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
function startTogether(startAtMs: number): Started {
  const leftMs = startAtMs - Date.now();
  if (startAtMs > 0 && leftMs < 0) throw new Error(`k6 was ready ${-leftMs} ms after the common start`);
  if (leftMs > 0) sleep(leftMs / 1_000);
  return { startMs: Math.max(startAtMs, Date.now()) };
}

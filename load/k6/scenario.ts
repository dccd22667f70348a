import { sleep } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import type { Options } from 'k6/options';
import { beginCounting, countScriptError } from './counters.ts';
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
import { type Play, playing } from './play.ts';
import { requestPlanner } from './request.ts';
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

/**
 * The k6 scenario of a plan, for the keys and parameters that the environment holds. k6 runs a script once to learn its
 * options, as client 0, and then for each of its clients, which hold all that they make here for themselves.
 */
export function k6Scenario(planner: Planner): K6Scenario {
  const isFirst = __VU === 0;
  const text = __ENV[parametersVariable] ?? globalThis.conformanceLoadParameters;
  const given = isFirst ? parseParameters(text) : (JSON.parse(text ?? '') as Parameters);
  const keys = keysFor(given);
  let play: (() => void) | null = null;
  return {
    options: isFirst ? k6Options(lanesOf(planner, given.setting), given) : {},
    setup: () => {
      beginCounting();
      return { startMs: startTogether(given.startAtMs), ...traceStart(given) };
    },
    handleSummary: (summary) => {
      const lanes = lanesOf(planner, given.setting);
      const requests = lanes.reduce((sum, lane) => sum + requestsOf(lane).all, 0);
      traceEnd(given, summary, { requests, scope: lanes[0]?.scope ?? 'messages' });
      return {};
    },
    iteration: (started) => {
      try {
        play ??= playerOf({ planner, given, keys, started });
        play();
      } catch (error) {
        countScriptError();
        throw error;
      }
    },
  };
}

type Client = {
  readonly planner: Planner;
  readonly given: Parameters;
  readonly keys: readonly string[];
  readonly started: Started;
};

/** All iterations of one client, which k6 may use for one lane after the other. */
function playerOf({ planner, given, keys, started }: Client): () => void {
  const { startMs, runId, clock } = started;
  const parameters: Parameters = { ...given, runId, clock };
  const plan = requestPlanner(parameters, runId);
  const keyAt = (position: number) => ({
    alias: keyAliasAt(given.keyAliases, position),
    secret: keys[position] ?? '',
  });
  const lanes = lanesOf(planner, given.setting);
  const plays: Record<string, Play> = {};
  // k6 makes this object anew each time that it is asked for; what stands in it is of the moment.
  const { scenario } = exec;
  const playOf = (name: string): Play => {
    const at = lanes.findIndex((lane) => lane.name === name);
    const lane = lanes[at];
    if (lane === undefined) throw new Error(`there is no lane ${name}`);
    const firstIndex = lanes.slice(0, at).reduce((sum, before) => sum + requestsOf(before).all, 0);
    const made = playing(lane, { parameters, plan, keyAt, startMs, firstIndex });
    plays[name] = made;
    return made;
  };
  return () => {
    const { name } = scenario;
    (plays[name] ?? playOf(name))(scenario.iterationInTest);
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

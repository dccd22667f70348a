import type { Options, Scenario } from 'k6/options';
import { type Lane, lastMsOf, type StreamLane, type WaveLane } from '../plan/lane.ts';
import { keyAliasAt, laneVariable, lookFunction } from './parameters.ts';

export type OptionsInput = {
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Where names are looked for. */
  readonly addresses: Pick<Options, 'hosts' | 'dns'>;
  /** By position; those beyond the list are called by their number. */
  readonly keyAliases: readonly string[];
  /** Requests of all lanes. */
  readonly requests: number;
  /** How many processes of k6 share the scenario. */
  readonly processes: number;
  /** Where k6 runs alone, and compares its clocks itself. */
  readonly looks?: {
    readonly headStartMs: number;
    /** Beyond this share of failed requests it ends; 1: never. */
    readonly failureShare: number;
  };
};

/**
 * k6 exits with 0 after an exception in an iteration and after failed checks. Only a crossed threshold changes its exit
 * status (99).
 */
const thresholds = { unexpected: ['count==0'], script_errors: ['count==0'] };

/**
 * k6 leaves out arrivals for which no client is free, without an error. One process counts what it sent: an arrival beyond the
 * last request of a lane would have sent nothing. Of several, none knows its share.
 */
function nothingLeftOut({ processes, requests }: OptionsInput): Options['thresholds'] {
  return processes > 1 ? { dropped_iterations: ['count==0'] } : { http_reqs: [`count>=${requests}`] };
}

/** So much of a script that runs alone passes before failures end it, seconds. */
const breakerAfterSeconds = 5;

/**
 * Where k6 runs alone, nobody beside it sees that the service fails: k6 itself ends then, by the share of requests that got
 * neither 2xx nor 429. It looks every two seconds.
 */
function breakerOf({ looks }: OptionsInput): Options['thresholds'] {
  if (looks === undefined || looks.failureShare === 1) return {};
  const threshold = `rate<=${looks.failureShare}`;
  const delayAbortEval = `${breakerAfterSeconds}s`;
  return { http_req_failed: [{ threshold, abortOnFail: true, delayAbortEval }] };
}

/**
 * Where k6 runs alone, more admissions within one window than its limit lets pass end it with 99. Each lane is counted by
 * itself, and what is not certainly within the window is not counted: what crosses this is a violation, whatever the
 * network did. What does not may be one all the same.
 */
function countsOf(lanes: readonly Lane[], { looks }: OptionsInput): Options['thresholds'] {
  if (looks === undefined) return {};
  return Object.fromEntries(
    lanes.flatMap(({ name, counted }) =>
      counted === undefined ? [] : [[`admitted{scenario:${name},within:window}`, [`count<=${counted.most}`]]],
    ),
  );
}

/** What k6's metrics say of each sample; many keys are not told apart there, since each would be a series of its own. */
function tagsOf({ name, scope, keys }: Lane, { keyAliases }: OptionsInput): Record<string, string> {
  return { lane: name, scope, ...(keys.count === 1 && { key: keyAliasAt(keyAliases, keys.first) }) };
}

/** k6's options for a plan: one k6 scenario for each lane, and batches as large as the largest share of a wave. */
export function k6Options(lanes: readonly Lane[], given: OptionsInput): Options {
  const atOnce = Math.max(1, ...lanes.map(atOnceOf));
  return {
    scenarios: {
      ...Object.fromEntries(
        lanes.map((lane) => [lane.name, { ...executorOf(lane, given), tags: tagsOf(lane, given) }]),
      ),
      ...lookScenario(lanes, given),
    },
    batch: atOnce,
    batchPerHost: atOnce,
    thresholds: {
      ...thresholds,
      ...nothingLeftOut(given),
      ...breakerOf(given),
      ...countsOf(lanes, given),
    },
    maxRedirects: 0,
    noConnectionReuse: false,
    noVUConnectionReuse: false,
    discardResponseBodies: false,
    userAgent: given.userAgent,
    ...given.addresses,
    summaryTrendStats: ['max'],
    // Several processes may wait for a common start.
    setupTimeout: '120s',
  };
}

/** Time for the answers to the last requests, ms. Those that take longer are compared with no monotonic clock. */
const lookAfterMs = 3_000;

/** A client of each process looks at the clocks from before the first request until after the last. */
function lookScenario(lanes: readonly Lane[], { looks, processes }: OptionsInput): Record<string, Scenario> {
  if (looks === undefined) return {};
  const lastMs = Math.max(0, ...lanes.map(lastMsOf));
  const forMs = Math.ceil(looks.headStartMs + lastMs + lookAfterMs);
  return {
    clocks: {
      executor: 'constant-vus',
      vus: processes,
      duration: milliseconds(forMs),
      gracefulStop: '1s',
      exec: lookFunction,
      env: { [laneVariable]: String(forMs) },
    },
  };
}

/** Requests of a wave that one client sends at once. */
function atOnceOf(lane: Lane): number {
  if (lane.kind === 'stream') return 1;
  return Math.ceil(Math.max(...lane.waves.map(({ count }) => count)) / lane.vus);
}

function executorOf(lane: Lane, given: OptionsInput): Scenario {
  return lane.kind === 'waves' ? wavesExecutor(lane, given) : streamExecutor(lane, given);
}

/**
 * Each client takes one share, because all clients wait for the first wave. So the number of an iteration is the number
 * of the share.
 */
function wavesExecutor(lane: WaveLane, { timeoutMs, looks }: OptionsInput): Scenario {
  // The time-out of its requests bounds each batch. The rest is time to build them.
  const maxDurationMs = lastMsOf(lane) + lane.waves.length * timeoutMs + 10_000;
  return {
    executor: 'shared-iterations',
    vus: lane.vus,
    iterations: lane.vus,
    startTime: milliseconds(looks?.headStartMs ?? 0),
    maxDuration: milliseconds(maxDurationMs),
    gracefulStop: '0s',
  };
}

/** k6 makes enough clients before the start for answers that take this long, ms. It makes more while it runs. */
const preparedForMs = 3_000;
const clientsMin = 10;
const clientsMax = 300;

/** k6 refuses a shorter duration, ms. */
const k6DurationMsMin = 1_000;

/**
 * How much longer requests may leave than they are due, ms: k6 stops at the end of a duration, and the last requests of a lane
 * would be missing where the machine held it up right before.
 */
const lateMsMax = 500;

/**
 * A lane goes on at its rate after the last request. What arrives then sends nothing, but k6 counts it as left out where no
 * client is free: so each process has one more than there are requests that may wait for their answers.
 */
function streamExecutor(lane: StreamLane, { timeoutMs, looks, processes }: OptionsInput): Scenario {
  const { count, durationMs, startMs } = lane;
  const clientsFor = (latencyMs: number): number =>
    Math.min(count, clientsMax, Math.max(clientsMin, Math.ceil((count * latencyMs) / durationMs))) +
    processes;
  return {
    executor: 'constant-arrival-rate',
    rate: count,
    timeUnit: milliseconds(durationMs),
    startTime: milliseconds(startMs + (looks?.headStartMs ?? 0)),
    duration: milliseconds(Math.max(k6DurationMsMin, durationMs + lateMsMax)),
    preAllocatedVUs: clientsFor(preparedForMs),
    // k6 refuses fewer than it begins with.
    maxVUs: clientsFor(Math.max(timeoutMs, preparedForMs)),
    gracefulStop: milliseconds(timeoutMs + 1_000),
  };
}

function milliseconds(ms: number): string {
  return `${Math.ceil(ms)}ms`;
}

import type { Opening } from '../../checks/opening.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Trace } from '../../contract/trace.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { seeded } from '../../run/seeded.ts';
import type { SimulatedService } from '../simulation/simulated-service.ts';
import { opening, simulatedTrace } from '../simulation/simulated-trace.ts';
import { calmWorld, type World } from '../simulation/world.ts';
import type { SubjectSetting } from './subjects.ts';

export type WholeRun = { readonly exchanges: readonly Exchange[]; readonly judgement: Judgement };

export type WholeRunOptions = {
  readonly service: SimulatedService;
  readonly setting: SubjectSetting;
  readonly seed: number;
};

/** One whole run in virtual time, judged. */
export function wholeRun(options: WholeRunOptions): WholeRun {
  const trace = wholeTrace(options);
  return { exchanges: trace.exchanges, judgement: judgeTrace(trace) };
}

/** The trace of one whole run in virtual time. */
export function wholeTrace({ service, setting, seed }: WholeRunOptions): Trace {
  return simulatedTrace(service, worldFor(setting, seed), seed, openingFor(setting, seed));
}

/** What a run of a setting starts from. */
export function openingFor(
  { nodes = 1, perSecond, unannounced = false }: SubjectSetting,
  seed: number,
): Opening {
  const baseUrls = Array.from({ length: nodes }, (_, at) => `http://127.0.0.1:${at + 1}`);
  const deployment = deploymentSchema.parse({ ...opening.deployment, baseUrls, perSecond });
  return { ...opening, deployment, unannouncedSeed: unannounced ? seed : undefined };
}

/** The world of a seed, with a network that is as quick as a setting demands. */
export function worldFor({ oneWayMsMax }: SubjectSetting, seed: number): World {
  const world = worldOf(seed);
  if (oneWayMsMax === undefined) return world;
  return { ...world, latencyMs: (draw) => 0.1 + draw() * (oneWayMsMax - 0.1) };
}

/** Most of the time that a request takes to the service, or an answer back, ms. */
const latencyMsMax = 50;

/** A whole minute of the wall clock. */
const minuteMs = 29_333_334 * 60_000;

/**
 * The world of a seed in which every fault has to be found: nothing is lost and the key has no other user. The moment
 * within the minute at which the run begins, latency, connections and the service's clock differ from seed to seed.
 */
export function worldOf(seed: number): World {
  const random = seeded(seed);
  const between = (low: number, high: number): number => low + random() * (high - low);
  const slowestMs = between(1, latencyMsMax);
  return {
    ...calmWorld,
    latencyMs: (draw) => 0.1 + draw() * (slowestMs - 0.1),
    connections: Math.round(between(2, 60)),
    staggerMs: between(0.01, 0.2),
    serverOffsetMs: between(-10, 10),
    serverDrift: between(-100e-6, 100e-6),
    serverTruncates: random() < 0.5,
    startMs: minuteMs + between(0, 60_000),
  };
}

/** Whether the answers of two runs in the same world differ anywhere. */
export function answersDiffer(left: readonly Exchange[], right: readonly Exchange[]): boolean {
  if (left.length !== right.length) return true;
  return left.some((one, at) => {
    const other = right[at];
    return other === undefined || answerText(one) !== answerText(other);
  });
}

function answerText({ status, headers, retryAfter, date, contentType, body, receivedMs }: Exchange): string {
  const { limit, remaining, reset } = headers;
  return [status, limit, remaining, reset, retryAfter, date, contentType, body, receivedMs].join('\n');
}

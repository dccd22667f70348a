import { seeded } from '../../run/seeded.ts';
import { calmWorld, type World } from '../simulation/world.ts';

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

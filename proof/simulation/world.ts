import type { Random } from '../../run/seeded.ts';

/** Everything between the probe and the service's decision, and the clocks on both sides. */
export type World = {
  /** Time to the service and back, ms, drawn for each request and each direction. */
  readonly latencyMs: (random: Random) => number;
  /** Share of requests that never reach the service. */
  readonly lostBefore: number;
  /** Share of answers that never come back, although the request was decided. */
  readonly lostAfter: number;
  /** Share of requests that hang on the way and are decided long after the client gave up. */
  readonly lateShare: number;
  readonly timeoutMs: number;
  readonly connections: number;
  /** Between two requests of one burst, ms. */
  readonly staggerMs: number;
  /** The service's clock: ahead of true time, faster than it, and cut to whole ms. */
  readonly serverOffsetMs: number;
  readonly serverDrift: number;
  readonly serverTruncates: boolean;
  /** The client's wall clock jumps by so much at this moment of true time; `null` where it never does. */
  readonly wallStep: { readonly atMs: number; readonly byMs: number } | null;
  /** The client sleeps for so long: its monotonic clock stands still, as on Linux, its wall clock goes on. */
  readonly suspend: { readonly atMs: number; readonly forMs: number } | null;
  /** True time at which the run begins, ms. */
  readonly startMs: number;
};

/** A quiet network and good clocks. */
export const calmWorld: World = {
  latencyMs: (random) => 0.5 + random(),
  lostBefore: 0,
  lostAfter: 0,
  lateShare: 0,
  timeoutMs: 10_000,
  connections: 50,
  staggerMs: 0.02,
  serverOffsetMs: 0,
  serverDrift: 0,
  serverTruncates: false,
  wallStep: null,
  suspend: null,
  startMs: 1_760_000_010_000,
};

/** The same, from so many ms later on. */
export function calmAfter(ms: number): World {
  return { ...calmWorld, startMs: calmWorld.startMs + ms };
}

/** The service's clock at a moment of true time. */
export function serverMs(world: World, trueMs: number): number {
  const ms = trueMs + world.serverOffsetMs + (trueMs - world.startMs) * world.serverDrift;
  return world.serverTruncates ? Math.floor(ms) : ms;
}

/** The client's monotonic clock at a moment of true time. */
export function monotonicMs({ suspend }: World, trueMs: number): number {
  if (suspend === null || trueMs <= suspend.atMs) return trueMs;
  return Math.max(suspend.atMs, trueMs - suspend.forMs);
}

/** The moment of true time at which the client next does something that is due by its monotonic clock. */
export function trueMs({ suspend }: World, dueMs: number): number {
  return suspend === null || dueMs <= suspend.atMs ? dueMs : dueMs + suspend.forMs;
}

/** When a client that may be asleep notices what happens at a moment of true time. */
export function awakeMs({ suspend }: World, happensMs: number): number {
  const isAsleep = suspend !== null && happensMs > suspend.atMs && happensMs < suspend.atMs + suspend.forMs;
  return isAsleep ? suspend.atMs + suspend.forMs : happensMs;
}

/** The client's wall clock at a moment of true time. */
export function wallMs({ wallStep }: World, trueMs: number): number {
  return wallStep !== null && trueMs >= wallStep.atMs ? trueMs + wallStep.byMs : trueMs;
}

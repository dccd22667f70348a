import fc from 'fast-check';
import { type Scope, scopes } from '../../contract/scopes.ts';
import type { Random } from '../../run/seeded.ts';
import type { World } from '../simulation/world.ts';
import { type EdgeSetting, edgeSetting } from './hostile-edges.ts';

/** What a run of the soundness property depends on; plain data, so that a counterexample can be shrunk and replayed. */
export type HostileSetting = {
  readonly scope: Scope;
  readonly seed: number;
  readonly startsAtMs: number;
  readonly latencyMs: number;
  readonly tail: { readonly share: number; readonly ms: number };
  readonly lostBefore: number;
  readonly lostAfter: number;
  readonly lateShare: number;
  readonly staggerMs: number;
  readonly serverOffsetMs: number;
  readonly serverDriftPpm: number;
  readonly serverTruncates: boolean;
  /**
   * A step of the wall clock or a suspend, never both: two that cancel each other between two exchanges cannot be seen.
   * With the offset it stays within the skew that the settings allow.
   */
  readonly interruption: {
    readonly kind: 'wall-step' | 'suspend';
    readonly atMs: number;
    readonly forMs: number;
    readonly isBack: boolean;
  } | null;
  /** Requests by others to the same key before the run. */
  readonly earlierUse: number;
  /** Which of the conforming services answers. */
  readonly variant: number;
  readonly edges: EdgeSetting;
};

/** Evenly spread, unlike `fc.double`, which prefers numbers next to nothing. */
const upTo = (max: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 1_000_000 }).map((part) => (part / 1_000_000) * max);

const share = (max: number): fc.Arbitrary<number> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, upTo(max));

const runMs = 75_000;

/** Machines sleep longer than clocks step. */
const suspendFactor = 10;

/** Latency 0–5 s with a heavy tail, loss to 20 %, late counting, clocks off by 2 s and 200 ppm, steps and suspends. */
export function hostileSetting(variants: number): fc.Arbitrary<HostileSetting> {
  return fc.record({
    scope: fc.constantFrom(...scopes),
    seed: fc.integer({ min: 0, max: 0x7fffffff }),
    startsAtMs: fc.integer({ min: 0, max: 59_999 }),
    latencyMs: fc.oneof(upTo(5), upTo(250)),
    tail: fc.record({ share: share(0.2), ms: upTo(5_000) }),
    lostBefore: share(0.1),
    lostAfter: share(0.1),
    lateShare: share(0.05),
    staggerMs: fc.oneof(fc.constant(0), upTo(20)),
    serverOffsetMs: fc.integer({ min: -2_000, max: 2_000 }),
    serverDriftPpm: fc.integer({ min: -200, max: 200 }),
    serverTruncates: fc.boolean(),
    interruption: fc.option(
      fc.record({
        kind: fc.constantFrom('wall-step' as const, 'suspend' as const),
        atMs: fc.integer({ min: 0, max: runMs }),
        forMs: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 60 })),
        isBack: fc.boolean(),
      }),
      { freq: 2 },
    ),
    earlierUse: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })),
    variant: fc.integer({ min: 0, max: variants - 1 }),
    edges: edgeSetting,
  });
}

/** 2025-10-09T08:54:00Z, a whole minute. */
const minuteMs = 1_760_000_040_000;

export function worldOf(setting: HostileSetting): World {
  const startMs = minuteMs + setting.startsAtMs;
  const { latencyMs, tail, interruption } = setting;
  return {
    latencyMs: (random: Random) => {
      const base = latencyMs * (0.5 + random());
      return random() < tail.share ? base + tail.ms * random() ** 3 : base;
    },
    lostBefore: setting.lostBefore,
    lostAfter: setting.lostAfter,
    lateShare: setting.lateShare,
    timeoutMs: 10_000,
    connections: 300,
    staggerMs: setting.staggerMs,
    serverOffsetMs: setting.serverOffsetMs,
    serverDrift: setting.serverDriftPpm / 1e6,
    serverTruncates: setting.serverTruncates,
    wallStep:
      interruption?.kind === 'wall-step'
        ? {
            atMs: startMs + interruption.atMs,
            byMs: interruption.isBack ? -interruption.forMs : interruption.forMs,
          }
        : null,
    suspend:
      interruption?.kind === 'suspend'
        ? { atMs: startMs + interruption.atMs, forMs: interruption.forMs * suspendFactor }
        : null,
    startMs,
  };
}

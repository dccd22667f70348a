import { setTimeout as sleep } from 'node:timers/promises';
import { simulate } from '../../backoff/simulate.ts';
import { measuredNetwork } from '../../backoff/simulation/network.ts';
import type { Setting } from '../../backoff/simulation/setting.ts';
import type { AnyStrategy } from '../../backoff/strategies.ts';
import type { Random } from '../../backoff/strategy.ts';
import { nearestRank, sortedCopy } from '../../contract/nearest-rank.ts';
import { type Limits, limitIn, type Scope } from '../../contract/scopes.ts';
import type { Limiter } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import type { DrainStrategy } from '../../load/k6/drain-parameters.ts';
import { type DrainFigures, type MeasureContext, measure } from './measure.ts';

/** A strategy that is verified: as it is simulated, and as its name is handed to k6. */
export type VerifiedStrategy = {
  readonly name: string;
  readonly strategy: AnyStrategy;
  readonly drain: DrainStrategy;
};

/** One backlog at an idle key of the reference service. */
export type VerifySetting = {
  readonly scope: Scope;
  readonly limits: Limits;
  readonly windowMs: number;
  readonly clients: number;
  readonly processes: number;
  readonly jobs: number;
};

/** A figure over all simulated runs. */
export type Spread = { readonly low: number; readonly median: number; readonly high: number };

export type Figure = {
  readonly simulated: Spread;
  readonly measured: number;
  /** From what was simulated to what was measured: 0 where a simulated run came out alike, or between two that did. */
  readonly apart: number;
};

/** Simulation beside measurement. */
export type VerifyResult =
  | {
      readonly kind: 'verified';
      readonly name: string;
      readonly makespanMs: Figure;
      /** 429s for 100 admitted. */
      readonly limited: Figure;
      readonly measured: DrainFigures;
      readonly agrees: boolean;
    }
  | { readonly kind: 'failed'; readonly name: string; readonly reason: string };

/** How far a measurement may be off its simulation: a share of the makespan, and 429s for 100 admitted. */
export const verifyBounds = { makespanShare: 0.03, limitedPoints: 1 } as const;

/** Runs with seeds and moments of the second of their own: strategies with jitter come out differently each time. */
const runs = 40;

/** Windows after which a backlog is broken off, beyond those that it needs at least. */
const spareWindows = 4;

/** Of a window, how much later each backlog begins than the one before: so their bursts do not fall on each other. */
const staggerShare = 1 / 40;

/**
 * Drains the same backlog with each strategy, live and at the same time, each at a service of its own, and simulates each
 * with the round trips that were measured.
 */
export async function verifyLive(
  strategies: readonly VerifiedStrategy[],
  setting: VerifySetting,
  context: MeasureContext & { readonly seeded: (seed: number) => Random },
): Promise<readonly VerifyResult[]> {
  const { limits, scope, windowMs, jobs } = setting;
  const forMs = (Math.ceil(jobs / limitIn(limits, scope)) + spareWindows) * windowMs;
  return Promise.all(
    strategies.map(async ({ name, strategy, drain }, at): Promise<VerifyResult> => {
      await sleep(at * windowMs * staggerShare, undefined, { signal: context.signal }).catch(() => undefined);
      const live = await measure({ ...setting, strategy: drain, forMs }, context);
      if (live.kind === 'failed') return { kind: 'failed', name, reason: live.reason };
      const simulated = simulatedRuns(
        strategy,
        settingOf({ ...setting, forMs }, live.measured),
        context.seeded,
      );
      return compared(name, simulated, live.measured);
    }),
  );
}

function settingOf(
  { limits, scope, windowMs, clients, processes, jobs, forMs }: VerifySetting & { readonly forMs: number },
  { roundTripsMs }: DrainFigures,
): Setting {
  return {
    limiter: slidingLog({ limit: limitIn(limits, scope), windowMs }) as Limiter<unknown>,
    clients,
    processes,
    jobs,
    opening: 'cold',
    sendsRetryAfter: true,
    horizonMs: forMs,
    startMs: 0,
    network: measuredNetwork(roundTripsMs),
  };
}

type Run = { readonly makespanMs: number; readonly limited: number; readonly admitted: number };

/** From one run to the next: prime, so that runs begin all over the second. */
const strideMs = 7_919;
const originMs = 1_760_000_000_000;

function simulatedRuns(
  strategy: AnyStrategy,
  setting: Setting,
  seeded: (seed: number) => Random,
): readonly Run[] {
  return Array.from({ length: runs }, (_, run) =>
    simulate({ ...setting, startMs: originMs + run * strideMs }, strategy, seeded(run + 1)),
  );
}

function compared(name: string, simulated: readonly Run[], measured: DrainFigures): VerifyResult {
  const perHundred = ({ limited, admitted }: Omit<Run, 'makespanMs'>): number =>
    (100 * limited) / Math.max(1, admitted);
  const makespanMs = figureOf(
    simulated.map((run) => run.makespanMs),
    measured.makespanMs,
  );
  const limited = figureOf(simulated.map(perHundred), perHundred(measured));
  const agrees =
    Math.abs(makespanMs.apart) <= verifyBounds.makespanShare * makespanMs.simulated.median &&
    Math.abs(limited.apart) <= verifyBounds.limitedPoints;
  return { kind: 'verified', name, makespanMs, limited, measured, agrees };
}

function figureOf(simulated: readonly number[], measured: number): Figure {
  const sorted = sortedCopy(simulated);
  const median = nearestRank(sorted, 50) ?? Number.NaN;
  const spread = { low: sorted[0] ?? Number.NaN, median, high: sorted.at(-1) ?? Number.NaN };
  const nearest = Math.min(spread.high, Math.max(spread.low, measured));
  return { simulated: spread, measured, apart: measured === nearest ? 0 : measured - nearest };
}

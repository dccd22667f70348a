import type { Limiter, Rate } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { network } from '../simulation/network.ts';
import type { Setting } from '../simulation/setting.ts';

export type SettingOptions = Partial<Omit<Setting, 'limiter'>> & {
  readonly rate?: Rate;
  readonly limiter?: Limiter<unknown>;
};

/** Twenty clients and four windows' worth of jobs at `/v1/messages`, unless said otherwise. */
export function settingOf({ rate = messages, limiter, ...options }: SettingOptions = {}): Setting {
  return {
    limiter: limiter ?? (slidingLog(rate) as Limiter<unknown>),
    clients: 20,
    processes: 1,
    jobs: 4 * rate.limit,
    opening: 'cold',
    network: calmNetwork,
    sendsRetryAfter: true,
    startMs: 100_000,
    horizonMs: 100 * rate.windowMs,
    ...options,
  };
}

const messages: Rate = { limit: 300, windowMs: 60_000 };

const calmNetwork = network({ medianMs: 24, p99Ms: 48, lossShare: 0 });

/** Random enough for tests, fast, and of this room alone: a linear congruential generator (Knuth's MMIX). */
export function drawn(seed: number): () => number {
  let state = BigInt(seed) * 2n + 1n;
  return () => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return Number(state >> 11n) / 2 ** 53;
  };
}

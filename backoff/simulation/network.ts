import type { Random } from '../strategy.ts';

/** Round trips, as quantiles of how long they take, ms; and how often an answer does not come back. */
export type Network = { readonly quantilesMs: Float64Array; readonly lossShare: number };

export type Latency = {
  readonly medianMs: number;
  /** 99 of 100 round trips take no longer. */
  readonly p99Ms: number;
  readonly lossShare: number;
};

const quantiles = 1_024;

/** Round trips whose logarithm is normally distributed, as latencies roughly are: never 0, with a tail to the right. */
export function network({ medianMs, p99Ms, lossShare }: Latency): Network {
  const spread = Math.log(p99Ms / medianMs) / normalQuantile(0.99);
  const quantilesMs = Float64Array.from({ length: quantiles }, (_, at) => {
    return medianMs * Math.exp(spread * normalQuantile((at + 0.5) / quantiles));
  });
  return { quantilesMs, lossShare };
}

/** Round trips as they were measured, ms, in any order and at least one; none was lost. */
export function measuredNetwork(roundTripsMs: readonly number[]): Network {
  const sorted = Float64Array.from(roundTripsMs).sort();
  const quantilesMs = Float64Array.from({ length: quantiles }, (_, at) => {
    return sorted[Math.floor(((at + 0.5) / quantiles) * sorted.length)] as number;
  });
  return { quantilesMs, lossShare: 0 };
}

/** Half a round trip, ms. */
export function oneWayMs({ quantilesMs }: Network, random: Random): number {
  return (quantilesMs[(random() * quantiles) | 0] as number) / 2;
}

/** The shortest round trip there is, ms. */
export function roundTripMsMin({ quantilesMs }: Network): number {
  return quantilesMs[0] as number;
}

/**
 * The normal distribution's quantile, good to 5e-4: Abramowitz & Stegun, Handbook of Mathematical Functions, 26.2.23.
 */
function normalQuantile(probability: number): number {
  if (probability > 0.5) return -normalQuantile(1 - probability);
  const t = Math.sqrt(-2 * Math.log(probability));
  const numerator = 2.515517 + t * (0.802853 + t * 0.010328);
  const denominator = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return numerator / denominator - t;
}

import type { Unknown } from '../../../checks/identify/unknown.ts';
import type { Exchange } from '../../../contract/exchange.ts';
import { seeded } from '../../../run/seeded.ts';
import { simulateIdentify } from '../../simulation/identify-run.ts';

/** A limiter of which nothing is known beforehand, neither limit nor window. */
export const unknownTarget: Unknown = {
  request: { scope: 'standard', route: 'main', key: null, credential: 'absent' },
  limit: null,
  windowMs: null,
  windows: 'auto',
  windowMsMax: 300_000,
  unlimitedAfter: 2_000,
};

/** Asks a limiter of which nothing is known beforehand, neither limit nor window, in virtual time over a fast network. */
export function probeUnknown(admits: (nowMs: number) => boolean, seed: number): readonly Exchange[] {
  const random = seeded(seed);
  return simulateIdentify({
    target: unknownTarget,
    admits,
    latencyMs: (draw) => 2 + 3 * draw(),
    random,
    startMs: 1_760_000_000_000 + random() * 3_600_000,
  });
}

import { join } from 'node:path';
import type { Limits, Scope } from '../../contract/scopes.ts';

/** One entry of the load suite: what it shows and what it costs. */
export type Scenario = {
  readonly name: string;
  readonly scope: Scope;
  /** What is shown when its clause holds, in a few words. */
  readonly shows: string;
  /** The clause that its exchanges are judged under. */
  readonly clause: string;
  /** Requests with the key, as a multiple of the scope's limit. */
  readonly burstFactor: number;
  /** How long it takes, k6's start included, where answers come at once. */
  readonly secondsTypical: number;
  /** Path of the file that k6 runs, before it is bundled. */
  readonly entry: string;
};

const folder = join(import.meta.dirname, '..');

export const scenarios = [
  {
    name: 'messages-burst',
    scope: 'messages',
    shows: 'exact admission when 1.5 × the limit arrives at once at /v1/messages',
    clause: 'load.messages-burst',
    burstFactor: 1.5,
    secondsTypical: 1,
    entry: join(folder, 'messages-burst.ts'),
  },
  {
    name: 'media-burst',
    scope: 'media',
    shows: 'exact admission when 1.5 × the limit of uploads runs at once, a few bytes to 1 MiB each',
    clause: 'load.media-burst',
    burstFactor: 1.5,
    secondsTypical: 1,
    entry: join(folder, 'media-burst.ts'),
  },
] as const satisfies readonly Scenario[];

/** How many requests a scenario sends under given limits. */
export type ScenarioCost = {
  /** With the key, all at once. */
  readonly burst: number;
  /** Without a key, before the burst. */
  readonly warmUp: number;
};

/**
 * What a scenario costs. A k6 batch opens a connection for each of its requests that finds none free, so one
 * keyless batch of the burst's own size leaves a connection for every request of the burst; fewer do not.
 */
export function scenarioCost(
  scenario: Scenario,
  limits: Limits,
  { probeWithoutKey }: { readonly probeWithoutKey: boolean },
): ScenarioCost {
  const burst = Math.ceil(limits[scenario.scope] * scenario.burstFactor);
  return { burst, warmUp: probeWithoutKey ? burst : 0 };
}

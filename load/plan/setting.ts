import type { Limits, Scope } from '../../contract/scopes.ts';

/** All that a scenario's plan follows from. Counts are integers. */
export type PlanSetting = {
  readonly windowMs: number;
  readonly limits: Limits;
  /** Scopes that the deployment has a request for. */
  readonly scopes: readonly Scope[];
  readonly nodes: number;
  readonly keys: number;
  /** Length of the pressure, in windows. */
  readonly windows: number;
  /** Independent clients of a burst; 1 sends it in one batch. */
  readonly vus: number;
  /** k6 processes that share the scenario. */
  readonly processes: number;
  readonly warmUp: 'keyless' | 'none';
};

/** Smallest and largest value of each number that a person may choose. */
export const settingRanges = {
  windowMs: [1_000, 3_600_000],
  nodes: [1, 16],
  keys: [1, 10_000],
  windows: [1, 1_440],
  vus: [1, 1_000],
  processes: [1, 100],
} as const satisfies Partial<Record<keyof PlanSetting, readonly [min: number, max: number]>>;

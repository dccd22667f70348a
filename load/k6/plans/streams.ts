import type { Scope } from '../../../contract/scopes.ts';
import type { Lane, PlanSetting } from '../lane.ts';

/** So many times what the limit allows. */
const pressureFactor = 3;

/** Under the limit by a few percent, and by two requests at least: 288 of 300, 115 of 120, 28 of 30. */
const sustainedShare = 0.96;
const sustainedRoom = 2;

/** Three times the limit of every scope, evenly spaced, on one key. */
export function overPressurePlan(setting: PlanSetting): readonly Lane[] {
  return everyScope(setting, 'pressure', (limit) => pressureFactor * limit);
}

/** A few percent less than the limit of every scope, evenly spaced, on one key. */
export function sustainedPlan(setting: PlanSetting): readonly Lane[] {
  return everyScope(setting, 'sustained', (limit) =>
    Math.max(1, Math.min(Math.floor(sustainedShare * limit), limit - sustainedRoom)),
  );
}

function everyScope(
  { scopes, limits, windows, windowMs }: PlanSetting,
  purpose: string,
  requestsPerWindow: (limit: number) => number,
): readonly Lane[] {
  return scopes.map((scope: Scope) => ({
    kind: 'stream',
    name: `${purpose}_${scope}`,
    scope,
    keys: { first: 0, count: 1 },
    nodes: 'in-turn',
    purpose,
    startMs: 0,
    durationMs: windows * windowMs,
    count: windows * requestsPerWindow(limits[scope]),
  }));
}

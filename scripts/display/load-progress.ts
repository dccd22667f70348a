import type { PlannedScenario } from '../../load/runner/plan-scenario.ts';
import type { ProgressEvent } from './progress.ts';

/** What k6 does, with a countdown where it is worth one. */
export function countdownUntil(
  row: string,
  text: string,
  { planned, nowMs }: { readonly planned: PlannedScenario; readonly nowMs: number },
): ProgressEvent {
  if (!text.startsWith('sending')) return { kind: 'doing', row, text };
  return { kind: 'waiting', row, why: text, untilMs: nowMs + planned.seconds * 1_000 };
}

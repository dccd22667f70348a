import { keyAliasAt } from '../../load/k6/parameters.ts';
import type { PlannedScenario } from '../../load/runner/plan-scenario.ts';
import type { KeyForLoad } from '../../load/runner/settle-parameters.ts';

/** The keys of a scenario that runs elsewhere: what they are called here, and in place of what only that place knows. */
export function unknownKeys({ setting }: PlannedScenario): readonly KeyForLoad[] {
  const named = ['A', 'B'];
  const aliases = setting.keys <= named.length ? named : [];
  return Array.from({ length: setting.keys }, (_, at) => ({
    alias: keyAliasAt(aliases, at),
    secret: 'in-the-environment',
  }));
}

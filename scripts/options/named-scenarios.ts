import { didYouMean } from '../../contract/nearest.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { Scenario } from '../../load/plan/scenario.ts';
import { scenarios } from '../../load/runner/scenarios.ts';

/**
 * Scenarios by their names, each once.
 * @throws {UsageError} where there is none of a name.
 */
export function namedScenarios(names: readonly string[]): readonly Scenario[] {
  const known: readonly Scenario[] = scenarios;
  return [...new Set(names)].map((name) => {
    const scenario = known.find((one) => one.name === name);
    if (scenario !== undefined) return scenario;
    const all = known.map((one) => one.name);
    throw new UsageError(
      `There is no load scenario "${name}"${didYouMean(name, all)} All: ${all.join(', ')}.`,
    );
  });
}

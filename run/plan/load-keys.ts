import type { TraceHeader } from '../../contract/trace-header.ts';
import { keyAliasAt } from '../../load/k6/parameters.ts';
import type { PlannedScenario } from '../../load/plan/planned.ts';
import type { Scenario } from '../../load/plan/scenario.ts';

type AssignOptions = {
  readonly mode: TraceHeader['mode'];
  /** Aliases of the deployment's keys, in its order. */
  readonly aliases: readonly string[];
  /** The embedded service gets as many keys as are wanted: then no scenario waits for another's. */
  readonly spare: 'any' | 'none';
};

/**
 * The bursts run without being asked for: they take a second each, and fit into the quiet of the probes' window. All
 * others need a window of their own, or more.
 */
export function goesByDefault({ name }: Scenario): boolean {
  return name === 'messages-burst' || name === 'media-burst';
}

/**
 * The aliases of each scenario's keys, by position. Bursts beside the probes take the last key, which the probes use
 * least. Of two keys the first floods.
 */
export function assignKeys(
  planned: readonly PlannedScenario[],
  { mode, aliases, spare }: AssignOptions,
): readonly (readonly string[])[] {
  let made = 0;
  return planned.map((one) => {
    const { setting, scenario } = one;
    if (scenario.keys === 'many') return Array.from({ length: setting.keys }, (_, at) => keyAliasAt([], at));
    if (spare === 'none' || (mode === 'full' && goesByDefault(scenario))) {
      return scenario.keys === 'one' ? aliases.slice(-1) : aliases.slice(0, setting.keys);
    }
    const first = made + 1;
    made += setting.keys;
    return Array.from({ length: setting.keys }, (_, at) => `L${first + at}`);
  });
}

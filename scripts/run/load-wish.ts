import type { Scenario } from '../../load/plan/scenario.ts';
import { type K6Extras, noExtras } from '../../load/runner/k6-command.ts';
import type { ScenarioChoices } from '../../load/runner/plan-scenario.ts';

/** What somebody wants k6 to do. */
export type LoadWish = {
  readonly scenarios: readonly Scenario[];
  /** `named` scenarios must be possible; of `all` those that are not are left out, and it is said. */
  readonly chosen: 'named' | 'all';
  readonly choices: ScenarioChoices;
  readonly extras: K6Extras;
  /** Path of a file with one API key a line, for the scenario of many keys. */
  readonly keysFile: string | null;
};

export const noLoad: LoadWish = {
  scenarios: [],
  chosen: 'named',
  choices: {},
  extras: noExtras,
  keysFile: null,
};

import { documentedLimits } from '../../contract/scopes.ts';
import { type PlannedScenario, planScenario } from '../../load/runner/plan-scenario.ts';
import { scenarios } from '../../load/runner/scenarios.ts';
import { whyImpossible } from '../../load/runner/settle-parameters.ts';
import { noLoad } from '../../run/plan/load-plan.ts';
import { withNodes } from '../../run/plan/run-plan.ts';
import type { Settings } from '../../run/target/settle-settings.ts';
import { choicesOf, type ScenarioFlags } from '../options/load-options.ts';

/** The load scenarios with what each shows, sends and takes, under given settings; a line or two each. */
export function scenarioList(given: Settings, flags: ScenarioFlags): readonly string[] {
  const { deployment } = withNodes({ settings: given, load: { ...noLoad, scenarios } });
  const choices = choicesOf(flags, scenarios);
  const planned = scenarios.map((scenario) =>
    planScenario(scenario, { deployment, limits: documentedLimits, choices }),
  );
  const nameWidth = Math.max(...scenarios.map(({ name }) => name.length));
  const lines = planned.flatMap((one) => [
    `${one.scenario.name.padEnd(nameWidth)}  ${costText(one, whyImpossible(one, deployment))}`,
    `${' '.repeat(nameWidth)}  ${one.scenario.shows}`,
  ]);
  return [
    ...lines,
    '',
    'conformance load <name>… runs some of them, load all runs all; --help shows what can be chosen.',
  ];
}

function costText({ requests, seconds, scenario }: PlannedScenario, impossible: string | null): string {
  const cost =
    impossible === null ? `${requests} requests in at most ${seconds} s` : `not possible: ${impossible}`;
  return scenario.takes.length === 0
    ? cost
    : `${cost} (${scenario.takes.map((name) => `--${name}`).join(', ')})`;
}

import type { Scenario } from '../plan/scenario.ts';
import { aloneParameters } from './alone-parameters.ts';
import { aloneSettings } from './alone-settings.ts';
import { handedToScript } from './keys.ts';
import { scriptOf } from './script.ts';

/**
 * A scenario of the messaging document as a script that k6 runs without anything beside it: its settings come from variables,
 * `BASE_URL` and `API_KEY` first. It writes a whole trace by `console.log`.
 * @throws where a variable is missing, or cannot be used.
 */
export function aloneScript(scenario: Scenario) {
  const handed = handedToScript();
  return scriptOf(() => aloneParameters(scenario, aloneSettings(__ENV, open), handed.keys.length), handed);
}

/** The one script that k6 runs for every scenario: it plays the lanes that the runner planned. */
import { handedToScript } from './keys.ts';
import { type Parameters, parametersVariable } from './parameters.ts';
import { scriptOf } from './script.ts';

/** The runner made them of checked settings. */
function given(): Parameters {
  const text = __ENV[parametersVariable] ?? globalThis.conformanceLoadParameters;
  if (text === undefined)
    throw new Error(`${parametersVariable} is not set: start this with "conformance load"`);
  return JSON.parse(text) as Parameters;
}

const script = scriptOf(given, handedToScript());
export const { options, setup, handleSummary, look } = script;
export default script.iterate;

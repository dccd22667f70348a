// By its file: under its name this file would be found again.
import fastCheck from '../../node_modules/fast-check/lib/fast-check.js';

/** Enough to meet a mutant that random cases meet at all; a test with more cases kills no fewer. */
const casesMax = 60;

const assert = ((property: fastCheck.IRawProperty<unknown>, parameters: fastCheck.Parameters<unknown> = {}) =>
  fastCheck.assert(property, {
    ...parameters,
    numRuns: Math.min(parameters.numRuns ?? casesMax, casesMax),
    seed: parameters.seed ?? 1,
    endOnFailure: true,
  })) as typeof fastCheck.assert;

export default { ...fastCheck, assert };

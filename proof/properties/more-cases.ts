import process from 'node:process';
// By its file: under its name this file would be found again.
import fastCheck from '../../node_modules/fast-check/lib/fast-check.js';
import { timesOf } from './times.ts';

/** A property ends after so long, however few of its cases were drawn by then. */
const longestMs = 60_000;

const times = timesOf(process.env['CASES_TIMES']);

const assert = ((
  property: fastCheck.IRawProperty<unknown>,
  parameters: fastCheck.Parameters<unknown> = {},
) => {
  // With the seed that a test names it would draw for the most part what `npm test` draws every day.
  const { seed: _, path: __, ...own } = parameters;
  const numRuns = times * (parameters.numRuns ?? 100);
  return fastCheck.assert(property, { ...own, numRuns, interruptAfterTimeLimit: longestMs });
}) as typeof fastCheck.assert;

export default { ...fastCheck, assert };

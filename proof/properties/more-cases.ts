import process from 'node:process';
// By its file: under its name this file would be found again.
import fastCheck from '../../node_modules/fast-check/lib/fast-check.js';

const timesDefault = 30;

/** A property ends after so long, however few of its cases were drawn by then. */
const longestMs = 60_000;

/**
 * How many times as many cases as a test asks for, by the setting CASES_TIMES.
 * @throws where that is no whole number of 1 or more.
 */
export function timesOf(setting: string | undefined): number {
  if (setting === undefined) return timesDefault;
  const times = Number(setting);
  if (Number.isInteger(times) && times >= 1) return times;
  throw new Error(`CASES_TIMES is ${JSON.stringify(setting)}: it must be a whole number of 1 or more.`);
}

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

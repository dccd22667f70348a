const timesDefault = 30;

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

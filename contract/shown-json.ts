/** Characters of a value that a sentence quotes. */
const shownCharactersMax = 80;

/** Levels of JSON that are written: the parser reads any number of them, the writer fails at some thousands. */
export const jsonLevelsMax = 200;

/** Whether a value of JSON has more levels than these. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isNestedDeeper(part, levels - 1));
}

/** A value of JSON as a sentence quotes it: bounded, on one line. */
export function shown(value: unknown): string {
  if (isNestedDeeper(value, jsonLevelsMax)) return `JSON of more than ${jsonLevelsMax} levels`;
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length <= shownCharactersMax ? text : `${text.slice(0, shownCharactersMax - 1)}…`;
}

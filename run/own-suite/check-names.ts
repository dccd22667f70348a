import { isJsonObject } from '../../contract/json-object.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { UsageError } from '../../contract/usage-error.ts';

/** @throws {UsageError} naming what is not there, or goes by another name. */
export function checkNames(what: string, given: unknown, known: readonly string[]): void {
  if (!isJsonObject(given)) {
    throw new UsageError(
      `${what}: ${given === undefined ? 'is missing' : 'is no object'}. An endpoint and its limit are wanted: { url: 'http://127.0.0.1:3000/items' }, ` +
        `{ limit: 30, windowSeconds: 2, promise: 'rolling' }.`,
    );
  }
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(
    `${what}: there is no field "${unknown}"${didYouMean(unknown, known)} It has ${known.join(', ')}.`,
  );
}

import { SharedArray } from 'k6/data';
import { keyFileVariable, keyVariable, ownKeysIn, parseKeys, parseValues } from './parameters.ts';
import type { Handed } from './script.ts';

/** A file of a person's own, with keys alone. */
const ownKeysFile = 'KEYS_FILE';

/** The keys and secret headers of a script: from the file of a runner, a person's own, or variables. */
export function handedToScript(): Handed {
  const keyFile = __ENV[keyFileVariable];
  const ownFile = __ENV[ownKeysFile];
  if (keyFile === undefined) {
    const keys =
      ownFile === undefined || __ENV[keyVariable] !== undefined
        ? parseKeys(__ENV[keyVariable] ?? ownKeysIn(__ENV))
        : new SharedArray('keys', () => [...parseKeys(open(ownFile).replace(/\s+/g, ' '))]);
    return { keys, headerValue: (variable) => whole(variable, __ENV[variable]) };
  }
  // One copy for all clients.
  const keys = new SharedArray('keys', () => [...parseKeys(open(keyFile))]);
  const values = new SharedArray('values', () => [...parseValues(open(keyFile))]);
  const named = (variable: string): string | undefined =>
    values.find((line) => line.startsWith(`${variable}=`))?.slice(variable.length + 1);
  return { keys, headerValue: (variable) => whole(variable, named(variable)) };
}

/** The value of a secret header, by the name of its variable. */
function whole(variable: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new Error(`${variable} is not set: it holds a header`);
  return value;
}

import { isJsonObject } from '../json-object.ts';

/**
 * The value of a key in a header that says several things: `total=100; remaining=99`, `user-hour-lim:3500;user-hour-rem:500;`, or a
 * JSON object. `null` where it has no such key.
 */
export function valueOfKey(raw: string, key: string): string | null {
  return keyedValues(raw).get(key) ?? null;
}

/** All of them, the first one of each key. Parts are divided by semicolons, or else by commas; of JSON, texts and numbers are values. */
export function keyedValues(raw: string): ReadonlyMap<string, string> {
  return raw.trimStart().startsWith('{') ? membersOf(raw) : partsOf(raw);
}

function partsOf(raw: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const part of raw.split(raw.includes(';') ? ';' : ',')) {
    const [, key, value] = /^\s*([^=:\s]+)\s*[=:]\s*(.*?)\s*$/.exec(part) ?? [];
    if (key !== undefined && value !== undefined && !values.has(key))
      values.set(key, value.replace(/^"(.*)"$/, '$1'));
  }
  return values;
}

function membersOf(raw: string): ReadonlyMap<string, string> {
  try {
    const said: unknown = JSON.parse(raw);
    return new Map(
      Object.entries(isJsonObject(said) ? said : {}).flatMap(([key, value]) =>
        typeof value === 'string' || typeof value === 'number' ? [[key, String(value)] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

import { isJsonObject } from './json-object.ts';

/** The value at a JSON pointer (RFC 6901); `undefined` where there is none. */
export function valueAt(pointer: string, whole: unknown): unknown {
  let value = whole;
  for (const token of tokensOf(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined;
    // The only name that an array has of its own beside its indices.
    if (Array.isArray(value) && token === 'length') return undefined;
    if (!Object.hasOwn(value, token)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[token];
  }
  return value;
}

/** The names on the way to a value: "/a~1b/0" leads to "0" in "a/b". */
export function tokensOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer that leads by these names: the other way round than `tokensOf`. */
export function pointerOf(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A value with another one at a JSON pointer; what is missing on the way there becomes an object. */
export function withValueAt(pointer: string, whole: unknown, value: unknown): unknown {
  return withValue(whole, tokensOf(pointer), value);
}

function withValue(whole: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(whole) && /^(0|[1-9]\d{0,8})$/.test(name) && Number(name) <= whole.length)
    return whole.toSpliced(Number(name), 1, withValue(whole[Number(name)], rest, value));
  const members = isJsonObject(whole) ? whole : {};
  const before = Object.hasOwn(members, name) ? members[name] : undefined;
  return { ...members, [name]: withValue(before, rest, value) };
}

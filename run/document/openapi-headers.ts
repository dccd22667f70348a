import { resetUnits } from '../../contract/reset-units.ts';
import type { DraftField } from './draft.ts';
import { nodeOf, type OpenApi } from './openapi.ts';

const ofLimits = /rate-?limit|^retry-after$/i;

/** The headers of limits that answers define, each once. */
export function headerNames({ operations, resolved }: OpenApi): readonly string[] {
  const names = operations.flatMap(({ node }) =>
    Object.values(nodeOf(node['responses'])).flatMap((value) =>
      Object.keys(nodeOf(resolved(value)['headers'])).filter((name) => ofLimits.test(name)),
    ),
  );
  const apart = new Map(names.map((name) => [name.toLowerCase(), name] as const));
  return [...apart.values()].toSorted();
}

/** What a document says of these headers: nothing, with what it might say where there are three that belong together. */
export function headersField(names: readonly string[]): DraftField {
  const name = 'headers';
  if (names.length === 0) return { name, value: 'none', said: ['The file defines no headers of limits.'] };
  const [limit] = triplesIn(names);
  return {
    ...{ name, value: 'none', said: [`Defined: ${names.join(', ')}.`] },
    todo: limit === undefined ? undefined : `${promiseOf(limit)}; "document init" sees it`,
  };
}

/** Three headers that belong together, by what their names begin with. */
type Triple = {
  readonly prefix: string;
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
};

function triplesIn(names: readonly string[]): readonly Triple[] {
  const written = new Map(names.map((name) => [name.toLowerCase(), name] as const));
  return ['x-ratelimit-', 'ratelimit-', 'x-rate-limit-', 'rate-limit-'].flatMap((prefix) => {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((last) =>
      written.get(prefix + last),
    );
    return limit === undefined || remaining === undefined || reset === undefined
      ? []
      : [{ prefix, limit, remaining, reset }];
  });
}

function promiseOf({ prefix, limit, remaining, reset }: Triple): string {
  const each = 'if every answer carries them';
  if (prefix === 'x-ratelimit-') return `x-ratelimit, ${each} and Reset is in seconds since 1970`;
  if (prefix === 'ratelimit-') return `ietf-triple, ${each} and Reset is in seconds from now`;
  const named = `{ limit: ${limit}, remaining: ${remaining}, reset: { name: ${reset}, unit: UNIT } }`;
  return `${named}, ${each}; the unit is one of ${resetUnits.join(', ')}`;
}

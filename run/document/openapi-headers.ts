import { resetUnits } from '../../contract/reset-units.ts';
import type { DraftField } from './draft.ts';
import { nodeOf, type OpenApi } from './openapi.ts';

const ofLimits = /rate-?limit|^retry-after$/i;

/** A header of limits that answers define, and whether those over the limit do alone. */
export type DefinedHeader = { readonly name: string; readonly isOnRefusals: boolean };

/** The headers of limits that answers define, each once, by their names. */
export function definedHeaders({ operations, resolved }: OpenApi): readonly DefinedHeader[] {
  const all = operations.flatMap(({ node }) =>
    Object.entries(nodeOf(node['responses'])).flatMap(([status, value]) =>
      Object.keys(nodeOf(resolved(value)['headers']))
        .filter((name) => ofLimits.test(name))
        .map((name) => ({ name, isOnRefusals: status === '429' })),
    ),
  );
  return [...Map.groupBy(all, ({ name }) => name.toLowerCase()).values()]
    .map((same) => ({ name: same.at(-1)?.name ?? '', isOnRefusals: same.every((one) => one.isOnRefusals) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** What a document says of these headers: nothing, with what it might say where there are three that belong together. */
export function headersField(defined: readonly DefinedHeader[]): DraftField {
  const name = 'headers';
  if (defined.length === 0) return { name, value: 'none', said: ['The file defines no headers of limits.'] };
  const names = defined.map((one) => one.name);
  const [limit] = triplesIn(names);
  const onRefusals = new Set(defined.flatMap((one) => (one.isOnRefusals ? [one.name] : [])));
  return {
    ...{ name, value: 'none', said: [`Defined: ${names.join(', ')}.`] },
    todo: limit === undefined ? undefined : `${promiseOf(limit, onRefusals)}; "document init" sees it`,
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

function promiseOf({ prefix, limit, remaining, reset }: Triple, onRefusals: ReadonlySet<string>): string {
  const units = `the unit is one of ${resetUnits.join(', ')}`;
  if (onRefusals.has(reset)) {
    const isAlone = !onRefusals.has(limit) || !onRefusals.has(remaining);
    const [own, all] = isAlone ? [', on: limited', ''] : ['', ', on: limited'];
    const named = `{ limit: ${limit}, remaining: ${remaining}, reset: { name: ${reset}, unit: UNIT${own} }${all} }`;
    return `${named}, if refusals alone carry ${isAlone ? reset : 'them'}; ${units}`;
  }
  const each = 'if every answer carries them';
  if (prefix === 'x-ratelimit-') return `x-ratelimit, ${each} and Reset is in seconds since 1970`;
  if (prefix === 'ratelimit-') return `ietf-triple, ${each} and Reset is in seconds from now`;
  const named = `{ limit: ${limit}, remaining: ${remaining}, reset: { name: ${reset}, unit: UNIT } }`;
  return `${named}, ${each}; ${units}`;
}

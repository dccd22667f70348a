import { resetUnits } from '../../contract/reset-units.ts';
import type { DraftField } from './draft.ts';
import { readingsIn } from './limit-headers.ts';
import type { OpenApi } from './openapi.ts';
import { headersIn } from './openapi-header.ts';

const ofLimits = /rate-?limit|^retry-after$/i;

/** A header of limits that answers define, and whether those over the limit do alone. */
export type DefinedHeader = {
  readonly name: string;
  readonly isOnRefusals: boolean;
  /** A value as it may be; absent where none is shown. */
  readonly example?: string | undefined;
};

/** The headers of limits that answers define, each once, by their names. */
export function definedHeaders(api: OpenApi): readonly DefinedHeader[] {
  const all = api.operations.flatMap(({ node }) =>
    Object.entries(api.resolved(node['responses'])).flatMap(([status, value]) =>
      headersIn(api, api.resolved(value))
        .filter(({ name }) => ofLimits.test(name))
        .map(({ name, examples }) => ({ name, isOnRefusals: status === '429', example: examples[0] })),
    ),
  );
  return [...Map.groupBy(all, ({ name }) => name.toLowerCase()).values()]
    .map((same) => {
      const example = same.find((one) => one.example !== undefined)?.example;
      return {
        name: same.at(-1)?.name ?? '',
        isOnRefusals: same.every((one) => one.isOnRefusals),
        ...(example === undefined ? {} : { example }),
      };
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** What a document says of these headers: nothing, with what it might say where there are three that belong together. */
export function headersField(defined: readonly DefinedHeader[]): DraftField {
  const name = 'headers';
  if (defined.length === 0) return { name, value: 'none', said: ['The file defines no headers of limits.'] };
  const names = defined.map((one) => one.name);
  const [limit] = triplesIn(names);
  const onRefusals = new Set(defined.flatMap((one) => (one.isOnRefusals ? [one.name] : [])));
  const promise = limit === undefined ? promiseByExample(defined) : promiseOf(limit, onRefusals);
  return {
    ...{ name, value: 'none', said: [`Defined: ${names.join(', ')}.`] },
    todo: promise === null ? undefined : `${promise}; "document init" sees it`,
  };
}

/** What one header that says several things would promise, as its example has it; `null` where none does. */
function promiseByExample(defined: readonly DefinedHeader[]): string | null {
  const written = new Map(defined.map(({ name }) => [name.toLowerCase(), name] as const));
  const examples = defined.flatMap(({ name, example }) =>
    example === undefined ? [] : [[name.toLowerCase(), example] as const],
  );
  const [reading] = readingsIn(Object.fromEntries(examples)).values();
  if (reading === undefined) return null;
  const own = new Set(reading.names.map((name) => name.toLowerCase()));
  const isOnAll = defined.some(({ name, isOnRefusals }) => own.has(name.toLowerCase()) && !isOnRefusals);
  const each = isOnAll ? 'if every answer carries it' : 'with on: limited, if refusals alone carry it';
  if (reading.fields !== null) return `${reading.fields}, ${each}`;
  const parts = Object.entries(reading.own ?? {}).flatMap(([what, value]) => {
    if (typeof value !== 'object' || value === null || !('key' in value)) return [];
    const name = written.get(value.name.toLowerCase()) ?? value.name;
    const more = what === 'reset' ? ', unit: UNIT' : '';
    const as = 'as' in value ? `, as: ${value.as}` : '';
    return [`${what}: { name: ${name}, key: ${value.key}${as}${more} }`];
  });
  if (parts.length === 0) return null;
  const units = parts.some((part) => part.startsWith('reset'))
    ? `; the unit is one of ${resetUnits.join(', ')}`
    : '';
  return `{ ${parts.join(', ')} }, ${each}${units}`;
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

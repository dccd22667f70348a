import type { RequestMethod } from '../request-template.ts';
import type { Scope } from '../scopes.ts';
import type { CountedBy } from './counted-by.ts';
import { everyPath, formOf, matcherOf, nearestFirst, type PathForm, samplePathOf } from './path-pattern.ts';
import { type Path, pathOf } from './paths.ts';

/** What a scope says of the requests that it counts. */
type Counting = {
  readonly methods?: readonly RequestMethod[] | undefined;
  readonly paths?: readonly string[] | undefined;
};

type Scopes = Readonly<Record<Scope, Counting>>;

/** Whether a scope counts requests by a method, as far as that is asked. */
export function countsMethod({ methods }: Pick<Counting, 'methods'>, method: string): boolean {
  return methods === undefined || methods.some((one) => one === method);
}

/** Whether a scope takes what no other names. */
function isRest({ methods, paths }: Counting): boolean {
  return methods === undefined && paths === undefined;
}

/** The scope of all requests that no other scope names; the first where each of them names some. */
export function restOf({ scopes }: { readonly scopes: Scopes }): Scope {
  const named = Object.entries(scopes);
  const [rest] = named.find(([, scope]) => isRest(scope)) ?? named[0] ?? [];
  if (rest === undefined) throw new Error('a document has at least one scope');
  return rest;
}

/** What a scope counts: one path with all below it, by these methods or by all. */
type Count = {
  readonly scope: Scope;
  /** As the document writes it; `null` for every path. */
  readonly path: string | null;
  readonly form: PathForm;
  readonly methods: readonly RequestMethod[] | undefined;
};

function countsOf(scope: Scope, { methods, paths }: Counting): readonly Count[] {
  if (paths === undefined) return [{ scope, path: null, form: everyPath, methods }];
  return paths.map((path) => ({ scope, path, form: formOf(path), methods }));
}

/**
 * Which scope a request belongs to by a document. Of the paths that it is at or below, the nearest decides, and of two scopes
 * with the same path the one that names methods; what none of them names belongs to the rest.
 */
export function scopesByRequest({
  scopes,
}: {
  readonly scopes: Scopes;
}): (path: Path, method: string) => Scope {
  const counts = Object.entries(scopes)
    .flatMap(([name, scope]) => countsOf(name, scope))
    .toSorted((one, other) => nearestFirst(one.form, other.form) || namesMethods(other) - namesMethods(one))
    .map((count) => ({ ...count, isPathOf: matcherOf(count.form) }));
  const rest = restOf({ scopes });
  const scopeOf = (path: Path, method: string): Scope =>
    counts.find((count) => count.isPathOf(path) && countsMethod(count, method))?.scope ?? rest;
  let last = { path: '', method: '', scope: rest };
  return (path, method) => {
    // Many requests are like the one before.
    if (path !== last.path || method !== last.method) last = { path, method, scope: scopeOf(path, method) };
    return last.scope;
  };
}

function namesMethods({ methods }: Count): number {
  return methods === undefined ? 0 : 1;
}

type CountedSaid = Counting & {
  readonly within?: Scope | undefined;
  readonly countedBy?: CountedBy | undefined;
  readonly keys?: 'none' | undefined;
};

/**
 * What a scope counts, for a table: "/search, /find", "POST, PUT of all other paths", "/login; counts in everything too",
 * "/search; by address".
 */
export function countedText({ methods, paths, within, countedBy, keys }: CountedSaid): string {
  const where = paths === undefined ? 'all other paths' : paths.join(', ');
  const which = methods === undefined ? where : `${methods.join(', ')} of ${where}`;
  const also = within === undefined ? which : `${which}; counts in ${within} too`;
  const by = countedBy === undefined ? also : `${also}; by ${countedBy}`;
  return keys === undefined ? by : `${by}; without a key`;
}

/** A scope that counts what another one before it counts too. */
export type CountedTwice = {
  readonly scope: Scope;
  /** Which of its paths; `null` where it names none. */
  readonly at: number | null;
  readonly before: Scope;
  /** As the one before writes it; `null` where that names none. */
  readonly path: string | null;
  /** A method that both name; `null` where neither names any. */
  readonly method: RequestMethod | null;
};

/** What two scopes, or two paths of one, would both count, and neither sooner than the other. */
export function countedTwice(scopes: Scopes): readonly CountedTwice[] {
  const before: Count[] = [];
  return Object.entries(scopes).flatMap(([scope, counting]) =>
    countsOf(scope, counting).flatMap((count, at) => {
      const found = before.flatMap((one) => {
        const method = one.form === count.form ? sharedMethod(one, count) : undefined;
        const place = counting.paths === undefined ? null : at;
        return method === undefined ? [] : [{ scope, at: place, before: one.scope, path: one.path, method }];
      });
      before.push(count);
      return found.slice(0, 1);
    }),
  );
}

/** `undefined` where no request is of both. */
function sharedMethod(one: Count, other: Count): RequestMethod | null | undefined {
  if (one.methods === undefined) return other.methods === undefined ? null : undefined;
  return one.methods.find((method) => other.methods?.includes(method));
}

/** A path of a scope that lies within what another scope counts. */
export type CountedWithin = {
  /** Which of the paths of its scope. */
  readonly at: number;
  readonly other: Scope;
  /** As the other scope writes it; `null` where that names no paths. */
  readonly path: string | null;
};

/** What of a scope would be counted by another one, if its own paths did not say more; of several the nearest. */
export function countedWithin(scopes: Scopes, name: Scope): readonly CountedWithin[] {
  const others = Object.entries(scopes)
    .filter(([other, counting]) => other !== name && !isRest(counting))
    .flatMap(([other, counting]) => countsOf(other, counting))
    .toSorted((one, other) => nearestFirst(one.form, other.form));
  return countsOf(name, scopes[name] ?? {}).flatMap((count, at) => {
    const sample = pathOf(samplePathOf(count.path ?? '/'));
    const found = others.find(
      (one) => nearestFirst(count.form, one.form) < 0 && matcherOf(one.form)(sample) && isOfBoth(one, count),
    );
    return found === undefined ? [] : [{ at, other: found.scope, path: found.path }];
  });
}

/** Whether a method may be of both. */
function isOfBoth(one: Count, other: Count): boolean {
  return one.methods === undefined || other.methods === undefined || sharedMethod(one, other) !== undefined;
}

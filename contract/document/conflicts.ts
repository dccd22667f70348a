import { leastOf } from '../extremes.ts';
import { answeredOf } from '../request-template.ts';
import type { Scope } from '../scopes.ts';
import { type CountedBy, countedByIn, keylessScopesOf } from './counted-by.ts';
import { type CountedTwice, countedTwice, countsMethod } from './counted-requests.ts';
import { furtherName } from './further-limit.ts';
import { type Headers, isPromisedOn, promisedHeaders } from './headers.ts';
import { atOnceOf } from './promise.ts';
import type { Refusal } from './refusal.ts';
import type { ScopeSaid } from './scope.ts';
import { headersIn, otherUnits, type ScopedHeaders } from './scope-headers.ts';
import { misplaced } from './within.ts';

/** Where a document says two things that cannot both be meant, and what is wrong there. */
type Conflict = { readonly path: readonly (string | number)[]; readonly message: string };

type Scopes = Readonly<Record<Scope, ScopeSaid>>;

/** The parts of a document that may contradict each other. */
type Said = {
  readonly scopes: Scopes;
  readonly headers: Headers;
  readonly errors: 'success-false' | 'none';
  readonly refusal?: Refusal | undefined;
  readonly countedBy?: CountedBy | undefined;
};

type Counted = Pick<Said, 'scopes' | 'countedBy'>;

/**
 * What a document says that cannot be meant together, where it stands.
 * @param limited the statuses of its refusals.
 */
export function conflictsIn(document: Said, limited: readonly number[]): readonly Conflict[] {
  const { scopes } = document;
  const ofScopes = [
    ...Object.entries(scopes).flatMap(([scope, said]) =>
      withinScope(said, outerIn(scopes, said), limited).map(({ path, message }) => ({
        path: [scope, ...path],
        message,
      })),
    ),
    ...countedTwice(scopes).map((one) => ({
      path: one.at === null ? [one.scope] : [one.scope, 'paths', one.at],
      message: twiceText(one),
    })),
    ...misplaced(scopes).map(({ scope, message }) => ({ path: [scope, 'within'], message })),
    ...otherwiseCounted(document),
    ...keyless(document),
    ...unlikeResets(document),
  ];
  return [
    ...bodiesBesideErrors(document),
    ...waitsWithoutReset(document),
    ...ofScopes.map(({ path, message }) => ({ path: ['scopes', ...path], message })),
  ];
}

function bodiesBesideErrors({ errors, refusal }: Said): readonly Conflict[] {
  const message =
    'stands beside errors: success-false, which promises the messaging document’s body: write errors: none';
  return (['body', 'bodySchema'] as const).flatMap((name) =>
    refusal?.[name] === undefined || errors === 'none' ? [] : [{ path: ['refusal', name], message }],
  );
}

function waitsWithoutReset(document: Said): readonly Conflict[] {
  const without = document.refusal?.waitUntilReset === true ? scopesWithoutReset(document) : [];
  if (without.length === 0) return [];
  const have = without.length === 1 ? 'has' : 'have';
  const isNone = without.length === Object.keys(document.scopes).length;
  const at = isNone ? '' : `: ${without.join(', ')} ${have} none`;
  const message = `needs a reset among the headers, one that refusals carry${at}`;
  return [{ path: ['refusal', 'waitUntilReset'], message }];
}

function outerIn(scopes: Scopes, { within }: ScopeSaid): ScopeSaid | undefined {
  return within === undefined ? undefined : scopes[within];
}

/** Further limits that cannot be told from another one of their scope by what they are called. */
function byNames(also: NonNullable<ScopeSaid['also']>): readonly Conflict[] {
  const names = also.map(furtherName);
  return names.flatMap((name, at) => {
    if (names.indexOf(name) < at)
      return [{ path: ['also', at], message: `is the second one called ${name}: give it a name` }];
    return name === 'first'
      ? [{ path: ['also', at, 'name'], message: 'is what the first limit is called: give it another name' }]
      : [];
  });
}

/** What one scope says of itself, and of the one within which it lies; each with its place in the scope. */
function withinScope(
  scope: ScopeSaid,
  outer: ScopeSaid | undefined,
  limited: readonly number[],
): readonly Conflict[] {
  const { perSecond, limit, also = [] } = scope;
  const above = `is above the limit of ${limit}: no second can have more than its window`;
  return [
    ...tooDear(scope, outer),
    ...byOtherMethods(scope),
    ...passedAsRefused(scope, limited),
    ...byNames(also),
    ...(perSecond === undefined || perSecond <= limit ? [] : [{ path: ['perSecond'], message: above }]),
  ];
}

/** Scopes that count otherwise than the one within which they lie: of one window, requests would be counted in two ways. */
function otherwiseCounted(document: Counted): readonly Conflict[] {
  return Object.entries(document.scopes).flatMap(([scope, { within }]) => {
    if (within === undefined || !Object.hasOwn(document.scopes, within)) return [];
    const [own, outer] = [countedByIn(document, scope), countedByIn(document, within)];
    if (own === outer) return [];
    const message =
      `counts by ${own}, and ${within}, within which it lies, by ${outer}, which no run tells apart: leave within out, and ` +
      'promise at-most in both scopes';
    return [{ path: [scope, 'within'], message }];
  });
}

/** Scopes whose requests carry no key, and are to be counted by one; or all of them. */
function keyless(document: Counted): readonly Conflict[] {
  const found = keylessScopesOf(document);
  const isAll = found.length === Object.keys(document.scopes).length;
  return found.flatMap((scope) => {
    const by = countedByIn(document, scope);
    if (by === 'address' && !isAll) return [];
    const message =
      by === 'address'
        ? 'stands at every scope: write keys: none, and countedBy: address, for the whole document'
        : `stands where requests are counted by ${by}, which requests without a key do not show: write countedBy: address here`;
    return [{ path: [scope, 'keys'], message }];
  });
}

/** Scopes whose refusals are not promised to carry a reset. */
function scopesWithoutReset(document: ScopedHeaders): readonly Scope[] {
  return Object.keys(document.scopes).filter(
    (scope) => !isPromisedOn('reset', 'limited', promisedHeaders(headersIn(document, scope))),
  );
}

/** Resets are judged, and read by clients, in one unit. */
function unlikeResets(document: ScopedHeaders): readonly Conflict[] {
  return otherUnits(document).map(({ scope, unit, usual }) => ({
    path: [scope, 'headers'],
    message: `tells its reset in ${unit}, and another scope in ${usual}: one document has one unit`,
  }));
}

/** Requests that are answered in the same way whether they pass or are refused. */
function passedAsRefused(scope: ScopeSaid, limited: readonly number[]): readonly Conflict[] {
  return requestsIn(scope).flatMap(({ path, request }) => {
    const status = answeredOf(request).find((one) => limited.includes(one));
    return status === undefined
      ? []
      : [{ path: [...path, 'answered'], message: answeredAsRefusedText(status) }];
  });
}

/** What is wrong with a request that is answered by a status of refusals where it passes. */
export function answeredAsRefusedText(status: number): string {
  return `${status} is how a request over the limit is answered: no answer would tell whether one passed`;
}

function twiceText({ at, before, path, method }: CountedTwice): string {
  const byMethod = method === null ? '' : `, and both count ${method}`;
  if (at !== null) return `is a path of ${before} too${byMethod}`;
  if (path !== null) return `has no paths, and ${path} of ${before} is every path${byMethod}`;
  const only = method === null ? ': only one scope can take all that no other names' : byMethod;
  return `has no paths, and neither has ${before}${only}`;
}

/** Requests that their own scope does not count. */
function byOtherMethods(scope: ScopeSaid): readonly Conflict[] {
  return requestsIn(scope).flatMap(({ path, request: { method } }) =>
    countsMethod(scope, method)
      ? []
      : [{ path, message: `is by ${method}, and its scope counts ${scope.methods?.join(', ')}` }],
  );
}

/** The requests that a scope shows, and where they stand in it. */
function requestsIn({ request, others = [] }: ScopeSaid) {
  return [
    ...(request === undefined ? [] : [{ path: ['request'], request }]),
    ...others.map((other, at) => ({ path: ['others', at, 'request'], request: other.request })),
  ];
}

/** Requests that cost more than the least of the limits of their scope, and of the one within which it lies: none of them would ever pass. */
function tooDear(scope: ScopeSaid, outer: ScopeSaid | undefined): readonly Conflict[] {
  const limits = [scope, outer].flatMap((one) => (one === undefined ? [] : [one, ...(one.also ?? [])]));
  const least = leastOf(limits.map(atOnceOf));
  const message = `is above the limit of ${least}: no such request would ever pass`;
  const costs = [
    { path: ['cost'], cost: scope.cost },
    ...(scope.others ?? []).map(({ cost }, at) => ({ path: ['others', at, 'cost'], cost })),
  ];
  return costs.flatMap(({ path, cost }) => (cost !== undefined && cost > least ? [{ path, message }] : []));
}

import { dearestOf, othersOf, usualCostOf } from '../../contract/document/cost.ts';
import { scopesByCounting } from '../../contract/document/counted-by.ts';
import { scopesByRequest } from '../../contract/document/counted-requests.ts';
import { type Document, limitedStatusesOf, partsOf, scopesOf } from '../../contract/document/document.ts';
import { bearerHeader, keyPlaceOf } from '../../contract/document/key-place.ts';
import { pathOf } from '../../contract/document/paths.ts';
import { type RetryAfterHeader, retryAfterOf, usualRetryAfter } from '../../contract/document/retry-after.ts';
import { allHeadersOf, haveOwnHeaders, headersIn } from '../../contract/document/scope-headers.ts';
import { outerOf } from '../../contract/document/within.ts';
import { isSameHeader } from '../../contract/header-name.ts';
import { parameterIn } from '../../contract/query.ts';
import { type KeptLimit, keptLimits } from '../pacer/kept-limits.ts';
import { readHeadersOf } from './document-headers.ts';
import type { PacedOptions } from './options.ts';
import type { PacedRequestHead, ScopeRule } from './scopes.ts';

/** What `paced` has to know of a document. */
type KeptDocument = Pick<
  Document,
  'scopes' | 'windowSeconds' | 'headers' | 'errors' | 'refusal' | 'countedBy'
> &
  Partial<Pick<Document, 'keys'>>;

/** What of the options of `paced` follows from a document. */
export type PacedByDocument = Pick<
  PacedOptions,
  | 'scopes'
  | 'limitedStatuses'
  | 'retryAfterHeader'
  | 'retryAfterPointer'
  | 'retryAfterUnit'
  | 'waitUntilReset'
  | 'refusalWaitSeconds'
  | 'learnFromHeaders'
  | 'readHeaders'
  | 'keyOf'
>;

/**
 * The options of `paced` by which a process keeps to the limits of a document: whatever kind they are and however many, none
 * of them refuses it then, as long as nobody else uses them. Spread them, and add your own: `share`, `origins`, `keyOf`.
 */
export function pacedOptionsOf(document: KeptDocument): PacedByDocument {
  const scopeOf = scopesByRequest(document);
  const scopes = Object.keys(document.scopes).map((name): [string, ScopeRule] => {
    const [first, ...further] = keptLimits(partsOf(document, name), {
      costMax: dearestOf(document.scopes[name] ?? {}),
    });
    if (first === undefined) throw new Error('a scope has a limit');
    const { isBlind } = first;
    const within = outerOf(document, name);
    return [
      name,
      {
        ...ruleOf(first),
        ...(further.length === 0 ? {} : { also: further.map(ruleOf) }),
        ...(within === null ? {} : { within }),
        cost: costOf(document, name),
        learnFromHeaders: !isBlind && headersIn(document, name).headers !== 'none',
        ...readHeadersIn(document, name),
        match: ({ path, method }) => scopeOf(pathOf(path), method) === name,
      },
    ];
  });
  const {
    retryAfterPointer: pointer,
    retryAfterUnit: unit,
    waitUntilReset = false,
    waitSeconds,
  } = document.refusal ?? {};
  const header = retryAfterOf(document.refusal);
  const said = allHeadersOf(document);
  const usual = said[0] ?? document;
  return {
    scopes: Object.fromEntries(scopes),
    limitedStatuses: limitedStatusesOf(document),
    // Of what is promised nowhere nothing is learnt.
    learnFromHeaders: said.some(({ headers }) => headers !== 'none'),
    ...(usual.headers === 'x-ratelimit' ? {} : { readHeaders: readHeadersOf(usual) }),
    ...(header === null || isUsual(header) ? {} : { retryAfterHeader: header }),
    ...(pointer === undefined ? {} : { retryAfterPointer: pointer }),
    ...(unit === undefined ? {} : { retryAfterUnit: unit }),
    ...(waitUntilReset ? { waitUntilReset } : {}),
    ...(waitSeconds === undefined ? {} : { refusalWaitSeconds: waitSeconds }),
    ...countedApart(document),
  };
}

/** How the headers of a scope's answers are read, where scopes differ in them. */
function readHeadersIn(document: KeptDocument, scope: string): Pick<ScopeRule, 'readHeaders'> {
  if (!haveOwnHeaders(document)) return {};
  return { readHeaders: readHeadersOf(headersIn(document, scope)) };
}

/** As HTTP has it, it needs no saying. */
function isUsual({ name, form }: RetryAfterHeader): boolean {
  return isSameHeader(name, usualRetryAfter) && form !== 'ms' && form !== 'duration';
}

/** By what keys are told apart, where that is not `Authorization`. */
function countedApart(document: KeptDocument): Pick<PacedOptions, 'keyOf'> {
  const apart = new Set(scopesByCounting(document).get('key'));
  if (apart.size === 0) return { keyOf: () => '' };
  const { in: where, name } = keyPlaceOf(document);
  const keyIn: KeyOf =
    where === 'query'
      ? ({ path }) => parameterIn(path, name) ?? ''
      : (_request, header) => header(name) ?? '';
  if (apart.size < scopesOf(document).length) {
    const scopeOf = scopesByRequest(document);
    const isApart = ({ path, method }: PacedRequestHead) => apart.has(scopeOf(pathOf(path), method));
    return { keyOf: (request, header) => (isApart(request) ? keyIn(request, header) : '') };
  }
  return where === 'header' && isSameHeader(bearerHeader.name, name) ? {} : { keyOf: keyIn };
}

type KeyOf = NonNullable<PacedOptions['keyOf']>;

function ruleOf({ limit, windowMs, isBucket }: KeptLimit) {
  return {
    limit,
    windowSeconds: windowMs / 1_000,
    ...(isBucket ? { kind: 'token-bucket' as const } : {}),
  };
}

function costOf({ scopes }: Pick<Document, 'scopes'>, name: string): (request: PacedRequestHead) => number {
  const scope = scopes[name] ?? {};
  const others = new Map(
    othersOf(scope).map(({ request, cost }) => [`${request.method} ${pathOf(request.path)}`, cost]),
  );
  return ({ method, path }) => others.get(`${method} ${pathOf(path)}`) ?? usualCostOf(scope);
}

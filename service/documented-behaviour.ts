import { othersOf, usualCostOf } from '../contract/document/cost.ts';
import { keylessScopesOf, scopesByCounting } from '../contract/document/counted-by.ts';
import { scopesByRequest } from '../contract/document/counted-requests.ts';
import {
  type Document,
  hasCosts,
  isRollingAlone,
  limitedStatusesOf,
  promiseIn,
  scopesOf,
  windowShareOf,
} from '../contract/document/document.ts';
import type { LimitPart, LimitPromise } from '../contract/document/further-limit.ts';
import { keyPlaceOf, servesWithoutKey } from '../contract/document/key-place.ts';
import { messagingDocument } from '../contract/document/messaging.ts';
import { pathOf } from '../contract/document/paths.ts';
import { promisesJson, type Refusal } from '../contract/document/refusal.ts';
import { promisedBody, unmadeText, waitsOf } from '../contract/document/refusal-body.ts';
import { retryAfterOf, usualRetryAfter } from '../contract/document/retry-after.ts';
import { allHeadersOf, headersIn } from '../contract/document/scope-headers.ts';
import { outerOf } from '../contract/document/within.ts';
import { rateLimitHeaderNames } from '../contract/rate-limit-headers.ts';
import { answeredOf } from '../contract/request-template.ts';
import { UsageError } from '../contract/usage-error.ts';
import { openBlocking } from '../limiters/blocking.ts';
import { openWindow, type Rate, type RateWindow } from '../limiters/limiter.ts';
import { promisedLimiter } from '../limiters/promised.ts';
import { openSeveral } from '../limiters/several.ts';
import { openSlidingLog } from '../limiters/sliding-log.ts';
import { anybody, authenticate, authenticateBy } from './authentication.ts';
import type { Behaviour, CountedRequest, DecidedRequest, HeaderField } from './behaviour.ts';
import { errorCodes, jsonType } from './choices.ts';
import { errorBody, rateLimitError } from './error-body.ts';

const messaging: Pick<Document, 'scopes'> = messagingDocument;

/** The service as the document describes it. */
export const documentedBehaviour: Behaviour = {
  authenticate,
  scopeOf: scopesByRequest(messaging),
  outerOf: () => null,
  costOf: () => 1,
  windowKey,
  openWindow: (_scope, rate) => openSlidingLog(rate),
  windowShareOf: () => 1,
  decide: ({ cost }, { window, nowMs }) => window.decide(nowMs, cost),
  withinLimit: (counted) => ({ kind: 'admit', counted }),
  overLimit: (counted) => ({ kind: 'refuse', counted, error: rateLimitError(counted) }),
  rateLimitHeaders: ({ rate, decision }) => [
    [rateLimitHeaderNames.limit, String(rate.limit)],
    [rateLimitHeaderNames.remaining, String(decision.remaining)],
    [rateLimitHeaderNames.reset, String(Math.ceil(decision.resetMs / 1_000))],
  ],
  errorBody,
  date: httpDate,
};

let last = { scope: '', key: '', text: ' ' };

/** Most requests belong to the window of the request before them: then it is the same text, which is found sooner. */
function windowKey({ scope, key }: Pick<CountedRequest, 'scope' | 'key'>): string {
  if (last.scope !== scope || last.key !== key) last = { scope, key, text: `${scope} ${key}` };
  return last.text;
}

const daySeconds = 86_400;
let datedDay = Number.NaN;
let dayText = '';
let datedSecond = Number.NaN;
let datedText = '';

/**
 * The Date field (RFC 9110 §5.6.7). It has whole seconds, so most answers reuse the text of the answer before. In virtual time
 * few do: then it is put together, since V8 takes eight times as long for it.
 */
function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1_000);
  if (second === datedSecond) return datedText;
  const day = Math.floor(second / daySeconds);
  if (day !== datedDay) {
    datedDay = day;
    dayText = new Date(day * daySeconds * 1_000).toUTCString().slice(0, -'00:00:00 GMT'.length);
  }
  datedSecond = second;
  datedText = `${dayText}${timeOf(second - day * daySeconds)} GMT`;
  return datedText;
}

/** Seconds of a day as hh:mm:ss. */
function timeOf(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[seconds % 60]}`;
}

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** The service as another document describes it. Where that says nothing of a part of answers, it has as little in it as most services do. */
export function behaviourOf(document: ServedDocument): Behaviour {
  return {
    ...documentedBehaviour,
    authenticate: authenticationOf(document),
    scopeOf: scopesByRequest(document),
    outerOf: (scope) => outerOf(document, scope),
    ...(hasCosts(document) ? { costOf: costsByRequest(document) } : {}),
    windowShareOf: (scope) => windowShareOf(document, scope),
    ...windowsByScope(document),
    ...openScopes(document),
    ...promisedWindows(document),
    rateLimitHeaders: rateLimitHeadersOf(document),
    ...(document.errors === 'none'
      ? { errorBody: ({ message }) => ({ contentType: 'text/plain', text: message }) }
      : {}),
    ...(document.refusal?.waitUntilReset === true ? { decide: resetWhenServed } : {}),
    ...(document.refusal === undefined ? {} : refusing(document.refusal, waitsOf(document))),
    ...answering(document),
  };
}

/** Requests that are answered other than by 2xx where they pass, as by 401 to a wrong password. */
function answering({ scopes }: Pick<Document, 'scopes'>): Partial<Pick<Behaviour, 'withinLimit'>> {
  const statuses = new Map<string, number>();
  for (const [scope, said] of Object.entries(scopes))
    for (const asked of [said.request ?? [], ...othersOf(said).map(({ request }) => request)].flat()) {
      const [status] = answeredOf(asked);
      const name = nameOf({ scope, method: asked.method, path: pathOf(asked.path) });
      if (status !== undefined) statuses.set(name, status);
    }
  if (statuses.size === 0) return {};
  return {
    withinLimit: (counted) => {
      const status = statuses.get(nameOf(counted));
      if (status === undefined) return { kind: 'admit', counted };
      const message = 'The request passed, and is answered so all the same.';
      return {
        kind: 'refuse',
        counted,
        error: { status, code: errorCodes.request, message, hasPassed: true },
      };
    },
  };
}

/** A request by which a scope, of whose requests it is one, knows it. */
function nameOf({ scope, method, path }: Pick<CountedRequest, 'scope' | 'method' | 'path'>): string {
  return `${scope} ${method} ${path}`;
}

/** Nothing where each scope needs a key. */
function openScopes(document: ServedDocument): Partial<Pick<Behaviour, 'isOpen'>> {
  const open = new Set(keylessScopesOf(document));
  return open.size === 0 ? {} : { isOpen: (scope) => open.has(scope) };
}

/** One window for all keys in scopes that count them together. */
function windowsByScope(document: ServedDocument): Partial<Pick<Behaviour, 'windowKey'>> {
  const ways = scopesByCounting(document);
  const apart = new Set(ways.get('key'));
  return apart.size === scopesOf(document).length
    ? {}
    : { windowKey: (request) => (apart.has(request.scope) ? windowKey(request) : request.scope) };
}

/** None in scopes of whose headers nothing is said. */
function rateLimitHeadersOf(document: ServedDocument): Behaviour['rateLimitHeaders'] {
  const { rateLimitHeaders } = documentedBehaviour;
  if (allHeadersOf(document).every(({ headers }) => headers !== 'none')) return rateLimitHeaders;
  return (counted, status) =>
    headersIn(document, counted.scope).headers === 'none' ? [] : rateLimitHeaders(counted, status);
}

/** Refusals name a moment from which such a request is admitted: of a dear one, later than when the first place is back. */
const resetWhenServed: Behaviour['decide'] = ({ cost }, { window, nowMs }) => {
  const decision = window.decide(nowMs, cost);
  if (decision.admitted) return decision;
  return { ...decision, resetMs: Math.max(decision.resetMs, nowMs + decision.retryAfterMs) };
};

/** Who a request is from: a key, or anybody where the document asks for none. */
function authenticationOf(document: ServedDocument): Behaviour['authenticate'] {
  const byKey = authenticateBy(keyPlaceOf(document));
  if (!servesWithoutKey(document)) return byKey;
  return (authorization, aliasOf) => {
    const found = byKey(authorization, aliasOf);
    return found.kind === 'key' ? found : { kind: 'key', key: anybody };
  };
}

/** What each request costs: the other ones of a scope by their methods and paths, and the rest of it as that says. */
function costsByRequest({ scopes }: Pick<Document, 'scopes'>): Behaviour['costOf'] {
  const others = new Map(
    Object.entries(scopes).flatMap(([scope, named]) =>
      othersOf(named).map(({ request, cost }) => [
        nameOf({ scope, method: request.method, path: pathOf(request.path) }),
        cost,
      ]),
    ),
  );
  return (request) => others.get(nameOf(request)) ?? usualCostOf(scopes[request.scope] ?? {});
}

/**
 * Refusals as a document has them: of several statuses the first, and no Retry-After where it promises none.
 * @throws {UsageError} where no body could be made that fits its schema.
 */
function refusing(
  refusal: Refusal,
  waitsSeconds: readonly number[],
): Pick<Behaviour, 'overLimit'> & Partial<Pick<Behaviour, 'errorBody'>> {
  const [status = 429] = limitedStatusesOf({ refusal });
  const overLimit: Behaviour['overLimit'] = (counted) => {
    const error = rateLimitError(counted);
    const text = retryAfterText(refusal, counted, error.retryAfterSeconds ?? 1);
    const headers: readonly HeaderField[] = text === null ? [] : [[usualRetryAfter, text]];
    return { kind: 'refuse', counted, error: { ...error, status, headers } };
  };
  if (!promisesJson(refusal)) return { overLimit };
  const made = promisedBody(refusal, waitsSeconds);
  if (made.kind === 'none') throw new UsageError(`The document cannot be served: ${unmadeText(made.why)}.`);
  return {
    overLimit,
    errorBody: ({ message, retryAfterSeconds }) =>
      retryAfterSeconds === undefined
        ? { contentType: 'text/plain', text: message }
        : { contentType: jsonType, text: JSON.stringify(made.body(retryAfterSeconds)) },
  };
}

/** What says how long to wait, in the form of a document; the form alone, under the usual name. */
function retryAfterText(
  refusal: Refusal,
  { nowMs, decision }: DecidedRequest,
  seconds: number,
): string | null {
  const form = retryAfterOf(refusal)?.form;
  switch (form) {
    case undefined:
      return null;
    case 'date':
      return httpDate(Math.ceil((nowMs + decision.retryAfterMs) / 1_000) * 1_000);
    case 'decimal':
      return `${seconds}.0`;
    case 'ms':
      return String(Math.ceil(decision.retryAfterMs));
    case 'duration':
      return `${seconds}s`;
    default:
      return String(seconds);
  }
}

/** What a service has to know of a document. */
export type ServedDocument = Pick<
  Document,
  'scopes' | 'windowSeconds' | 'headers' | 'errors' | 'refusal' | 'countedBy'
> &
  Partial<Pick<Document, 'keys'>>;

/** Where a scope promises another limiter than the messaging document does, one that keeps the promise. */
function promisedWindows(document: ServedDocument): Partial<Pick<Behaviour, 'openWindow'>> {
  if (isRollingAlone(document)) return {};
  const { waitSeconds } = document.refusal ?? {};
  return {
    openWindow: (scope, rate) => {
      const promise = promiseIn(document, scope);
      const window = windowKeeping(promise, rate);
      return waitSeconds === undefined || !mayBlock(promise)
        ? window
        : openBlocking(window, waitSeconds * 1_000);
    },
  };
}

/** Whether nothing is promised to who is refused but that a wait is enough. */
function mayBlock(promise: LimitPromise): boolean {
  return promise.kind === 'several'
    ? promise.parts.every((part) => part.promise.kind === 'at-most')
    : promise.kind === 'at-most';
}

/** The rate of one limit of several, where the first one has that rate. */
function partRate(
  part: LimitPart,
  [first]: readonly [LimitPart, ...LimitPart[]],
  { limit, windowMs }: Rate,
): Rate {
  const isFirst = part.name === null;
  return {
    limit: isFirst ? limit : part.limit,
    windowMs: isFirst ? windowMs : (windowMs * part.wholeSeconds) / first.wholeSeconds,
  };
}

/** A limiter as a promise describes it; where it leaves a choice, the commonest. The limits of an outer scope are not its own. */
function windowKeeping(promise: LimitPromise, rate: Rate): RateWindow {
  switch (promise.kind) {
    case 'several':
      return openSeveral(
        promise.parts
          .filter(({ of }) => of === undefined)
          .map((part) => windowKeeping(part.promise, partRate(part, promise.parts, rate))),
      );
    default:
      return openWindow(promisedLimiter(promise, rate));
  }
}

import { scopesByRequest } from '../../contract/document/counted-requests.ts';
import { pathOf } from '../../contract/document/paths.ts';
import { scopesMax } from '../../contract/document/scope.ts';
import { isSameHeader } from '../../contract/header-name.ts';
import { howMany } from '../../contract/quantities.ts';
import type { Draft, DraftField } from './draft.ts';
import { baseUrlOf, keyWaysOf, type OpenApi, type Operation } from './openapi.ts';
import { bodyOfAnswers, type FoundBody } from './openapi-body.ts';
import { bounded, type Figure, limitsBeside } from './openapi-figures.ts';
import { definedHeaders, headersField } from './openapi-headers.ts';
import { draftedKeys } from './openapi-keys.ts';
import { type Missing, missingIn } from './openapi-missing.ts';
import { type OwnLimit, ownLimitsOf } from './openapi-own-limits.ts';
import { meantOf, type Refusal, refusalsOf } from './openapi-refusals.ts';
import { exampleRequest, requestAmong } from './openapi-request.ts';
import { saidLimits } from './openapi-said-limits.ts';
import { ownScopes, restName, restScope } from './openapi-scopes.ts';
import type { DescribedWait } from './openapi-wait.ts';
import { type DescribedWaitHeader, waitHeaderOf } from './openapi-wait-header.ts';

export type FromOpenApi = {
  readonly draft: Draft;
  readonly missing: readonly Missing[];
  /** The address of the service; `null` where the file has none. */
  readonly baseUrl: string | null;
  /** Headers that requests need beside that of their key. */
  readonly keyHeaders: readonly string[];
};

/** A scope of its own for a path, at most so many beside the one for all others. */
const ownScopesMax = scopesMax - 1;

/** A document for the API that a file describes, as far as the file says it. */
export function draftFromOpenApi(api: OpenApi, named: string): FromOpenApi {
  const refusals = refusalsOf(api);
  const { whole, single } = saidLimits(api, refusals);
  const answers = meantOf(refusals).map(({ node }) => node);
  const body = bodyOfAnswers(api, answers);
  const byPath = ownLimitsOf(api);
  const own = firstProbed(api, byPath, ownScopesMax);
  const rest = restOperation(api, own);
  const ways =
    [rest, ...api.operations].map((one) => keyWaysOf(api, one)).find((one) => one.length > 0) ?? [];
  const keys = draftedKeys(ways);
  const defined = definedHeaders(api);
  const scopes = [...ownScopes(api, own), restScope(api, { figures: whole, operation: rest })];
  const from = api.others === 0 ? named : `${named} and ${howMany(api.others, 'other file')}`;
  const title = String(api.resolved(api.root['info'])['title'] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const found = {
    ...{ limits: whole.length + byPath.length, pathsLeftOut: byPath.length - own.length },
    ...{ refusals: refusals.length, headers: defined.length, keys: ways.length },
    ...{ request: rest !== undefined, inSentences: single },
    flawedBody: body.kind === 'none' ? body.why : null,
  };
  return {
    draft: {
      head: [
        `Drafted from ${from} (${api.version}) by "conformance document from-openapi".`,
        'Lines of TODO are for you. "conformance document check" points at them, and at fields that are empty.',
      ],
      fields: [
        title === ''
          ? { name: 'title', value: null, todo: 'what is this API called?' }
          : { name: 'title', value: title.slice(0, 80) },
        windowField(limitsBeside(whole.length > 0 ? whole : (own[0]?.figures ?? []))?.figure),
        headersField(defined),
        { name: 'errors', value: 'none', said: ['Nothing is promised of the bodies of errors.'] },
        keys.field,
        ...refusalFields(meantOf(refusals), { found: body, header: waitHeaderOf(api, answers) }),
      ],
      scopes,
    },
    missing: missingIn(api, found),
    baseUrl: baseUrlOf(api),
    keyHeaders: [
      ...keys.otherHeaders,
      ...neededHeaders(api, [...own, { operations: rest === undefined ? [] : [rest] }]),
    ],
  };
}

/** So many of the limits: those that a request of the file fills come before those that need one. */
function firstProbed(api: OpenApi, own: readonly OwnLimit[], count: number): readonly OwnLimit[] {
  const probed = own.filter(({ operations }) => requestAmong(api, operations) !== null);
  const inOrder = [...new Set([...probed, ...own])];
  const chosen = new Set(inOrder.slice(0, count));
  return own.filter((one) => chosen.has(one));
}

/**
 * An operation whose request fills the scope of all other paths: rather than any, one that no other scope counts, then one that
 * needs a key, since what is counted by key is looked at, then one that needs no other header, then one that says what happens
 * over the limit.
 */
function restOperation(api: OpenApi, own: readonly OwnLimit[]): Operation | undefined {
  const apart = new Set(own.flatMap(({ operations }) => operations));
  const scopeOf = scopesByRequest({
    scopes: Object.fromEntries([
      [restName, {}],
      ...own.map(({ path, methods }, at) => [
        `own-${at}`,
        { paths: [path], ...(methods === null ? {} : { methods }) },
      ]),
    ]),
  });
  const ranked = api.operations.flatMap((operation) => {
    const request = apart.has(operation) ? null : exampleRequest(api, operation);
    if (request === null) return [];
    const { method, path } = request.asked;
    const wanted = [
      scopeOf(pathOf(path), method) === restName,
      keyWaysOf(api, operation).length > 0,
      request.headers.length === 0,
      api.resolved(operation.node['responses'])['429'] !== undefined,
    ];
    return [{ operation, rank: wanted.map(Number).join('') }];
  });
  return ranked.toSorted((one, other) => other.rank.localeCompare(one.rank))[0]?.operation;
}

/** The headers that the requests of scopes need, each once. */
function neededHeaders(api: OpenApi, scopes: readonly Pick<OwnLimit, 'operations'>[]): readonly string[] {
  const all = scopes.flatMap(({ operations }) => requestAmong(api, operations)?.headers ?? []);
  return all.filter((one, at) => all.findIndex((other) => isSameHeader(one, other)) === at);
}

function windowField(figure: Figure | undefined): DraftField {
  const name = 'windowSeconds';
  if (figure === undefined || figure.seconds === null)
    return { name, value: 60, todo: 'the file does not say how long a window is: 60 s are made up' };
  const { seconds, from } = figure;
  const isLong = seconds > bounded(seconds);
  const todo = `the file has ${seconds} s, which no run lasts: an hour stands here`;
  return { name, value: bounded(seconds), said: [`As in ${from}.`], todo: isLong ? todo : undefined };
}

function waitFields(wait: DescribedWait | null): object {
  if (wait === null) return {};
  const { pointer, unit } = wait;
  return { retryAfterPointer: pointer, ...(unit === 'whole-seconds' ? {} : { retryAfterUnit: unit }) };
}

type OfRefusals = { readonly found: FoundBody; readonly header: DescribedWaitHeader | null };

/** Where 429 is described, and neither a body nor a wait of it, nothing needs to be said. */
function refusalFields(refusals: readonly Refusal[], { found, header }: OfRefusals): readonly DraftField[] {
  const statuses = [...new Set(refusals.map(({ status }) => status))];
  const body = found.kind === 'body' ? found.body : null;
  if (statuses.length === 0 || (statuses[0] === 429 && body === null && header === null)) return [];
  const todos = [body?.todo, header?.todo].filter((todo) => todo !== undefined);
  return [
    {
      name: 'refusal',
      value: {
        status: statuses[0] === 429 ? 429 : statuses,
        ...(header?.retryAfter === undefined ? {} : { retryAfter: header.retryAfter }),
        ...(body === null ? {} : { bodySchema: body.schema }),
        ...(body?.example === undefined ? {} : { bodyExample: body.example }),
        ...waitFields(body?.wait ?? null),
      },
      said: [`As in the description of ${refusals[0]?.of}.`],
      todo: todos.length === 0 ? undefined : todos.join('; '),
      isBlock: body !== null,
    },
  ];
}

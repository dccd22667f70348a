import { scopesMax } from '../../contract/document/scope.ts';
import { howMany } from '../../contract/quantities.ts';
import type { Draft, DraftField } from './draft.ts';
import { baseUrlOf, keyWaysOf, listOf, type Node, nodeOf, type OpenApi, type Operation } from './openapi.ts';
import { bodyOfAnswers, type FoundBody } from './openapi-body.ts';
import {
  bounded,
  type Figure,
  figuresInDescription,
  figuresInExtensions,
  figuresInText,
} from './openapi-figures.ts';
import { definedHeaders, headersField } from './openapi-headers.ts';
import { draftedKeys } from './openapi-keys.ts';
import { type OwnLimit, ownLimitsOf } from './openapi-own-limits.ts';
import { exampleRequest } from './openapi-request.ts';
import { ownScopes, restScope } from './openapi-scopes.ts';
import type { DescribedWait } from './openapi-wait.ts';
import { type DescribedWaitHeader, waitHeaderOf } from './openapi-wait-header.ts';

/** What was looked for and not found, and where. */
export type Missing = { readonly what: string; readonly lookedIn: string };

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
  const whole = wholeFigures(api, refusals);
  const answers = meantOf(refusals).map(({ node }) => node);
  const body = bodyOfAnswers(api, answers);
  const byPath = ownLimitsOf(api);
  const own = firstProbed(api, byPath, ownScopesMax);
  const rest = restOperation(api, new Set(own.flatMap(({ operations }) => operations)));
  const ways =
    [rest, ...api.operations].map((one) => keyWaysOf(api, one)).find((one) => one.length > 0) ?? [];
  const keys = draftedKeys(ways);
  const defined = definedHeaders(api);
  const scopes = [
    ...ownScopes(api, own),
    restScope(api, { figure: whole[0], operation: rest, others: whole.slice(1) }),
  ];
  const otherFiles = api.others === 0 ? '' : howMany(api.others, 'other file');
  const title = String(api.resolved(api.root['info'])['title'] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const found = {
    ...{ limits: whole.length + byPath.length, pathsLeftOut: byPath.length - own.length },
    ...{ refusals: refusals.length, headers: defined.length, keys: ways.length },
    ...{ request: rest !== undefined, ofRefusals: figuresOfRefusals(refusals).single },
    flawedBody: body.kind === 'none' ? body.why : null,
  };
  return {
    draft: {
      head: [
        `Drafted from ${named}${otherFiles === '' ? '' : ` and ${otherFiles}`} (${api.version}) by "conformance document from-openapi".`,
        'Lines of TODO are for you. "conformance document check" points at them, and at fields that are empty.',
      ],
      fields: [
        title === ''
          ? { name: 'title', value: null, todo: 'what is this API called?' }
          : { name: 'title', value: title.slice(0, 80) },
        windowField(whole[0] ?? own[0]?.figure),
        headersField(defined),
        { name: 'errors', value: 'none', said: ['Nothing is promised of the bodies of errors.'] },
        keys.field,
        ...refusalFields(meantOf(refusals), { found: body, header: waitHeaderOf(api, answers) }),
      ],
      scopes,
    },
    missing: missingIn(api, found),
    baseUrl: baseUrlOf(api),
    keyHeaders: [...keys.otherHeaders, ...neededHeaders(api, rest)],
  };
}

/** So many of the limits: those that a request of the file fills come before those that need one. */
function firstProbed(api: OpenApi, own: readonly OwnLimit[], count: number): readonly OwnLimit[] {
  const [probed, others] = [true, false].map((wanted) =>
    own.filter(({ operations }) => operations.some((one) => exampleRequest(api, one) !== null) === wanted),
  ) as [OwnLimit[], OwnLimit[]];
  const chosen = new Set([...probed, ...others].slice(0, count));
  return own.filter((one) => chosen.has(one));
}

/** How much was found of each kind. */
type Found = {
  readonly limits: number;
  readonly pathsLeftOut: number;
  readonly refusals: number;
  readonly headers: number;
  readonly keys: number;
  readonly request: boolean;
  /** Limits that refusals of single operations name. */
  readonly ofRefusals: readonly Figure[];
  /** Why the schema of the bodies of refusals cannot be taken; `null` where it can, or is not there. */
  readonly flawedBody: string | null;
};

function missingIn(api: OpenApi, found: Found): readonly Missing[] {
  const counted = howMany(api.operations.length, 'operation');
  const inSentences = [...figuresOfOperations(api), ...found.ofRefusals];
  const rows: readonly (readonly [isMissing: boolean, what: string, lookedIn: string])[] = [
    [
      found.limits === 0,
      'how many requests pass',
      `extensions x-…ratelimit…, x-…throttl…, x-…quota… of the file, its paths and ${counted}; its description; those of ${howMany(found.refusals, 'answer')} over the limit`,
    ],
    [
      inSentences.length > 0,
      `scopes of operations whose sentences name limits: ${sentencesText(inSentences)}`,
      'their descriptions, which may speak of something else',
    ],
    [
      found.pathsLeftOut > 0,
      found.pathsLeftOut === 1
        ? '1 more path with limits of its own'
        : `${found.pathsLeftOut} more paths with limits of their own`,
      `a document has at most ${scopesMax} scopes`,
    ],
    [
      api.unread.length > 0,
      `what stands in ${howMany(api.unread.length, 'other file')}: ${shownOf(api.unread)}`,
      'the folders that references name, from the file in which each stands',
    ],
    [
      found.refusals === 0,
      'an answer over the limit',
      `429, and 403 and 503 that speak of a rate limit, of ${counted}`,
    ],
    [
      found.flawedBody !== null,
      `a schema of the bodies of refusals that can be used: ${found.flawedBody}`,
      'the first of those answers that has a schema of JSON',
    ],
    [found.headers === 0, 'headers of limits', `header definitions of the answers of ${counted}`],
    [found.keys === 0, 'how keys are sent', 'security of the file and of the request, and its schemes'],
    [baseUrlOf(api) === null, 'the address of the service', 'servers, or host and basePath'],
    [
      !found.request,
      'a request without effects',
      `GET and HEAD of ${counted} whose required parameters have examples`,
    ],
  ];
  return rows.flatMap(([isMissing, what, lookedIn]) => (isMissing ? [{ what, lookedIn }] : []));
}

/** The answers that refuse over a limit. */
type Refusal = { readonly status: number; readonly node: Node; readonly of: string };

function refusalsOf({ operations, resolved }: OpenApi): readonly Refusal[] {
  return operations.flatMap(({ method, path, node }) =>
    Object.entries(resolved(node['responses'])).flatMap(([status, value]) => {
      if (!/^(429|403|503)$/.test(status)) return [];
      const answer = resolved(value);
      const isMeant = status === '429' || /rate.?limit|throttl|too many/i.test(String(answer['description']));
      const of = `${status} of ${method.toUpperCase()} ${path}`;
      return isMeant ? [{ status: Number(status), node: answer, of }] : [];
    }),
  );
}

/** The limits that are said of all requests; those that say their window first, and no limit twice. */
function wholeFigures({ root, resolved }: OpenApi, refusals: readonly Refusal[]): readonly Figure[] {
  const info = resolved(root['info']);
  const prose = [
    ...figuresInDescription(info['description'], 'the description of the file'),
    ...listOf(root['tags']).flatMap((tag) =>
      figuresInDescription(nodeOf(tag)['description'], `the description of the tag ${nodeOf(tag)['name']}`),
    ),
    ...figuresOfRefusals(refusals).whole,
  ];
  const all = [
    ...figuresInExtensions(root, 'the file'),
    ...figuresInExtensions(info, 'info'),
    ...prose.slice(0, 50),
  ];
  const apart = new Map(all.map((one) => [`${one.limit}/${one.seconds}`, one] as const).toReversed());
  return [...apart.values()].toReversed();
}

/** The limits that descriptions of refusals name: of the whole where half of them do, else of single operations. */
function figuresOfRefusals(refusals: readonly Refusal[]): {
  readonly whole: readonly Figure[];
  readonly single: readonly Figure[];
} {
  const named = refusals.map(({ node, of }) =>
    figuresInText(node['description'], `the description of ${of}`),
  );
  const isWhole = ({ limit, seconds }: Figure): boolean =>
    2 * named.filter((all) => all.some((one) => one.limit === limit && one.seconds === seconds)).length >=
    refusals.length;
  return {
    whole: named.flat().filter(isWhole),
    single: named.flatMap((all) => all.filter((one) => !isWhole(one)).slice(0, 1)),
  };
}

function sentencesText(figures: readonly Figure[]): string {
  return shownOf(figures.map(({ limit, seconds, from }) => `${limit} in ${seconds} s (${from})`));
}

const shownMax = 3;

function shownOf(all: readonly string[]): string {
  const more = all.length - shownMax;
  return `${all.slice(0, shownMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The first limit that the description of an operation names in a sentence, of each that has no other. */
function figuresOfOperations({ operations }: OpenApi): readonly Figure[] {
  return operations.flatMap(({ path, method, node, item }) => {
    const isSaid = [node, item].some((one) => figuresInExtensions(one, path).length > 0);
    return isSaid
      ? []
      : figuresInDescription(node['description'], `${method.toUpperCase()} ${path}`).slice(0, 1);
  });
}

/**
 * A request of no other scope: one that needs no header of its own rather than one that does, then one that needs a key, since
 * what is counted by key is looked at, then one that says what happens over the limit.
 */
function restOperation(api: OpenApi, apart: ReadonlySet<Operation>): Operation | undefined {
  const ranked = api.operations.flatMap((operation) => {
    const request = apart.has(operation) ? null : exampleRequest(api, operation);
    if (request === null) return [];
    const wanted = [
      request.headers.length === 0,
      keyWaysOf(api, operation).length > 0,
      api.resolved(operation.node['responses'])['429'] !== undefined,
    ];
    return [{ operation, rank: wanted.map(Number).join('') }];
  });
  return ranked.toSorted((one, other) => other.rank.localeCompare(one.rank))[0]?.operation;
}

function neededHeaders(api: OpenApi, operation: Operation | undefined): readonly string[] {
  return operation === undefined ? [] : (exampleRequest(api, operation)?.headers ?? []);
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

/** The answers that are meant: where 429 is described, the others are not. */
function meantOf(refusals: readonly Refusal[]): readonly Refusal[] {
  const usual = refusals.filter(({ status }) => status === 429);
  return usual.length === 0 ? refusals : usual;
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

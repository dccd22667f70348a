import { probedWindowMsMax } from '../../contract/document/further-limit.ts';
import { type Keys, keysSchema } from '../../contract/document/keys.ts';
import { errorBodySchema, parseBody } from '../../contract/error-body.ts';
import type { RequestTemplate } from '../../contract/request-template.ts';
import { resetRules } from '../../contract/reset-units.ts';
import { plainText } from '../../reports/plain-text.ts';
import type { Draft, DraftField } from './draft.ts';
import type { LookedAt } from './look-at-endpoint.ts';
import type { Refill } from './refill.ts';
import type { Look, SeenLimit } from './seen-limits.ts';

/** What a document is drafted from: what was seen, and what a person said of the rest. */
export type DraftInput = {
  readonly lookedAt: LookedAt;
  readonly limits: readonly SeenLimit[];
  readonly request: RequestTemplate;
  /** The address as it may be written down. */
  readonly where: string;
  readonly said: SaidOfLimit;
  readonly sent: SentToEndpoint;
};

/** How the key was sent that was given; headers whose values were secret, where none was; nothing. */
export type SentToEndpoint =
  | { readonly kind: 'key'; readonly keys: Keys }
  | { readonly kind: 'headers'; readonly names: readonly string[] }
  | { readonly kind: 'nothing' };

/** Answers of a person or flags; `null` where nobody said anything. */
export type SaidOfLimit = {
  readonly title: string | null;
  readonly limit: number | null;
  readonly windowSeconds: number | null;
  readonly promise: string | null;
};

/** Where nobody knows, and nobody was there to be asked. */
export const assumed = { limit: 60, windowSeconds: 60, promise: 'unsaid' } as const;

/** A document for one limit of all routes, as an endpoint tells of it. */
export function draftFromEndpoint(input: DraftInput): Draft {
  const { lookedAt, limits, request, where, said } = input;
  const [first, ...further] = limits;
  const answers = lookedAt.looks.length + (lookedAt.withoutKey === null ? 0 : 1);
  const unserved = lookedAt.looks.find((look) => look.status >= 300 && !isRefusal(look));
  return {
    head: [
      `What ${where} says of its limits, after ${answers} answers to ${request.method} ${request.path}. Written by "conformance document init".`,
      'Answers say what a limiter does, a document what it promises: compare each line with what is promised.',
      'Lines of TODO are for you: answers did not say it. "conformance document check" points at them.',
    ],
    fields: [
      { name: 'title', value: said.title ?? titleOf(where) },
      windowField(first, said),
      headersField(limits),
      errorsField(lookedAt),
      ...keysFields(lookedAt, input.sent),
      ...refusalFields(lookedAt),
    ],
    scopes: [
      {
        name: 'api',
        said: ['Without paths: one limit for everything that is asked for.'],
        todo: 'is there one limit for all routes? If some have their own, name them: docs/documents.md',
        fields: [
          { name: 'title', value: 'any route' },
          limitField(first, said),
          promiseField(first, said),
          ...furtherFields(further),
          {
            name: 'request',
            value: shortRequest(request),
            todo: unserved === undefined ? undefined : unservedText(unserved),
          },
        ],
      },
    ],
  };
}

/** What to do with a request that was answered by something else than what it asks for. */
function unservedText({ status, headers }: Look): string {
  const { location } = headers;
  const to = typeof location === 'string' ? `, to ${plainText(location, 100)}` : '';
  return `it was answered ${status}${to}: name one that is answered 2xx`;
}

function titleOf(where: string): string {
  return new URL(where).host.slice(0, 80);
}

function isRefusal(look: Look): boolean {
  return look.status === 429 || (/^(403|503)$/.test(String(look.status)) && isAsking(look));
}

function shortRequest({ method, path, headers, body }: RequestTemplate) {
  return {
    method,
    path,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
}

function limitField(seen: SeenLimit | undefined, said: SaidOfLimit): DraftField {
  const name = 'limit';
  if (said.limit !== null) {
    const isOther = seen !== undefined && seen.limit !== null && seen.limit !== said.limit;
    return {
      name,
      value: said.limit,
      said: isOther ? [`${sayText([seen])} ${seen.limit}.`] : [],
    };
  }
  const left = seen?.remaining ?? null;
  if (seen !== undefined && seen.limit !== null) {
    const isMore = left !== null && left > seen.limit;
    const todo = `answers say that ${left} were left, which is more than this limit: which of the two is right?`;
    const said = [`As ${sayText([seen])}.`];
    return { name, value: Math.max(1, seen.limit), said, ...(isMore ? { todo } : {}) };
  }
  if (left === null || left < assumed.limit)
    return { name, value: assumed.limit, todo: `no answer says how many pass: ${assumed.limit} is made up` };
  const todo = `no answer says how many pass: ${left} were left after the first request, so that it is one more at least`;
  return { name, value: left + 1, todo };
}

function windowField(seen: SeenLimit | undefined, said: SaidOfLimit): DraftField {
  const name = 'windowSeconds';
  if (said.windowSeconds !== null) return { name, value: said.windowSeconds };
  if (seen === undefined || seen.window === null) {
    const refill = seen?.refill ?? null;
    const why =
      seen === undefined || refill === null ? 'no answer says' : `${refillText(seen, refill)}, and not`;
    const todo = `${why} how long a window is: ${assumed.windowSeconds} s are made up`;
    return { name, value: assumed.windowSeconds, todo };
  }
  const { seconds, by } = seen.window;
  if (seconds * 1_000 > probedWindowMsMax) {
    const todo = `answers tell of a window of ${seconds} s, which no run lasts: an hour stands here`;
    return { name, value: probedWindowMsMax / 1_000, todo };
  }
  if (by === 'said') return { name, value: seconds, said: [`As ${sayText([seen])}.`] };
  const todo =
    by === 'refill' && seen.refill !== null
      ? `${refillText(seen, seen.refill)}: all ${seen.limit} would take about ${seconds} s. Is it a bucket that gets so many back in that time?`
      : `concluded from when the window ends (${namesText(seen)}): is it so long?`;
  return { name, value: seconds, todo };
}

/** What a reset said of a bucket. */
function refillText({ own, names }: SeenLimit, { missing, seconds }: Refill): string {
  const places = missing === 1 ? '1 place' : `${missing} places`;
  const reset = typeof own?.reset === 'string' ? own.reset : names.at(-1);
  return `${reset} seems to say when a bucket is full again (${places} in ${seconds} s)`;
}

function promiseField(seen: SeenLimit | undefined, said: SaidOfLimit): DraftField {
  const hints = (seen?.hints ?? []).map((hint) => `Seen: ${hint}.`);
  const kinds = 'Kinds: rolling, fixed, token-bucket, at-most, at-least, unsaid (any limiter).';
  return {
    name: 'promise',
    value: said.promise ?? assumed.promise,
    said: [...hints, kinds],
    todo:
      said.promise === null
        ? 'headers do not say what kind of limit is promised: unsaid accepts any'
        : undefined,
  };
}

/** Limits with longer windows than the first: a request has to pass all of them. */
function furtherFields(further: readonly SeenLimit[]): readonly DraftField[] {
  const also = further.flatMap(({ limit, window }) =>
    limit === null || limit === 0 || window === null
      ? []
      : [{ limit, windowSeconds: Math.min(window.seconds, 2_678_400), promise: assumed.promise }],
  );
  return also.length === 0
    ? []
    : [{ name: 'also', value: also.slice(0, 3), said: [`Further limits, as ${sayText(further)}.`] }];
}

/**
 * Headers that a document can promise, by what was seen: the first row that fits. The schema’s further styles are further
 * rows here.
 */
const headerStyles: readonly {
  readonly name: string;
  readonly fits: (seen: SeenLimit) => boolean;
}[] = [
  {
    name: 'x-ratelimit',
    fits: ({ triple, own, resetUnit, isOnAll, names }) =>
      triple === 'x-ratelimit-' &&
      typeof own?.limit === 'string' &&
      typeof own.remaining === 'string' &&
      resetUnit === 'epoch-seconds' &&
      isOnAll &&
      names.filter((one) => one !== 'RateLimit-Policy').length === 3,
  },
  {
    name: 'ietf-triple',
    fits: ({ triple, own, resetUnit, isOnAll }) =>
      triple === 'ratelimit-' &&
      own?.limit !== null &&
      typeof own?.remaining === 'string' &&
      resetUnit === 'seconds' &&
      isOnAll,
  },
  { name: 'ietf', fits: ({ fields, isOnAll }) => isOnAll && fields === 'ietf' },
  { name: 'ietf-draft-7', fits: ({ fields, isOnAll }) => isOnAll && fields === 'ietf-draft-7' },
];

/** Headers by their own names; `null` where there are fewer than two that a document can say. Of several limits they may tell of any. */
function namedHeaders({ own, resetUnit, isOnAll }: SeenLimit) {
  if (own === null || !isOnAll) return null;
  const named = typeof own.reset === 'string' ? { name: own.reset } : own.reset;
  const reset = named === null || resetUnit === null ? undefined : { ...named, unit: resetUnit };
  if (own.remaining === null && reset === undefined) return null;
  return {
    ...(own.limit === null ? {} : { limit: own.limit }),
    ...(own.remaining === null ? {} : { remaining: own.remaining }),
    ...(reset === undefined ? {} : { reset }),
  };
}

function headersField(limits: readonly SeenLimit[]): DraftField {
  const [seen] = limits;
  const name = 'headers';
  if (seen === undefined) return { name, value: 'none', said: ['No header that tells of a limit was seen.'] };
  const unit = seen.resetUnit === null ? '' : ` (reset: ${resetRules[seen.resetUnit].words})`;
  const said = `Seen: ${namesText(seen)}${unit}${seen.isOnAll ? '' : ', not on all answers'}.`;
  const style = headerStyles.find(({ fits }) => fits(seen));
  if (style !== undefined) return { name, value: style.name, said: [said] };
  const value = namedHeaders(seen);
  return value === null
    ? { name, value: 'none', said: [said, 'A document cannot promise these: they are not judged.'] }
    : { name, value, said: [said, 'If an answer over the limit lacks them, add on: admitted.'] };
}

function errorsField({ withoutKey }: LookedAt): DraftField {
  const name = 'errors';
  const body = parseBody(withoutKey?.body ?? null);
  const fits = body.kind === 'json' && errorBodySchema.safeParse(body.value).success;
  return fits
    ? { name, value: 'success-false', said: ['As the answer without a key has it; no 429 was looked at.'] }
    : { name, value: 'none', said: ['Nothing is promised of the bodies of errors.'] };
}

function keysFields({ withoutKey }: LookedAt, sent: SentToEndpoint): readonly DraftField[] {
  const name = 'keys';
  switch (sent.kind) {
    case 'nothing': {
      const said = ['No key was sent, so whoever comes from one address is counted together.'];
      return [
        { name, value: 'none' },
        { name: 'countedBy', value: 'address', said },
      ];
    }
    case 'headers': {
      const header = sent.names.find((one) => keysSchema.safeParse({ header: one }).success);
      const keyed = `if ${header} carries a key: { header: ${header} }, and --key-env in place of --header-env; `;
      const open = 'if nobody has a key: countedBy: address beside it, and no --key-env';
      return [{ name, value: 'none', todo: `${header === undefined ? '' : keyed}${open}` }];
    }
    case 'key':
      return [{ name, ...saidOfKey(withoutKey?.status ?? null, sent.keys) }];
    default:
      return sent satisfies never;
  }
}

function saidOfKey(statusWithout: number | null, keys: Keys): Omit<DraftField, 'name'> {
  const said = [`Without a key the answer is ${statusWithout ?? 'missing'}.`];
  if (statusWithout === 401 || statusWithout === 403) return { value: keys, said };
  if (keys === 'bearer') return { value: 'none', said };
  const observed = 'sentences: { auth.bearer: { level: observe } }';
  return { value: keys, said, todo: `a run will call that a violation; if it is meant, add ${observed}` };
}

/** Only a refusal that was met tells of its status. */
function refusalFields({ looks }: LookedAt): readonly DraftField[] {
  const refused = looks.find((look) => look.status !== 429 && isRefusal(look));
  return refused === undefined
    ? []
    : [
        {
          name: 'refusal',
          value: { status: refused.status },
          said: [`An answer with ${refused.status} had a Retry-After.`],
        },
      ];
}

function isAsking({ headers }: Look): boolean {
  return headers['retry-after'] !== undefined;
}

/** The headers that tell of some limits, and that they do. */
function sayText(limits: readonly SeenLimit[]): string {
  const isOne = limits.length === 1 && limits[0]?.names.length === 1;
  return `${limits.map(namesText).join('; ')} ${isOne ? 'says' : 'say'}`;
}

function namesText({ names }: SeenLimit): string {
  return names.join(', ');
}

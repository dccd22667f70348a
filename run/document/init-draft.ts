import { type Keys, keysSchema } from '../../contract/document/keys.ts';
import { errorBodySchema, parseBody } from '../../contract/error-body.ts';
import { mayHavePassed, type RequestTemplate } from '../../contract/request-template.ts';
import { plainText } from '../../reports/plain-text.ts';
import type { Draft, DraftField } from './draft.ts';
import { headersField } from './drafted-headers.ts';
import { furtherFields, limitField, promiseField, type SaidOfLimit, windowField } from './drafted-limit.ts';
import type { LookedAt } from './look-at-endpoint.ts';
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
  // A login that fails, or an empty form, may well be what is limited.
  const counted = mayHavePassed(status)
    ? `, or add answered: ${status} to it where it is counted all the same`
    : '';
  return `it was answered ${status}${to}: name one that is answered 2xx${counted}`;
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
    ...(body === undefined ? {} : { body: shortBody(body) }),
  };
}

/** JSON as a document has it, where a text is JSON. */
function shortBody(body: NonNullable<RequestTemplate['body']>) {
  if (!('text' in body) || body.contentType.toLowerCase() !== 'application/json') return body;
  const read = parseBody(body.text);
  return read.kind === 'json' ? { json: read.value } : body;
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
      const header = sent.names.find((field) => keysSchema.safeParse({ header: field }).success);
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

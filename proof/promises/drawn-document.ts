import fc from 'fast-check';
import { levels } from '../../contract/clause.ts';
import { type Document, documentSchema } from '../../contract/document/document.ts';
import { headersSchema, isPromisedOn, promisedHeaders } from '../../contract/document/headers.ts';
import { promiseKinds } from '../../contract/document/promise.ts';
import { promisedBody } from '../../contract/document/refusal-body.ts';
import { retryAfterForms } from '../../contract/document/retry-after.ts';
import { resetUnits } from '../../contract/reset-units.ts';
import { waitUnits } from '../../contract/wait-units.ts';
import { drawnBody } from './drawn-body.ts';

/** Left out in one case of so many; in half of them where nothing is said. */
const maybe = <Value>(drawn: fc.Arbitrary<Value>, freq = 2): fc.Arbitrary<Value | undefined> =>
  fc.option(drawn, { nil: undefined, freq });

const limit = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 9, max: 60 }));

const windowSeconds = fc.oneof(
  fc.constant(60),
  fc.integer({ min: 2, max: 90 }),
  fc.constantFrom(1, 1.5, 2.5, 10),
);

const promise = fc.oneof(
  fc.constantFrom(...promiseKinds),
  fc.record({
    kind: fc.constant('fixed' as const),
    aligned: fc.constantFrom('clock' as const, 'first-request' as const, 'unsaid' as const),
  }),
  fc.record({ kind: fc.constant('token-bucket' as const), size: limit }),
);

const further = fc.record({
  limit,
  windowSeconds: fc.integer({ min: 1, max: 120 }),
  promise: maybe(promise, 3),
});

/** What a request costs at most. */
const costMax = 12;

/** What answers of one scope carry, where it is not what those of the others do: a reset is written in one unit everywhere. */
const ownHeaders = fc.oneof(
  fc.constantFrom('none', 'x-ratelimit', 'ietf'),
  fc.record({
    limit: maybe(fc.constantFrom('X-Own-Most', { name: 'X-Own', key: 'most' })),
    remaining: fc.constantFrom(
      'X-Own-Left',
      { name: 'X-Own-Used', as: 'used' },
      { name: 'X-Own', key: 'left' },
    ),
    reset: maybe(
      fc.record({ name: fc.constant('X-Own-Again'), unit: fc.constantFrom('seconds', 'epoch-seconds') }),
    ),
    on: fc.constantFrom('all', 'admitted', 'limited'),
  }),
);

const drawnScope = fc.record({
  limit,
  windowSeconds: maybe(windowSeconds),
  promise: maybe(promise, 3),
  also: maybe(fc.uniqueArray(further, { minLength: 1, maxLength: 3, selector: (one) => one.windowSeconds })),
  perSecond: maybe(fc.integer({ min: 1, max: 60 }), 4),
  headers: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: ownHeaders }),
  answered: maybe(fc.constantFrom(302, 422, [401, 422]), 4),
  countedBy: maybe(fc.constantFrom('key', 'account', 'address')),
  keys: maybe(fc.constant('none' as const)),
  cost: maybe(fc.integer({ min: 1, max: 6 })),
  others: maybe(fc.array(maybe(fc.integer({ min: 1, max: costMax })), { minLength: 1, maxLength: 4 })),
});

type DrawnScope = typeof drawnScope extends fc.Arbitrary<infer Value> ? Value : never;

/** What is said of single clauses; of one that a document does not have, nothing follows. */
const sentences = fc.dictionary(
  fc.constantFrom('limits.items', 'headers.remaining', 'headers.reset', 'error.shape', 'window.length'),
  fc.record({ level: fc.constantFrom(...levels), says: maybe(fc.constant('So we say.')) }),
  { maxKeys: 2 },
);

/** A header of what was used, by itself or with the limit behind it. */
const used = fc.constantFrom(
  { name: 'X-Used', as: 'used' },
  { name: 'X-Used', as: 'used-of-limit' },
  { name: 'X-All', key: 'used', as: 'used' },
  { name: 'X-All', key: 'used', as: 'used-of-limit' },
);

/** A header of a number, of a list that begins with one, or of several things by keys. */
const number = (name: string) => fc.constantFrom(name, { name, as: 'list' }, { name: 'X-All', key: name });

const reset = fc.constantFrom({ name: 'X-Again' }, { name: 'X-All', key: 'again' });

const headers = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('x-ratelimit', 'ietf', 'ietf-draft-7', 'ietf-triple', 'none') },
  {
    weight: 1,
    arbitrary: fc.record({
      limit: maybe(number('X-Most')),
      remaining: maybe(fc.oneof(number('X-Left'), used)),
      reset: maybe(
        fc
          .tuple(reset, fc.constantFrom(...resetUnits), maybe(fc.constantFrom('all', 'admitted', 'limited')))
          .map(([named, unit, on]) => ({ ...named, unit, on })),
        4,
      ),
      on: fc.constantFrom('all', 'admitted', 'limited'),
    }),
  },
);

const drawnRefusal = fc.record({
  status: fc.oneof(fc.constantFrom(429, 503, 403), fc.constantFrom([429, 503], [403, 429], [503])),
  retryAfter: maybe(
    fc.oneof(
      fc.constantFrom('none', ...retryAfterForms),
      fc.record({ name: fc.constantFrom('Retry-After', 'X-Wait'), as: fc.constantFrom(...retryAfterForms) }),
    ),
    4,
  ),
  body: maybe(fc.constant({ '/error/code': 'too_many', '/more': 7 })),
  schema: drawnBody,
  unit: maybe(fc.constantFrom(...waitUnits)),
  /** So much longer than a place may be taken, s. */
  waitsLonger: maybe(fc.constantFrom(0, 0.3, 20), 3),
  waitUntilReset: fc.boolean(),
});

type DrawnRefusal = typeof drawnRefusal extends fc.Arbitrary<infer Value> ? Value : never;

/** The scopes by their names; the last one of several has no path, and takes what no other names. */
const scopeNames = ['items', 'files', 'rest'] as const;

/** How requests of different scopes are told apart. */
const apartBy = fc.constantFrom('paths' as const, 'patterns' as const, 'methods' as const);

type ApartBy = 'paths' | 'patterns' | 'methods';

/** Which scopes lie within the last one, where there are several. */
const lyingWithin = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.subarray<Name>([...scopeNames], { minLength: 1 }) },
);

type Name = (typeof scopeNames)[number];

/** Where an address is counted, requests may carry no key. */
function withoutKeys([name, scope]: Named): Named {
  return scope.countedBy === 'address' ? [name, scope] : [name, { ...scope, keys: undefined }];
}

/** What lies within another scope counts as that one does. */
function withinLast([name, scope]: Named, last: Named | undefined, within: readonly Name[]): Named {
  return last !== undefined && name !== last[0] && within.some((one) => one === name)
    ? [name, { ...scope, within: last[0], countedBy: last[1].countedBy }]
    : [name, scope];
}

/** Whatever a document can say, in a form that the schema takes. */
export const drawnDocument: fc.Arbitrary<Document> = fc
  .record({
    windowSeconds,
    headers: maybe(headers, 4),
    errors: fc.constantFrom('success-false' as const, 'none' as const),
    refusal: maybe(drawnRefusal),
    keys: fc.constantFrom('bearer', 'none'),
    sentences: maybe(sentences, 4),
    countedBy: maybe(fc.constantFrom('key', 'account', 'address')),
    scopes: fc.array(drawnScope, { minLength: 1, maxLength: scopeNames.length }),
    apart: apartBy,
    within: lyingWithin,
  })
  .map(({ refusal, scopes, apart, within, ...rest }) => {
    const alone = scopes.map((one, at) => scopeOf(one, countedAt(at, scopes.length, apart)));
    const named = alone.map((one) => withoutKeys(withinLast(one, alone.at(-1), within)));
    const said = {
      ...{ version: 1, title: 'drawn', ...rest },
      refusal: refusal === undefined ? undefined : refusalOf(refusal, rest, named),
      scopes: Object.fromEntries(named),
    };
    // As a file has it: what is left out is not there.
    const parsed = documentSchema.safeParse(JSON.parse(JSON.stringify(said)));
    return parsed.success ? parsed.data : null;
  })
  .filter((document): document is Document => document !== null && canBeServed(document));

type Named = ReturnType<typeof scopeOf>;

type SaidBeside = {
  readonly errors: 'success-false' | 'none';
  readonly headers: unknown;
  readonly windowSeconds: number;
};

function refusalOf(
  { status, retryAfter, body, schema, unit, waitsLonger, waitUntilReset }: DrawnRefusal,
  { errors, headers: said, windowSeconds: usual }: SaidBeside,
  named: readonly Named[],
) {
  // As many tokens as a request takes come back to a bucket within so many windows.
  const windows = named.flatMap(([, { windowSeconds = usual, limit, also = [] }]) =>
    [{ windowSeconds, limit }, ...also].map((one) => one.windowSeconds * Math.ceil(costMax / one.limit)),
  );
  const waitSeconds = waitsLonger === undefined ? undefined : Math.max(...windows) + waitsLonger;
  const haveReset = named.every(([, { headers: own = said ?? 'x-ratelimit' }]) => {
    const promised = headersSchema.safeParse(own);
    return promised.success && isPromisedOn('reset', 'limited', promisedHeaders({ headers: promised.data }));
  });
  const always = { status, retryAfter, waitSeconds, ...(haveReset ? { waitUntilReset } : {}) };
  if (errors !== 'none') return always;
  const waits = schema?.hasWait === true ? { retryAfterPointer: '/wait', retryAfterUnit: unit } : {};
  return { ...always, body, ...(schema === null ? {} : { bodySchema: schema.schema, ...waits }) };
}

/** Which requests a scope counts, and one of them. */
type Counted = {
  readonly name: string;
  readonly counts: Readonly<Record<string, unknown>>;
  readonly request: { readonly method?: string; readonly path: string };
};

function countedAt(at: number, count: number, apart: ApartBy): Counted {
  const name = scopeNames[at] as string;
  if (apart === 'methods') {
    const methods = [['GET'], ['POST', 'PATCH'], undefined][at];
    return { name, counts: { methods }, request: { method: methods?.[0] ?? 'PUT', path: '/things' } };
  }
  const isRest = at > 0 && at === count - 1;
  const [pattern, path] =
    apart === 'paths' ? [`/${name}`, `/${name}`] : [`/of/{owner}/${name}`, `/of/me/${name}`];
  return { name, counts: { paths: isRest ? undefined : [pattern] }, request: { path } };
}

/** What a scope says, none of whose requests costs more than may pass. */
function scopeOf(
  { answered, cost, others, perSecond, ...limits }: DrawnScope,
  { name, counts, request }: Counted,
): readonly [
  string,
  Pick<DrawnScope, 'windowSeconds' | 'limit' | 'also' | 'headers' | 'countedBy' | 'keys'> &
    Readonly<Record<string, unknown>>,
] {
  const atOnce = [limits, ...(limits.also ?? [])].map((one) =>
    typeof one.promise === 'object' && 'size' in one.promise ? one.promise.size : one.limit,
  );
  const affordable = (wanted: number | undefined) =>
    wanted === undefined ? undefined : Math.min(wanted, ...atOnce);
  return [
    name,
    {
      ...limits,
      ...counts,
      title: name,
      request: { ...request, answered },
      perSecond: perSecond === undefined ? undefined : Math.min(perSecond, limits.limit),
      cost: affordable(cost),
      others: others?.map((one, other) => ({
        request: { ...request, answered, path: `${request.path}/other-${other}` },
        cost: affordable(one),
      })),
    },
  ];
}

/** Of a schema that no body fits, no service can keep what it says. */
function canBeServed({ refusal }: Document): boolean {
  return refusal === undefined || promisedBody(refusal, [1]).kind === 'made';
}

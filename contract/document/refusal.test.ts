import { expect, it } from 'vitest';
import { clausesOf } from '../clauses/of-document.ts';
import { type Document, documentSchema, limitedStatusesOf, limitedStatusText } from './document.ts';
import { retryAfterOf } from './retry-after.ts';

const least = {
  version: 1,
  title: 'items',
  windowSeconds: 60,
  errors: 'none',
  scopes: { all: { title: 'any route', limit: 9 } },
};

function flawsOf(refusal: unknown, more: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const result = documentSchema.safeParse({ ...least, refusal, ...more });
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
}

it.each([
  { status: 403 },
  { status: [429, 503], retryAfter: 'either' },
  { status: 599, body: { '': 'busy' } },
  { status: 400, body: { '/a~1b/~0/0': null }, retryAfterPointer: '/wait' },
  { status: 429, bodySchema: { required: ['code'] }, retryAfterPointer: '/wait', bodyExample: { code: 1 } },
  { status: 429, body: { '/a': 'x' }, retryAfterPointer: '/wait', retryAfterUnit: 'ms' },
  { waitSeconds: 0.1 },
  { waitSeconds: 3_600 },
])('%j is taken', (refusal) => expect(flawsOf(refusal)).toEqual([]));

it('is by 429 where no status is said', () =>
  expect(limitedStatusesOf(documentSchema.parse({ ...least, refusal: { retryAfter: 'seconds' } }))).toEqual([
    429,
  ]));

function bodyOf(values: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from({ length: values }, (_, at) => [`/v${at}`, at]));
}

it.each<readonly [unknown, string]>([
  [{ status: 399 }, 'refusal.status is no refusal: a status from 400 to 599 is'],
  [{ status: 600 }, 'refusal.status is no refusal'],
  [{ status: [429, 302] }, 'refusal.status.1 is no refusal'],
  [{ waitSeconds: 0 }, 'refusal.waitSeconds Too small'],
  [{ waitSeconds: 3_601 }, 'refusal.waitSeconds Too big'],
  [{ status: 'slow' }, 'refusal.status must be a status from 400 to 599, or a list of up to four'],
  [{ status: [] }, 'refusal.status Too small'],
  [{ status: [429, 403, 503, 500, 502] }, 'refusal.status must be'],
  [{ status: 429, body: {} }, 'refusal.body names no value'],
  [{ status: 429, body: { 'error.code': 'x' } }, 'refusal.body.error.code Invalid key'],
  [{ status: 429, body: { '/a~2': 'x' } }, 'refusal.body./a~2 Invalid key'],
  [
    { status: 429, body: { '/a': 'x' }, retryAfterPointer: 'wait' },
    'refusal.retryAfterPointer is no JSON pointer',
  ],
  [
    { status: 429, body: { '/a': 'x' }, retryAfterUnit: 'seconds' },
    'refusal.retryAfterUnit needs a retryAfterPointer beside it',
  ],
  [
    { status: 429, retryAfterPointer: '/wait' },
    'refusal.retryAfterPointer needs a body or a bodySchema beside it',
  ],
  [{ status: 429, bodyExample: {} }, 'refusal.bodyExample needs a body or a bodySchema beside it'],
  [{ status: 429, bodySchema: true }, 'refusal.bodySchema Invalid input'],
  [{ status: 429, bodySchema: { const: Number.NaN } }, 'refusal.bodySchema.const Invalid input'],
  [
    { status: 429, bodySchema: { properties: { code: { type: 'text' } } } },
    'refusal.bodySchema.properties.code.type must be one of',
  ],
  [
    { status: 429, body: { '/wait': 1 }, retryAfterPointer: '/wait' },
    'refusal.retryAfterPointer is a value of the body too',
  ],
  [{ status: 429, body: bodyOf(17) }, 'refusal.body has more than sixteen values'],
  [
    { status: 429, retryAfter: 'minutes' },
    'refusal.retryAfter must be one of none, seconds, date, either, decimal, ms',
  ],
  [{ status: 429, retryAfter: { name: 'X-Wait' } }, 'refusal.retryAfter must be one of none'],
  [
    { status: 429, retryAfter: { name: 'X Wait', as: 'ms' } },
    'refusal.retryAfter.name must be the name of a header',
  ],
  [{ status: 429, retryAfter: { name: 'X-Wait', as: 'none' } }, 'refusal.retryAfter must be one of none'],
])('%j is not', (refusal, said) => expect(flawsOf(refusal).join('\n')).toContain(said));

it('a body of sixteen values is promised', () =>
  expect(flawsOf({ status: 429, body: bodyOf(16) })).toEqual([]));

it('one body alone is promised', () => {
  const refusal = { status: 429, body: { '/a': 1 } };
  expect(flawsOf(refusal, { errors: 'success-false' }).join()).toContain('refusal.body stands beside errors');
  const schema = { status: 429, bodySchema: { type: 'object' } };
  expect(flawsOf(schema, { errors: 'success-false' }).join()).toContain('refusal.bodySchema stands beside');
});

it('the reset is a wait where refusals carry one', () => {
  const flaw = ['refusal.waitUntilReset needs a reset among the headers, one that refusals carry'];
  const reset = { name: 'Again', unit: 'seconds' };
  const refusal = { status: 429, waitUntilReset: true };
  for (const headers of ['none', 'ietf', { limit: 'Most' }, { reset, on: 'admitted' }])
    expect(flawsOf(refusal, { headers })).toEqual(flaw);
  for (const headers of ['x-ratelimit', 'ietf-draft-7', { reset }, { reset: { ...reset, on: 'limited' } }])
    expect(flawsOf(refusal, { headers })).toEqual([]);
  expect(flawsOf({ status: 429, waitUntilReset: false }, { headers: 'none' })).toEqual([]);
});

it('the header of the wait has its usual name, or one of its own', () => {
  expect(retryAfterOf(undefined)).toBeNull();
  expect(retryAfterOf({})).toBeNull();
  expect(retryAfterOf({ retryAfter: 'none' })).toBeNull();
  expect(retryAfterOf({ retryAfter: 'decimal' })).toEqual({ name: 'Retry-After', form: 'decimal' });
  const named = { name: 'X-Wait', as: 'ms' } as const;
  expect(retryAfterOf({ retryAfter: named })).toEqual({ name: 'X-Wait', form: 'ms' });
  expect(flawsOf({ status: 429, retryAfter: named })).toEqual([]);
  const [usable, suffices] = clausesOf(
    documentSchema.parse({ ...least, refusal: { retryAfter: named } }),
  ).filter(({ id }) => id.startsWith('refusal.'));
  expect(usable?.requirement).toBe('Every 429 carries X-Wait: a number of milliseconds, not past.');
  expect(usable?.violation).toBe('No X-Wait, zero, another form, or a point in time in place of a number.');
  expect(suffices?.title).toBe('waiting as long as X-Wait says is enough');
  expect(suffices?.judged).not.toContain('Date');
});

it('statuses, and how a sentence has them', () => {
  expect(limitedStatusesOf({})).toEqual([429]);
  expect(limitedStatusText({ refusal: { status: 403 } })).toBe('403');
  expect(limitedStatusText({ refusal: { status: [429, 503] } })).toBe('429 or 503');
});

it('clauses are those of what is said, with its words', () => {
  const documentWith = (refusal: unknown): Document => documentSchema.parse({ ...least, refusal });
  const idsOf = (refusal: unknown): readonly string[] =>
    clausesOf(documentWith(refusal))
      .map(({ id }) => id)
      .filter((id) => id.startsWith('refusal.'));
  expect(idsOf(undefined)).toEqual([]);
  expect(idsOf({ status: 503, retryAfter: 'none' })).toEqual([]);
  expect(idsOf({ status: 503, retryAfter: 'date', body: { '/a': 1 }, retryAfterPointer: '/w' })).toEqual([
    'refusal.body',
    'refusal.retry-after',
    'refusal.retry-after-suffices',
    'refusal.wait',
    'refusal.wait-suffices',
  ]);
  expect(idsOf({ waitSeconds: 30 })).toEqual(['refusal.stated-wait-suffices']);
  expect(idsOf({ waitUntilReset: false })).toEqual([]);
  expect(idsOf({ waitSeconds: 30, waitUntilReset: true })).toEqual([
    ...['refusal.reset-suffices', 'refusal.stated-wait-suffices'],
  ]);
  const bodySchema = { title: 'problem', type: 'object' };
  expect(idsOf({ status: 503, bodySchema })).toEqual(['refusal.body-schema']);
  expect(idsOf({ status: 503, body: { '/a': 1 }, bodySchema, retryAfterPointer: '/w' })).toEqual([
    ...['refusal.body', 'refusal.body-schema', 'refusal.wait', 'refusal.wait-suffices'],
  ]);
  const fitting = clausesOf(documentWith({ status: 403, bodySchema })).find(({ id }) =>
    id.endsWith('-schema'),
  );
  expect(fitting?.requirement).toBe(
    'The body of a 403 is JSON that fits the document’s schema “problem” (JSON Schema, draft 2020-12).',
  );
  expect(fitting?.dependsOn).toEqual([]);
  const words = clausesOf(documentWith({ status: [403, 503], retryAfter: 'seconds', waitSeconds: 30 }));
  const stated = words.find(({ id }) => id === 'refusal.stated-wait-suffices');
  expect(stated?.requirement).toBe('The only user of a key that waits 30 s after a 403 or 503 is admitted.');
  expect(stated?.title).toBe('waiting 30 s after a 403 or 503 is enough');
  expect(stated?.dependsOn).toContain('limits.all');
  expect(words.find(({ id }) => id === 'error.status')?.title).toBe('over the limit is HTTP 403 or 503');
  expect(words.find(({ id }) => id === 'refusal.retry-after')?.requirement).toContain('Every 403 or 503');
  for (const { title, requirement, judged, violation } of words)
    expect([title, requirement, judged, violation].join(' ')).not.toContain('429');
});

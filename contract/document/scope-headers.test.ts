import { describe, expect, it } from 'vitest';
import { clauseIn, clausesOf } from '../clauses/of-document.ts';
import { rateLimitHeaderNames } from '../rate-limit-headers.ts';
import { documentSchema, refusesLikeOutage } from './document.ts';
import {
  arePromisedOnRefusals,
  haveOwnHeaders,
  headersByScope,
  headersIn,
  lacksAny,
  missingOn,
  resetUnitOf,
  wordedHeaders,
} from './scope-headers.ts';
import { toldByScope } from './told-headers.ts';

const used = { remaining: { name: 'Used', as: 'used' } };

/** Three scopes: the first with the document's headers, the second with others, the third with none, unless it is said otherwise. */
function documentOf({
  first,
  second = used,
  third = 'none',
  ...more
}: Readonly<Record<string, unknown>> = {}) {
  return documentSchema.safeParse({
    version: 1,
    title: 'an API',
    windowSeconds: 60,
    errors: 'none',
    scopes: {
      first: { title: 'first', limit: 40, paths: ['/first'], headers: first },
      second: { title: 'second', limit: 30, paths: ['/second'], headers: second },
      third: { title: 'third', limit: 20, headers: third },
    },
    ...more,
  });
}

function parsed(more: Readonly<Record<string, unknown>> = {}) {
  const { data, error } = documentOf(more);
  if (data === undefined) throw error;
  return data;
}

const flawsOf = (more: Readonly<Record<string, unknown>>) =>
  documentOf(more).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];

describe('headers of one scope', () => {
  const document = parsed();

  it('take the place of those of the document', () => {
    expect(
      ['first', 'second', 'third', 'elsewhere'].map((scope) => headersIn(document, scope).headers),
    ).toEqual(['x-ratelimit', { ...used, on: 'all' }, 'none', 'x-ratelimit']);
    const headersOf = headersByScope(document);
    expect(
      ['first', 'second', 'third', 'elsewhere'].map((scope) => headersOf({ scope }).names.remaining),
    ).toEqual(['X-RateLimit-Remaining', 'Used (remaining)', null, 'X-RateLimit-Remaining']);
    expect(headersOf({ scope: 'second' })).toBe(headersOf({ scope: 'second' }));
  });

  it('are no others where all scopes say the same, whatever the document says', () => {
    const alike = parsed({ headers: 'none', first: used, second: used, third: used });
    expect(haveOwnHeaders(alike)).toBe(false);
    expect(headersByScope(alike)({ scope: 'third' }).names.remaining).toBe('Used (remaining)');
    expect(wordedHeaders(alike).names).toEqual({ limit: null, remaining: 'Used (remaining)', reset: null });
    expect(haveOwnHeaders(document)).toBe(true);
    const some = parsed({ headers: 'none' });
    expect(wordedHeaders(some).names).toEqual({ limit: null, remaining: 'Used (remaining)', reset: null });
  });

  it('are all named in a sentence', () => {
    expect(wordedHeaders(document)).toEqual({
      names: {
        limit: 'X-RateLimit-Limit',
        remaining: 'X-RateLimit-Remaining or Used (remaining)',
        reset: 'X-RateLimit-Reset',
      },
      unit: 'epoch-seconds',
    });
  });

  it('are read by what its answers say', () => {
    const told = toldByScope(document, { first: 40, second: 30, third: 20 });
    const headers = { limit: null, remaining: '8', reset: null };
    expect(['first', 'second', 'elsewhere'].map((scope) => told({ headers, scope }).remaining)).toEqual([
      '8',
      '22',
      '8',
    ]);
  });

  it('tell refusals from outages where all have some', () => {
    const outage = { refusal: { status: 503 } };
    expect(arePromisedOnRefusals(document)).toBe(false);
    expect(refusesLikeOutage(parsed(outage))).toBe(true);
    expect(refusesLikeOutage(parsed({ ...outage, third: used }))).toBe(false);
    expect(refusesLikeOutage(parsed({ ...outage, third: { ...used, on: 'admitted' } }))).toBe(true);
    expect(refusesLikeOutage(parsed({ refusal: { status: 429 } }))).toBe(false);
  });
});

describe('an answer', () => {
  const carried = { limit: '40', remaining: '8', reset: '60' };
  const headersOf = headersByScope(parsed({ third: { limit: 'Most', on: 'admitted' } }));

  it.each([
    ['first', {}, []],
    ['first', { limit: null }, ['X-RateLimit-Limit']],
    ['first', { remaining: null }, ['X-RateLimit-Remaining']],
    ['first', { reset: null }, ['X-RateLimit-Reset']],
    ['first', { limit: null, remaining: null, reset: null }, Object.values(rateLimitHeaderNames)],
    ['second', { limit: null, reset: null }, []],
    ['second', { remaining: null }, ['Used (remaining)']],
    ['third', { limit: null }, ['Most']],
  ] as const)('at %s with %j lacks %j', (scope, changes, lacking) => {
    const answer = { scope, headers: { ...carried, ...changes }, outcome: 'admitted' } as const;
    expect(missingOn(answer, headersOf)).toEqual(lacking);
    expect(lacksAny(answer, headersOf)).toBe(lacking.length > 0);
  });

  it('lacks none that is promised on others alone', () => {
    const answer = { scope: 'third', headers: { ...carried, limit: null }, outcome: 'limited' } as const;
    expect(missingOn(answer, headersOf)).toEqual([]);
    expect(lacksAny(answer, headersOf)).toBe(false);
  });
});

describe('a reset', () => {
  const inUnit = (unit: string) => ({ reset: { name: 'Again', unit } });

  it('has one unit in all scopes', () => {
    expect(resetUnitOf(parsed({ headers: 'none', third: inUnit('ms') }))).toBe('ms');
    expect(resetUnitOf(parsed({ headers: 'none' }))).toBe('epoch-seconds');
    expect(flawsOf({ second: inUnit('epoch-seconds') })).toEqual([]);
    expect(flawsOf({ second: inUnit('ms') })).toEqual([
      'scopes.second.headers tells its reset in ms, and another scope in epoch-seconds: one document has one unit',
    ]);
    // It may say when it resets.
    expect(flawsOf({ third: 'ietf' })).toEqual([
      'scopes.third.headers tells its reset in seconds, and another scope in epoch-seconds: one document has one unit',
    ]);
  });

  it('is a wait where every scope has one', () => {
    const refusal = { status: 429, waitUntilReset: true };
    const reset = inUnit('epoch-seconds');
    expect(flawsOf({ refusal, second: reset, third: reset })).toEqual([]);
    const needed = 'refusal.waitUntilReset needs a reset among the headers, one that refusals carry';
    expect(flawsOf({ refusal })).toEqual([`${needed}: second, third have none`]);
    expect(flawsOf({ refusal, second: reset })).toEqual([`${needed}: third has none`]);
  });
});

describe('clauses about headers', () => {
  it('say which scopes carry which', () => {
    expect(clauseIn(parsed(), 'headers.present')).toMatchObject({
      title: 'the headers on every response',
      requirement:
        'Every response to a request with a valid key at first carries X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset. ' +
        'Every response to a request with a valid key at second carries Used (remaining).',
    });
    const usual = 'x-ratelimit';
    expect(clauseIn(parsed({ second: usual, third: usual }), 'headers.present')).toMatchObject({
      title: 'three headers on every response',
    });
    expect(clauseIn(parsed({ third: 'x-ratelimit' }), 'headers.present')?.requirement).toContain(
      'with a valid key at first, third carries X-RateLimit-Limit',
    );
  });

  it('are those of all scopes', () => {
    const idsOf = (more: Readonly<Record<string, unknown>>) =>
      clausesOf(parsed(more)).flatMap(({ id }) => (id.startsWith('headers.') ? [id] : []));
    const usual = { headers: 'none', first: undefined };
    expect(idsOf(usual)).toEqual([
      'headers.present',
      'headers.remaining',
      'headers.remaining-on-429',
      'headers.without-key',
      'headers.date',
    ]);
    expect(idsOf({ ...usual, second: 'none' })).toEqual([]);
    expect(idsOf({ ...usual, second: 'ietf' })).toContain('headers.policy');
    expect(idsOf({ ...usual, second: 'ietf-draft-7' })).not.toContain('headers.policy');
  });
});

import { describe, expect, it } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { admitted, type Given, limited, times, traceOfDocument } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

const none: Given = { limit: null, remaining: null, reset: null };

/** Uploads with the usual headers, and searches with what is given. */
const documentWith = (headers: unknown, more: object = {}) => ({
  errors: 'none',
  scopes: {
    media: { title: 'media', limit: 4, paths: ['/v1/media'] },
    search: { title: 'search', limit: 3, headers },
  },
  ...more,
});

const verdictIn = (clause: string, headers: unknown, exchanges: readonly Exchange[], more?: object) =>
  verdictOn(
    clause,
    traceOfDocument(exchanges, documentWith(headers, more), { limits: { media: 4, search: 3 } }),
  );

const upload = (given: Given = {}) => admitted(0, 5, { limit: '4', remaining: '3', ...given });
const search = (given: Given = {}) => admitted(0, 5, { scope: 'search', ...none, ...given });
const left = { remaining: 'Left' };

describe('where searches promise no headers', () => {
  it('only those of uploads are missed', () => {
    expect(verdictIn('headers.present', 'none', [upload(), search()])).toEqual({
      kind: 'held',
      summary: 'those of its scope on 1 answer',
    });
    const lacking = upload({ remaining: null });
    expect(verdictIn('headers.present', 'none', [upload(), search(), lacking])).toMatchObject({
      kind: 'violated',
      evidence: {
        expected: 'the headers of its scope on every response',
        observed: 'X-RateLimit-Remaining missing on 1 of 2 answers (1 × 200)',
        exchanges: [{ requestId: lacking.requestId }],
      },
    });
    expect(verdictIn('headers.present', 'none', [search()])).toMatchObject({
      kind: 'inconclusive',
      reason: 'no answer was seen on which those of its scope are promised',
    });
  });

  it('what they carry all the same is no promise', () => {
    const strange = search({ limit: '9', remaining: 'many', reset: '7' });
    for (const clause of ['headers.limit', 'headers.remaining', 'headers.reset'])
      expect(verdictIn(clause, 'none', [upload(), strange])?.kind).toBe('held');
    const refused = limited(10, 15, { scope: 'search', remaining: '2' });
    expect(verdictIn('headers.remaining-on-429', 'none', [upload(), refused])).toMatchObject({
      kind: 'inconclusive',
      reason: 'no 429 was seen',
    });
    const known = limited(10, 15, { limit: '4', remaining: '3' });
    const full = [3, 2, 1, 0].map((remaining) => upload({ remaining: String(remaining) }));
    expect(verdictIn('headers.remaining-on-429', 'none', [...full, known, refused])).toMatchObject({
      evidence: { observed: '3 (1 of 1 429s do not fit)' },
    });
  });

  it('a refusal of theirs is one without headers, and one of uploads another layer’s', () => {
    const refusal = { status: 403 };
    const bare = { status: 403, outcome: 'limited', body: 'no', ...none } as const;
    const pages = [limited(10, 15, { scope: 'search', ...bare }), limited(20, 25, bare)];
    // Three searches, so that the refusal is right; an upload that a firewall keeps off says nothing of the limit.
    const served = [1, 2, 3].map((at) => admitted(at, at + 1, { scope: 'search', ...none }));
    const exchanges = [upload(), ...served, ...pages];
    expect(verdictIn('limits.search', 'none', exchanges, { refusal })?.kind).not.toBe('violated');
    expect(verdictIn('limits.media', 'none', exchanges, { refusal })?.kind).not.toBe('violated');
    const usual = { ...bare, limit: '4', remaining: '0', reset: null };
    expect(verdictIn('limits.media', 'none', [upload(), limited(20, 25, usual)], { refusal })).toMatchObject({
      kind: 'violated',
      reason: 'refused-while-remaining',
    });
  });
});

describe('where searches promise none, what is wrong with refusals', () => {
  const refusal = { status: 429, retryAfter: 'seconds' };
  const judged = (...exchanges: readonly Exchange[]) =>
    verdictIn('refusal.retry-after', 'none', exchanges, { refusal });
  const full = times(4, () => upload());
  const wrong = limited(10, 15, { limit: '4', retryAfter: '0' });
  const right = limited(10, 15, { limit: '4', retryAfter: '5' });
  const searchesWrong = limited(10, 15, { scope: 'search', ...none, body: 'no', retryAfter: '0' });

  it('is the API’s at uploads, whatever those of searches are', () => {
    expect(judged(...full, wrong, searchesWrong)).toMatchObject({
      kind: 'violated',
      evidence: {
        observed: expect.stringMatching(/\(1 of 1 answers/),
        exchanges: [{ requestId: wrong.requestId }],
      },
    });
  });

  it('may be another layer’s at searches, until one passed in between', () => {
    expect(judged(...full, right, search(), searchesWrong)).toMatchObject({ kind: 'inconclusive' });
    const again = limited(30, 35, { scope: 'search', ...none, body: 'no', retryAfter: '0' });
    const between = admitted(20, 25, { scope: 'search', ...none });
    expect(judged(...full, right, searchesWrong, between, again)?.kind).toBe('violated');
    expect(judged(...full, right, limited(10, 15, { scope: 'search', ...none, retryAfter: '5' }))).toEqual({
      kind: 'held',
      summary: '2 answers',
    });
  });
});

describe('where searches have headers of their own', () => {
  it('a sentence names those of the answer that is wrong', () => {
    expect(verdictIn('headers.present', left, [upload(), search()])).toMatchObject({
      evidence: { observed: 'Left missing on 1 of 2 answers (1 × 200)' },
    });
    expect(verdictIn('headers.remaining', left, [upload(), search({ remaining: 'many' })])).toMatchObject({
      reason: 'not-an-integer',
      evidence: { expected: 'Left is a plain decimal integer' },
    });
    expect(verdictIn('headers.remaining', left, [upload(), search({ remaining: '9' })])).toMatchObject({
      reason: 'too-high',
      evidence: { expected: 'Left 2 at this moment' },
    });
    expect(verdictIn('headers.limit', { limit: 'Most' }, [upload(), search({ limit: '4' })])).toMatchObject({
      evidence: { expected: 'Most 3 at search', observed: '4 (1 of 2 answers differ)' },
    });
    const full = [2, 1, 0].map((remaining) => search({ remaining: String(remaining) }));
    const refused = limited(10, 15, { scope: 'search', ...none, remaining: '2' });
    expect(verdictIn('headers.remaining-on-429', left, [...full, refused])).toMatchObject({
      evidence: { expected: 'Left 0 on a 429' },
    });
  });

  it('what was used is told from what is left by the scope', () => {
    const used = { remaining: { name: 'Used', as: 'used' } };
    const right = [upload(), search({ remaining: '1' })];
    expect(verdictIn('headers.remaining', used, right)?.kind).toBe('held');
    expect(verdictIn('headers.remaining', used, [upload({ remaining: '4' })])?.kind).toBe('violated');
  });

  it('the fields of the draft are asked of no other scope', () => {
    const fields = { limit: '"a";q=3;w=60', remaining: '"a";r=2;t=60', reset: null };
    const usual = { limit: 'Most', remaining: 'Left' };
    const more = { headers: usual };
    const plain = upload({ limit: '4', remaining: '3', reset: null });
    const policy = (...searches: readonly Exchange[]) =>
      verdictIn('headers.policy', 'ietf', [plain, ...searches], more);
    expect(policy(search(fields))).toEqual({ kind: 'held', summary: 'on 1 answer' });
    expect(policy(search({ ...fields, limit: '3' }))?.kind).toBe('violated');
    expect(policy()).toMatchObject({ kind: 'inconclusive' });
    // A reset in another form than the draft's: more uploads than remain pass until then.
    const soonFull = [
      upload({ remaining: '0', reset: '60' }),
      admitted(10, 15, { limit: '4', remaining: '0', reset: '60' }),
    ];
    expect(verdictIn('headers.effective-window', 'ietf', soonFull, more)).toMatchObject({
      kind: 'inconclusive',
      reason: 'no answer carried r and t',
    });
    const early = limited(10, 15, { limit: '4', remaining: '0', reset: '60', retryAfter: '1' });
    expect(verdictIn('headers.retry-after-beyond', 'ietf', [plain, early], more)).toMatchObject({
      kind: 'inconclusive',
    });
    const soon = limited(10, 15, { scope: 'search', ...fields, remaining: '"a";r=0;t=60', retryAfter: '1' });
    expect(verdictIn('headers.retry-after-beyond', 'ietf', [plain, soon], more)?.kind).toBe('violated');
  });
});

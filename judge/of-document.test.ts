import { describe, expect, it } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { admitted, limited, type Setting, times, traceOfDocument } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

const media = { title: 'media', limit: 4 };
const notes = { title: 'notes', limit: 4, paths: ['/notes'] };
/** What a run expects of both. */
const ofBoth = { limits: { notes: 4, media: 4 } };

const verdictIn = (
  clause: string,
  exchanges: readonly Exchange[],
  document: Readonly<Record<string, unknown>>,
  setting?: Setting,
) => verdictOn(clause, traceOfDocument(exchanges, document, setting));

describe('what a document leaves to the service', () => {
  it.each([
    ['4', 'as described: right on 1 answer'],
    ['5', 'not as described: 5 (1 of 1 answers differ)'],
  ])('is told: a limit of %s is %s', (limit, value) => {
    const sentences = { 'headers.limit': { level: 'observe' } };
    expect(verdictIn('headers.limit', [admitted(0, 5, { limit })], { sentences })).toEqual({
      kind: 'observed',
      value,
    });
  });

  it('is open where nothing shows it', () =>
    expect(
      verdictIn('headers.limit', [admitted(0, 5, { limit: null })], {
        sentences: { 'headers.limit': { level: 'observe' } },
      }),
    ).toMatchObject({ kind: 'inconclusive' }));
});

describe('a limit for all keys of an account', () => {
  const ofEach = (count: number) => [
    ...times(count, (at) => admitted(at, at + 5)),
    ...times(count, (at) => admitted(20 + at, 25 + at, { key: 'B' })),
  ];

  it.each([
    [2, 'inconclusive'],
    [3, 'violated'],
  ])('is shared by two keys that take %d places each: %s', (count, kind) =>
    expect(verdictIn('limits.shared', ofEach(count), { countedBy: 'account' })?.kind).toBe(kind),
  );

  it('is no promise of a document that counts each key by itself', () =>
    expect(verdictIn('limits.shared', ofEach(3), {})).toBeUndefined());
});

it('the body of a refusal beside another status is named as what it is', () => {
  const refusal = { status: 429, body: { '/why': 'busy' } };
  const busy = admitted(10, 15, { status: 400, outcome: 'refused', body: '{"why":"busy"}' });
  expect(verdictIn('error.status', [admitted(0, 5), busy], { errors: 'none', refusal })).toMatchObject({
    kind: 'violated',
    reason: 'not-429',
    evidence: { observed: 'HTTP 400 with the body of a refusal (1 answer)' },
  });
});

describe('a limit whose window is longer than any run', () => {
  const also = [{ limit: 100, windowSeconds: 86_400 }];
  const exchanges = [admitted(0, 5)];
  const document = { scopes: { media: { ...media, also } } };

  it('is not probed', () =>
    expect(verdictIn('limits.media.86400s', exchanges, document)).toEqual({
      kind: 'not-applicable',
      reason: 'not probed: no run takes as long as a window of 24 h; more than its limit would still be seen',
    }));

  it('is said in rounded hours', () => {
    const odd = { scopes: { media: { ...media, also: [{ limit: 100, windowSeconds: 5_000 }] } } };
    const reason = expect.stringContaining('a window of 1.39 h;');
    expect(verdictIn('limits.media.5000s', exchanges, odd)).toMatchObject({ kind: 'not-applicable', reason });
  });

  it('is one that is longer than an hour', () => {
    const hour = { scopes: { media: { ...media, also: [{ limit: 100, windowSeconds: 3_600 }] } } };
    const unmet = { kind: 'inconclusive', reason: expect.stringMatching(/ was not reached twice, [^;]*$/) };
    expect(verdictIn('limits.media.3600s', exchanges, hour)).toMatchObject(unmet);
    expect(verdictIn('limits.media', exchanges, hour)).toMatchObject(unmet);
  });

  it('is its own scope’s, whatever others have', () => {
    const both = { scopes: { notes, media: { ...media, also } } };
    const sent = [admitted(0, 5, { scope: 'notes', limit: '4' }), ...exchanges];
    expect(verdictIn('limits.media.86400s', sent, both, ofBoth)).toMatchObject({ kind: 'not-applicable' });
  });

  it('is not judged where another limit is violated', () =>
    expect(
      verdictIn(
        'limits.media.86400s',
        times(5, () => admitted(0, 5)),
        document,
      ),
    ).toMatchObject({ kind: 'inconclusive', reason: 'not judged: limits.media is violated' }));

  it('may be what refuses below a shorter one', () =>
    expect(verdictIn('limits.media', exchanges, document)).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringMatching(/; a 429 below it may be of limits\.media\.86400s, by use of the key/),
    }));
});

describe('a limit of fixed windows', () => {
  const document = { scopes: { media: { ...media, promise: 'fixed' } } };
  const reached = (fromMs: number) => [
    ...times(4, (at) => admitted(fromMs + at, fromMs + at + 5)),
    limited(fromMs + 20, fromMs + 25),
  ];

  it('is held where it was met twice', () =>
    expect(verdictIn('limits.media', [...reached(0), ...reached(130_000)], document)).toMatchObject({
      kind: 'held',
      summary: expect.stringMatching(/ is explained: 8 admitted, 2 429s, met at 4 twice; /),
    }));

  it.each([
    ['refused, which others may have filled', reached(0), /others/],
    ['admitted, which others do not explain', reached(0).slice(0, 4), /was not reached twice/],
  ])('is open by what was %s', (_, exchanges, reason) =>
    expect(
      verdictIn('limits.media', exchanges, document, { deployment: { exclusiveKeys: false } }),
    ).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringMatching(reason),
    }),
  );
});

it('whether rejections count is not asked of fixed windows', () => {
  const document = { scopes: { notes, media: { ...media, promise: { kind: 'fixed', aligned: 'clock' } } } };
  const sent = [admitted(0, 5, { scope: 'notes', limit: '4' }), ...times(9, () => admitted(30_000, 30_005))];
  expect(verdictIn('limits.media', sent, document, ofBoth)).toMatchObject({ kind: 'violated' });
  expect(verdictIn('limits.rejections-count', sent, document, ofBoth)).toMatchObject({
    reason: 'rejected requests may count or not: what was seen fits both',
  });
});

it('a limit may be told of any of several windows', () => {
  const also = [{ limit: 5, windowSeconds: 1 }];
  const document = { scopes: { media: { ...media, also } } };
  const kindOf = (limit: string) => verdictIn('headers.limit', [admitted(0, 5, { limit })], document)?.kind;
  expect(['4', '5', '6'].map(kindOf)).toEqual(['held', 'held', 'violated']);
});

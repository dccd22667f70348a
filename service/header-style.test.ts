import { expect, it } from 'vitest';
import { documentSchema, limitsOf } from '../contract/document/document.ts';
import { offlineService } from './offline.ts';
import { answersAt, type Items } from './testing/items.ts';

const nowMs = 1_760_000_040_000;

/** What a service that plays a document answers to so many requests at one moment. */
function answersTo(count: number, said: Required<Items>['said'], promised: Required<Items>['promised'] = {}) {
  const moments = Array.from({ length: count }, () => nowMs);
  return answersAt(moments, { said, promised });
}

it.each([429, 503])('refusals by %i carry headers that are promised on them', (status) => {
  const headers = { remaining: 'X-Left', on: 'limited' };
  const [admitted, refused] = answersTo(2, { headers, refusal: { status } }, { limit: 1 });
  expect([admitted?.status, admitted?.headers.remaining]).toEqual([200, null]);
  expect([refused?.status, refused?.headers.remaining]).toEqual([status, '0']);
});

it('a reset may be on refusals alone', () => {
  const headers = { limit: 'X-Most', reset: { name: 'X-Again', unit: 'seconds', on: 'limited' } };
  const answers = answersTo(2, { headers }, { limit: 1 });
  expect(answers.map((answer) => answer?.headers)).toEqual([
    { limit: '1', remaining: null, reset: null },
    { limit: '1', remaining: null, reset: '60' },
  ]);
});

it('a policy has the whole seconds of its window, which is reckoned in parts of one', () => {
  // 25 tokens come back in 250 s: as a share of the document's window, that is a little more.
  const [answer] = answersTo(1, { headers: 'ietf' }, { promise: { kind: 'token-bucket', size: 25 } });
  expect(answer?.headers.limit).toBe('"items";q=25;w=250');
});

it.each([
  ['seconds', '60'],
  ['decimal', '60.0'],
  ['ms', '60000'],
  ['duration', '60s'],
])('a refusal says how long to wait in the header that is promised, as %s', (as, text) => {
  const of = (retryAfter: unknown) =>
    answersTo(2, { headers: 'none', refusal: { status: 429, retryAfter } }, { limit: 1 }).map(
      (answer) => answer?.retryAfter,
    );
  expect(of({ name: 'X-Wait', as })).toEqual([null, text]);
  expect(of(as)).toEqual([null, text]);
});

it('each scope carries its own headers', () => {
  const document = documentSchema.parse({
    ...{ version: 1, title: 'items', windowSeconds: 60, errors: 'none' },
    scopes: {
      files: {
        ...{ title: 'files', limit: 9, paths: ['/files'] },
        headers: { remaining: { name: 'X-Used', as: 'used-of-limit' }, on: 'admitted' },
      },
      search: { title: 'search', limit: 8, paths: ['/search'], headers: 'none' },
      rest: { title: 'rest', limit: 7 },
    },
  });
  const answerTo = (path: string, said = document) => {
    const service = offlineService({ document: said, limits: limitsOf(said), windowMs: 60_000, faults: [] });
    const asked = { key: 'A', credential: 'valid', connection: 0, node: 0 } as const;
    return service({ method: 'GET', path, ...asked }, nowMs)?.headers;
  };
  expect(['/files', '/search', '/me'].map((path) => answerTo(path))).toEqual([
    { limit: '1/9', remaining: '1/9', reset: null },
    { limit: null, remaining: null, reset: null },
    { limit: '7', remaining: '6', reset: String(nowMs / 1_000 + 60) },
  ]);
  const usual = documentSchema.parse({
    ...document,
    headers: 'none',
    scopes: {
      ...document.scopes,
      search: { title: 'search', limit: 8, headers: 'ietf-triple', paths: ['/search'] },
    },
  });
  expect(['/search', '/me'].map((path) => answerTo(path, usual)?.limit)).toEqual(['8;w=60', null]);
});

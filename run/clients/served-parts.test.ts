import { describe, expect, it } from 'vitest';
import { documentSchema } from '../../contract/document/document.ts';
import { checkProvable, servedParts, servedWithin } from './served-parts.ts';

function documentOf(more: object) {
  return documentSchema.parse({
    ...{ version: 1, title: 'a', windowSeconds: 60 },
    scopes: { all: { title: 'all', limit: 40 } },
    ...more,
  });
}

it('names all limits of a scope at the length that they are served with', () => {
  const also = [
    { limit: 10, windowSeconds: 2, promise: { kind: 'fixed', aligned: 'clock' } },
    { limit: 30, windowSeconds: 60, promise: { kind: 'token-bucket', size: 15 } },
  ];
  const document = documentOf({ scopes: { all: { title: 'all', limit: 40, also } } });
  expect(servedParts(document, { windowMs: 6_000, limits: { all: 5 } })).toEqual({
    all: [
      { back: 'window', limit: 5, windowMs: 6_000 },
      { back: 'clock-window', limit: 10, windowMs: 200 },
      { back: 'one-by-one', limit: 15, windowMs: 3_000 },
    ],
  });
});

it('names the limits of the scope within which another one lies, too', () => {
  const scopes = {
    login: { title: 'login', limit: 5, paths: ['/login'], within: 'all' },
    all: { title: 'all', limit: 40, also: [{ limit: 9, windowSeconds: 2 }] },
  };
  const document = documentOf({ scopes });
  const ofAll = [
    { back: 'window', limit: 30, windowMs: 6_000 },
    { back: 'window', limit: 9, windowMs: 200 },
  ];
  expect(servedParts(document, { windowMs: 6_000, limits: { login: 4, all: 30 } })).toEqual({
    login: [{ back: 'window', limit: 4, windowMs: 6_000 }, ...ofAll],
    all: ofAll,
  });
  expect(servedWithin(document)).toEqual({ login: 'all' });
});

describe('a document by which no client can be judged', () => {
  it.each([
    [{ refusal: { status: [403, 429], retryAfter: 'seconds' } }, 'it refuses with 403'],
    [{ countedBy: 'address' }, 'two keys are told apart here'],
    [{ scopes: { all: { title: 'all', limit: 40, countedBy: 'address' } } }, 'two keys are told apart here'],
    [{ keys: 'none' }, 'two keys are told apart here'],
    [{ errors: 'none' }, 'nothing in a 429 tells how long to wait'],
    [{ errors: 'none', refusal: { status: 429 } }, 'nothing in a 429 tells how long to wait'],
  ])('%o: is named, and what to do', (more, says) => {
    expect(() => checkProvable(documentOf(more))).toThrow(says);
  });

  it('is none that tells the wait in any way', () => {
    const body = { '/code': 'slow' };
    const refusals = [
      { refusal: { status: 429, retryAfter: 'date' }, errors: 'none' },
      { refusal: { status: 429, body, retryAfterPointer: '/wait' }, errors: 'none' },
      { refusal: { status: 429, waitUntilReset: true }, errors: 'none' },
      {},
    ];
    for (const refusal of refusals) expect(() => checkProvable(documentOf(refusal))).not.toThrow();
  });
});

import { describe, expect, it, test } from 'vitest';
import { admitted, times, traceOfDocument } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

const bucket = { kind: 'token-bucket', size: 20 } as const;
const ofBucket = { title: '/media', limit: 100, promise: bucket };
const { title, ...further } = ofBucket;
const ofBucketBeside = { title, limit: 1_000, also: [{ ...further, windowSeconds: 10 }] };

/** The verdict on what answers tell as their limit, where the first limit lets so many pass at once. */
function kindOf(media: object, { told, atOnce }: { readonly told: number; readonly atOnce: number }) {
  const answers = times(3, (at) =>
    admitted(10 * at, 10 * at + 5, { limit: String(told), remaining: String(19 - at) }),
  );
  const trace = traceOfDocument(
    answers,
    { errors: 'none', scopes: { media } },
    { limits: { media: atOnce } },
  );
  return verdictOn('headers.limit', trace)?.kind;
}

describe('a bucket of 20 that gets 100 back in its window', () => {
  it.each([20, 100])('may tell %i', (told) => {
    expect(kindOf(ofBucket, { told, atOnce: 20 })).toBe('held');
    expect(kindOf(ofBucketBeside, { told, atOnce: 1_000 })).toBe('held');
  });

  it.each([19, 21, 99, 120])('may not tell %i', (told) => {
    expect(kindOf(ofBucket, { told, atOnce: 20 })).toBe('violated');
    expect(kindOf(ofBucketBeside, { told, atOnce: 1_000 })).toBe('violated');
  });
});

test('a window tells its limit alone', () => {
  const media = { title: '/media', limit: 100, promise: 'fixed' };
  expect(kindOf(media, { told: 100, atOnce: 100 })).toBe('held');
  expect(kindOf(media, { told: 20, atOnce: 100 })).toBe('violated');
  // A run that is told of another limit holds answers to that one.
  expect(kindOf(media, { told: 100, atOnce: 50 })).toBe('violated');
});

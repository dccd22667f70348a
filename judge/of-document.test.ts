import { describe, expect, it } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, times, traceOf } from './testing/traces.ts';

const scopes = { media: { title: 'media', limit: 4 } };
const least = { version: 1, title: 'Media', windowSeconds: 60, scopes };

function verdictOn(
  clause: string,
  exchanges: readonly Exchange[],
  document: Readonly<Record<string, unknown>>,
) {
  const trace = traceOf(exchanges, {
    limits: { media: 4 },
    deployment: { document: { ...least, ...document } },
  });
  return judgeTrace(trace).clauses.find((one) => one.clause === clause)?.verdict;
}

describe('what a document leaves to the service', () => {
  it.each([
    ['4', 'as described: right on 1 answers'],
    ['5', 'not as described: 5 (1 of 1 answers differ)'],
  ])('is told: a limit of %s is %s', (limit, value) => {
    const sentences = { 'headers.limit': { level: 'observe' } };
    expect(verdictOn('headers.limit', [admitted(0, 5, { limit })], { sentences })).toEqual({
      kind: 'observed',
      value,
    });
  });

  it('is open where nothing shows it', () =>
    expect(
      verdictOn('headers.limit', [admitted(0, 5, { limit: null })], {
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
    expect(verdictOn('limits.shared', ofEach(count), { countedBy: 'account' })?.kind).toBe(kind),
  );

  it('is no promise of a document that counts each key by itself', () =>
    expect(verdictOn('limits.shared', ofEach(3), {})).toBeUndefined());
});

it('the body of a refusal beside another status is named as what it is', () => {
  const refusal = { status: 429, body: { '/why': 'busy' } };
  const busy = admitted(10, 15, { status: 400, outcome: 'refused', body: '{"why":"busy"}' });
  expect(verdictOn('error.status', [admitted(0, 5), busy], { errors: 'none', refusal })).toMatchObject({
    kind: 'violated',
    reason: 'not-429',
    evidence: { observed: 'HTTP 400 with the body of a refusal (1 answers)' },
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Exchange } from './exchange.ts';
import { RequestsOnce } from './requests-once.ts';

const exchangeOf = (requestId: string, index: number) => ({ requestId, index }) as Exchange;

const ids = fc.oneof(
  fc.string(),
  fc.nat(20).map((at) => `run-${at}`),
);

it('the first exchange of each request is there, and found by its id', () => {
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 60 }), ids, (requestIds, asked) => {
      const requests = new RequestsOnce();
      const first = new Map<string, number>();
      for (const [index, requestId] of requestIds.entries()) {
        expect(requests.add(exchangeOf(requestId, index))).toBe(first.get(requestId) ?? -1);
        if (!first.has(requestId)) first.set(requestId, first.size);
      }
      expect(requests.all.map(({ requestId }) => requestId)).toEqual([...first.keys()]);
      expect(requests.find(asked)).toBe(first.get(asked) ?? -1);
    }),
  );
});

it.each([0, 5_000, 9_000, 20_000])('many are found, where %i of 9,000 were expected', (expected) => {
  const requests = new RequestsOnce(expected);
  const many = Array.from({ length: 9_000 }, (_, at) => `client-${at % 7}/${at}`);
  for (const [at, id] of many.entries()) expect(requests.add(exchangeOf(id, at))).toBe(-1);
  for (const [at, id] of many.entries()) expect(requests.find(id)).toBe(at);
  for (const id of ['', 'client-0', 'client-1/0', 'client-5/9000']) expect(requests.find(id)).toBe(-1);
});

it('one of many is found without reading the ids of others', () => {
  let reads = 0;
  const watched = (id: string): Exchange =>
    Object.defineProperty(exchangeOf(id, 0), 'requestId', {
      get: () => {
        reads += 1;
        return id;
      },
    });
  const requests = new RequestsOnce();
  const many = Array.from({ length: 5_000 }, (_, at) => `client-${at % 7}/${at}`);
  for (const id of many) requests.add(watched(id));
  for (const id of many) requests.find(id);
  expect(reads).toBe(2 * many.length);
});

/** FNV-1a gives these two the same hash. */
const alike = ['costarring', 'liquid'] as const;

it('requests whose ids have one hash are told apart', () => {
  const requests = new RequestsOnce();
  expect(alike.map((id, at) => requests.add(exchangeOf(id, at)))).toEqual([-1, -1]);
  expect(alike.map((id) => requests.find(id))).toEqual([0, 1]);
});

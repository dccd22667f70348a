import { describe, expect, it } from 'vitest';
import type { Arrival } from '../../contract/clients/trace.ts';
import { judgeJitter } from './jitter.ts';
import { requestsOf } from './requests.ts';
import { admitted, limited, traceOf, waiting } from './testing/arrivals.ts';

const judged = (...requests: readonly (readonly Arrival[])[]) =>
  judgeJitter(requestsOf(traceOf(requests.flat())));

/** So many pairs of requests, the two of each pair with these waits. */
const pairs = (count: number, one: readonly number[], other: readonly number[], name = 'job') =>
  Array.from({ length: count }, (_, n) => [
    waiting(`${name}-${n}-one`, one),
    waiting(`${name}-${n}-other`, other),
  ]).flat();

describe('waits that differ by chance', () => {
  it('hold where most pairs are apart', () => {
    expect(judged(...pairs(7, [1_000], [1_021]))).toEqual({
      kind: 'held',
      summary: '0 of 7 pairs of waits within 20 ms or 2 % (99 % confidence)',
    });
  });

  it('are few in six pairs', () => {
    expect(judged(...pairs(6, [1_000], [1_021]))).toMatchObject({
      kind: 'inconclusive',
      reason: '0 of 6 pairs of waits within 20 ms or 2 %: too few to decide',
    });
    expect(judged(...pairs(6, [1_000], [1_000])).kind).toBe('inconclusive');
  });

  it('hold where a few are the same', () => {
    expect(judged(...pairs(20, [1_000], [2_000]), ...pairs(2, [1_000], [1_000], 'same')).kind).toBe('held');
  });
});

describe('waits that are the same', () => {
  it('are those until the moments that their 429s named, however long', () => {
    const until = (untilMs: number, lateMs: number, name: string) => [
      limited(name, 0, { untilMs }),
      admitted(name, untilMs + lateMs),
    ];
    const alike = (apartMs: number) =>
      judged(
        ...Array.from({ length: 12 }, (_, n) => [
          until(2_000 + n, 5, `one-${n}`),
          until(1_200, 5 + apartMs, `other-${n}`),
        ]).flat(),
      );
    expect(alike(20).kind).toBe('violated');
    expect(alike(30).kind).toBe('held');
    const named = judged(
      ...Array.from({ length: 12 }, (_, n) => [
        until(2_000, 5, `one-${n}`),
        [limited(`other-${n}`, 0), admitted(`other-${n}`, 1_205)],
      ]).flat(),
    );
    expect(named.kind).toBe('held');
  });

  it('violate, and one pair shows it', () => {
    const found = judged(...pairs(1, [1_000], [5_000]), ...pairs(12, [1_000], [1_020], 'same'));
    expect(found).toMatchObject({
      kind: 'violated',
      reason: 'no-jitter',
      evidence: {
        expected: 'waits that differ by chance: most pairs by more than that',
        observed:
          '12 of 13 pairs of waits within 20 ms or 2 % (99 % confidence); two waited 1.000 s and 1.020 s',
        exchanges: [
          { requestId: 'idempotency-key same-0-one', status: 429 },
          { requestId: 'idempotency-key same-0-one', status: 201 },
          { requestId: 'idempotency-key same-0-other', status: 429 },
          { requestId: 'idempotency-key same-0-other', status: 201 },
        ],
        exchangesTotal: 12,
      },
    });
  });

  it.each([
    ['20 ms', 500, 520, 521],
    ['2 % of the shorter', 10_000, 10_200, 10_202],
  ])('lie within %s of each other', (_, one, same, other) => {
    expect(judged(...pairs(12, [one], [same])).kind).toBe('violated');
    expect(judged(...pairs(12, [same], [one])).kind).toBe('violated');
    expect(judged(...pairs(12, [one], [other])).kind).toBe('held');
    expect(judged(...pairs(12, [other], [one])).kind).toBe('held');
  });
});

describe('waits are compared', () => {
  const waits = Array.from({ length: 14 }, (_, n) => 1_000 * (n + 1));
  const open = { kind: 'inconclusive', reason: expect.stringContaining('no two requests') };

  it('with those of other requests, and not with the next one', () => {
    expect(judged(waiting('a', waits))).toMatchObject(open);
    expect(judged(waiting('a', [1_000]), waiting('b', [1_000]), waiting('c', [1_000]))).toMatchObject({
      reason: expect.stringContaining('1 of 1 pairs'),
    });
  });

  it('of the same key, attempt and retry_after_seconds', () => {
    const [one, other] = [waiting('a', [1_000]), waiting('b', [1_000])];
    expect(judged(one, other)).toMatchObject({ reason: expect.stringContaining('1 of 1 pairs') });
    expect(
      judged(
        one,
        waiting('b', [1_000], () => ({ retryAfterSeconds: 2 })),
      ),
    ).toMatchObject(open);
    expect(
      judged(
        one,
        waiting('b', [1_000], () => ({ key: 'B' })),
      ),
    ).toMatchObject(open);
    const later = waiting('b', [5_000, 1_000], (attempt) => ({ retryAfterSeconds: attempt === 0 ? 5 : 1 }));
    expect(judged(one, later)).toMatchObject(open);
  });

  it('if there are any: else it says why there are none', () => {
    const reason = (text: string) => ({ reason: expect.stringContaining(text) });
    expect(judged([])).toMatchObject(reason('no request came'));
    expect(judged([admitted('a', 0)])).toMatchObject(reason('never refused'));
    expect(judged([limited('a', 0)], [admitted('b', 0)])).toMatchObject(reason('no request was sent again'));
    expect(judged([limited('a', 0)], waiting('b', [1_000]))).toMatchObject(open);
  });
});

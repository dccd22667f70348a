import { describe, expect, it } from 'vitest';
import type { Arrival } from '../../contract/clients/trace.ts';
import { judgeGrowth } from './growth.ts';
import { requestsOf } from './requests.ts';
import { admitted, traceOf, waiting } from './testing/arrivals.ts';

const judged = (...requests: readonly (readonly Arrival[])[]) =>
  judgeGrowth(requestsOf(traceOf(requests.flat())));

/** Requests that all wait alike. */
const alike = (count: number, waitsMs: readonly number[]) =>
  Array.from({ length: count }, (_, n) => waiting(`job-${n}`, waitsMs));

/** After these attempts the 429 asks for something else. */
const told =
  (...seconds: readonly number[]) =>
  (attempt: number) => ({
    retryAfterSeconds: seconds[attempt] ?? 1,
  });

describe('waits that grow', () => {
  it('hold, by how much they do', () => {
    expect(judged(waiting('a', [1_000, 2_000, 4_000, 8_000, 16_000]))).toEqual({
      kind: 'held',
      summary: '× 2.00 from wait to wait, over 1 request',
    });
    expect(judged(...alike(2, [1_000, 1_500, 2_250, 3_375]))).toEqual({
      kind: 'held',
      summary: '× 1.50 from wait to wait, over 2 requests',
    });
  });

  it('are few where chance alone makes as much of it', () => {
    expect(judged(waiting('a', [1_000, 2_000, 4_000, 8_000]))).toMatchObject({
      kind: 'inconclusive',
      reason: '× 2.00 from wait to wait, over 1 request: too few to decide',
    });
  });

  it('grow by too little to be called growth, and by too much to be none', () => {
    expect(judged(...alike(40, [1_000, 1_200, 1_440, 1_728])).kind).toBe('inconclusive');
  });

  it('are measured where a first one was none at all', () => {
    expect(judged(...alike(4, [0, 2, 4, 8])).kind).toBe('held');
  });
});

describe('waits that do not grow', () => {
  it('violate, and the longest series shows it', () => {
    const found = judged(...alike(10, [1_000, 1_000]), waiting('long', [1_000, 1_100, 1_200]));
    expect(found).toMatchObject({
      kind: 'violated',
      reason: 'does-not-grow',
      evidence: {
        expected: 'waits that grow by 15 % or more from one to the next',
        observed: expect.stringMatching(
          /^× 1\.00 from wait to wait, over 11 requests .*; one request waited 1\.000 s, 1\.100 s, 1\.200 s$/,
        ),
        exchanges: [0, 1_000, 2_100, 3_300].map((sentMs) => ({
          requestId: 'idempotency-key long',
          sentMs,
        })),
        exchangesTotal: 11,
      },
    });
  });

  it('violate where a few do grow', () => {
    const growing = Array.from({ length: 2 }, (_, n) => waiting(`grown-${n}`, [1_000, 2_000]));
    expect(judged(...alike(30, [1_000, 1_000]), ...growing)).toMatchObject({
      kind: 'violated',
      evidence: { exchangesTotal: 30 },
    });
    expect(judged(...alike(3, [1_000, 1_000]), ...growing).kind).toBe('inconclusive');
  });

  it('are shown within bounds, however many there are', () => {
    const many = Array.from({ length: 200 }, () => 1_000);
    const found = judged(...alike(10, many));
    expect(found.kind === 'violated' && found.evidence.observed.length).toBe(500);
  });
});

describe('a series of waits', () => {
  it('follows refusals that asked for the same', () => {
    const open = { kind: 'inconclusive', reason: expect.stringContaining('three times in a row') };
    expect(judged(waiting('a', [1_000]))).toMatchObject(open);
    expect(judged(waiting('a', [1_000, 2_000], told(1, 2, 1)))).toMatchObject(open);
    expect(judged([])).toMatchObject(open);
    expect(judged([admitted('a', 0)]).kind).toBe('not-applicable');
    expect(judged(waiting('a', [1_000, 2_000], told(1, 1))).kind).toBe('inconclusive');
    expect(judged(waiting('a', [1_000, 2_000], told(1, 1)))).not.toMatchObject(open);
  });

  it('is the first of two that are as long', () => {
    const waits = [...[1_000, 2_000, 4_000, 8_000, 16_000], ...[9_000, 9_000, 9_000, 9_000, 9_000]];
    expect(judged(waiting('a', waits, told(1, 1, 1, 1, 1, 9, 9, 9, 9, 9))).kind).toBe('held');
  });

  it('is the longest of a request, before or after another', () => {
    // The document asks for what grows at the same retry_after_seconds: the others are longer because they were told so.
    const short = [9_000, 500];
    const long = [1_000, 2_000, 4_000, 8_000, 16_000];
    for (const [waits, asked] of [
      [[...short, ...long], told(9, 9)],
      [[...long, ...short], told(1, 1, 1, 1, 1, 9, 9)],
    ] as const) {
      expect(judged(waiting('a', waits, asked))).toEqual({
        kind: 'held',
        summary: '× 2.00 from wait to wait, over 1 request',
      });
    }
  });
});

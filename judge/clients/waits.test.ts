import { describe, expect, it } from 'vitest';
import { windowMsAtLeast } from '../../contract/bounds.ts';
import type { Arrival } from '../../contract/clients/trace.ts';
import { requestsOf } from './requests.ts';
import { admitted, limited, traceOf, waiting } from './testing/arrivals.ts';
import { judgeWaits } from './waits.ts';

const judged = (...arrivals: readonly (readonly Arrival[])[]) =>
  judgeWaits(requestsOf(traceOf(arrivals.flat())));

describe('a retry', () => {
  const leastMs = windowMsAtLeast(1_000);

  it('is in time where the slowest clock would have it so, and too early before that', () => {
    expect(judged(waiting('one', [leastMs]))).toEqual({
      kind: 'held',
      summary: '1 retry, none too early',
    });
    expect(judged(waiting('one', [leastMs - 0.001]))).toMatchObject({
      kind: 'violated',
      reason: 'too-early',
    });
  });

  it('may come once the moment is there that its 429 named, by a clock a little ahead of ours', () => {
    const told = { answeredMs: 10, retryAfterSeconds: 5, untilMs: 4_510 };
    const retried = (atMs: number) => judged([limited('one', 0, told), admitted('one', atMs)]);
    expect(retried(4_260).kind).toBe('held');
    expect(retried(4_259)).toMatchObject({
      reason: 'too-early',
      evidence: {
        expected: 'at least 4.500 s from this 429 to the next attempt',
        observed: '1 of 1 retries came too early; one after 4.249 s instead of 4.500 s',
      },
    });
    const soon = (untilMs: number) => judged([limited('one', 0, { untilMs }), admitted('one', 0)]);
    expect(soon(250).kind).toBe('held');
    expect(soon(251).kind).toBe('violated');
    // How long to wait may be told beside it: a client may go by either.
    const late = { untilMs: 9_000 };
    expect(judged([limited('one', 0, late), admitted('one', 1_000)]).kind).toBe('held');
  });

  it('is shown with its 429 where it is the one that came earliest of all', () => {
    const found = judged(
      waiting('late', [5_000]),
      waiting('a little early', [900]),
      waiting('earliest', [2_000, 4_000], (attempt) => ({ retryAfterSeconds: attempt === 1 ? 30 : 1 })),
      waiting('early', [100]),
      waiting('told to wait for longer', [59_000], () => ({ retryAfterSeconds: 60 })),
    );
    expect(found).toMatchObject({
      kind: 'violated',
      evidence: {
        expected: 'at least 30 s from this 429 to the next attempt',
        observed: '4 of 6 retries came too early; one after 4.000 s instead of 30 s',
        exchanges: [
          {
            requestId: 'idempotency-key earliest',
            purpose: 'connection 1',
            method: 'POST',
            path: '/v1/messages',
            scope: 'messages',
            key: 'A',
            sentMs: 0,
            receivedMs: 0,
            status: 429,
            body: 'retry_after_seconds: 30',
          },
          { sentMs: 4_000, status: 201, body: null },
        ],
        exchangesTotal: 4,
      },
    });
  });

  it('is the first of those that are as early', () => {
    const found = judged(waiting('first', [100]), waiting('second', [100]));
    expect(found).toMatchObject({ evidence: { exchanges: [{ requestId: 'idempotency-key first' }, {}] } });
  });

  it('says nothing where its 429 named no time', () => {
    const silent = () => ({ retryAfterSeconds: null });
    expect(judged(waiting('one', [1], silent)).kind).toBe('inconclusive');
    expect(judged(waiting('one', [1], silent), waiting('two', [1_000, 1_000]))).toEqual({
      kind: 'held',
      summary: '2 retries, none too early',
    });
  });
});

it('a client that is never refused waits long enough', () => {
  expect(judged([admitted('one', 0)])).toEqual({ kind: 'held', summary: 'kept; never refused (1 request)' });
  expect(judged([admitted('one', 0)], [admitted('two', 0)])).toEqual({
    kind: 'held',
    summary: 'kept; never refused (2 requests)',
  });
});

it('a client none of whose requests is served shows nothing, and hears how they were answered', () => {
  const answered = (digest: string, status: number | null) => [admitted(digest, 0, { status })];
  expect(judged(answered('one', 400), answered('two', 400), answered('three', null))).toMatchObject({
    kind: 'inconclusive',
    reason:
      'no request was admitted: 2 × 400, 1 × no answer. Send what is served, and more of it than the limit lets pass',
  });
  expect(judged(answered('one', 400), answered('two', 201)).kind).toBe('held');
  // What has no answer was not answered otherwise.
  expect(judged(answered('one', null)).kind).toBe('held');
  const retried = (status: number) => judged([limited('one', 0), admitted('one', 2_000, { status })]);
  expect([retried(400).kind, retried(429).kind]).toEqual(['inconclusive', 'held']);
});

describe('two copies that were sent at once', () => {
  const other = { connection: 2 };
  const copies = (ms: number, given = other) => [limited('one', 0), admitted('one', ms, given)];

  it('are no retry, where they came on two connections right after each other', () => {
    expect(judged(copies(49.9)).kind).toBe('inconclusive');
    expect(judged(copies(50)).kind).toBe('violated');
    expect(judged(copies(1, { connection: 1 })).kind).toBe('violated');
  });

  it('are one request that is sent again too soon, where a third one came as soon', () => {
    const third = (ms: number) => [limited('one', 0), limited('one', 5, other), admitted('one', ms)];
    expect(judged(third(54)).kind).toBe('violated');
    expect(judged(third(55)).kind).toBe('inconclusive');
    expect(judged([limited('one', 0, { answeredMs: null }), limited('one', 5, other)]).kind).toBe(
      'inconclusive',
    );
  });
});

describe('no retry is known', () => {
  const byContent = { identity: { by: 'content', digest: 'alike' } } as const;
  const doubled = [limited('two', 0, { answeredMs: 2_000 }), admitted('two', 1_000)];

  it.each([
    ['none came', [], 'no request came'],
    [
      'the requests are alike',
      [limited('one', 0, byContent), admitted('one', 2_000, byContent), ...doubled, limited('three', 0)],
      'Idempotency-Key',
    ],
    [
      'those that were admitted at once are alike, and none was sent again',
      [limited('one', 0), admitted('alike', 0, byContent), admitted('alike', 1, byContent)],
      'no request was sent again',
    ],
    [
      'some of the requests are alike',
      [limited('known', 0), limited('one', 0, byContent), limited('one', 9, byContent)],
      'Idempotency-Key',
    ],
    [
      'one Idempotency-Key stands for several',
      [limited('one', 0, { content: 'a' }), admitted('one', 10, { content: 'b' })],
      'stands for requests that differ',
    ],
    [
      'what is read may be read anew',
      [
        limited('one', 0, { ...byContent, method: 'GET' }),
        admitted('one', 10, { ...byContent, method: 'GET' }),
      ],
      '(--jobs)',
    ],
    ['they were sent again too soon', [...doubled, limited('three', 0)], 'before their answer'],
    ['they were given up', [limited('one', 0), limited('two', 0)], 'no request was sent again'],
  ])('where %s', (_, arrivals, reason) => {
    expect(judged(arrivals)).toMatchObject({ kind: 'inconclusive', reason: expect.stringContaining(reason) });
  });
});

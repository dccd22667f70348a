import { describe, expect, it } from 'vitest';
import type { Arrival, ClientTrace } from '../../contract/clients/trace.ts';
import { judgeLosses, judgeRepeats } from './losses.ts';
import { requestsOf } from './requests.ts';
import { admitted, limited, traceOf } from './testing/arrivals.ts';

const losses = (trace: ClientTrace) => judgeLosses(requestsOf(trace), trace);
const repeats = (...arrivals: readonly Arrival[]) => judgeRepeats(requestsOf(traceOf(arrivals)));
const alike = { identity: { by: 'content', digest: 'alike' } } as const;

describe('a refused request', () => {
  const others = [limited('b', 0), admitted('b', 2_000), admitted('c', 1)];

  it('may be admitted in the end, whatever comes after that', () => {
    expect(losses(traceOf([limited('a', 0), admitted('a', 2_000)]))).toEqual({
      kind: 'held',
      summary: '1 refused request, all admitted in the end',
    });
    expect(losses(traceOf([...others, limited('a', 0), admitted('a', 5), limited('a', 9)]))).toEqual({
      kind: 'held',
      summary: '2 refused requests, all admitted in the end',
    });
  });

  it('is lost where the client is done without it', () => {
    expect(losses(traceOf([...others, limited('a', 0, { path: '/v1/lost' })]))).toMatchObject({
      kind: 'violated',
      reason: 'lost',
      evidence: {
        expected: 'each is admitted in the end',
        observed: '1 of 2 refused requests were given up',
        exchanges: [{ path: '/v1/lost' }],
        exchangesTotal: 1,
      },
    });
  });

  it('is not lost where it got another answer in the end', () => {
    const refused = (status: number | null) =>
      losses(traceOf([...others, limited('a', 0), admitted('a', 2_000, { status })]));
    expect(refused(400)).toEqual({
      kind: 'held',
      summary: '2 refused requests, 1 admitted and 1 answered otherwise in the end',
    });
    expect(refused(null).kind).toBe('violated');
  });

  it('may have come again by another Idempotency-Key, once for each that holds the same', () => {
    const same = { content: 'same' };
    const renamed = (...arrivals: readonly Arrival[]) => losses(traceOf(arrivals));
    const retried = [limited('a', 0, same), limited('b', 2_000, same), admitted('c', 4_000, same)];
    expect(renamed(...retried)).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining('under another Idempotency-Key'),
    });
    // One more than came again.
    expect(renamed(limited('d', 0, same), ...retried)).toMatchObject({
      kind: 'violated',
      evidence: { observed: '1 of 3 refused requests were given up' },
    });
    expect(renamed(limited('a', 0, same), admitted('b', 0, same)).kind).toBe('violated');
    expect(renamed(limited('a', 0, same), admitted('b', 9, { content: 'other' })).kind).toBe('violated');
    expect(renamed(limited('a', 0, same), admitted('b', 9, { ...same, key: 'B' })).kind).toBe('violated');
    expect(renamed(limited('a', 0), admitted('b', 9)).kind).toBe('violated');
  });

  it('leaves what came later by another key to those that were refused, in the order of their answers', () => {
    const same = { content: 'same' };
    const seen = (...arrivals: readonly Arrival[]) => losses(traceOf(arrivals));
    for (const status of [201, 400]) {
      const served = admitted('x', 0, { ...same, status, answeredMs: 5 });
      const refused = limited('a', 0, { ...same, answeredMs: 10 });
      expect(seen(refused, served, admitted('b', 20, same)).kind).toBe('inconclusive');
    }
    const slow = limited('a', 0, { ...same, answeredMs: 10 });
    const quick = limited('c', 1, { ...same, answeredMs: 2 });
    expect(seen(slow, quick, admitted('b', 5, same))).toMatchObject({
      evidence: { observed: '1 of 2 refused requests were given up', exchanges: [{ sentMs: 0 }] },
    });
  });

  it('is not followed where another one may be it', () => {
    expect(losses(traceOf([limited('a', 0, alike), limited('b', 5), admitted('b', 2_000)]))).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining('all alike'),
    });
  });
});

/** The client's last arrival, of something else: until then it was seen to go on. */
const seenUntil = (ms: number) => admitted('other', ms);

const unanswered = { answeredMs: null, status: null, retryAfterSeconds: null };

describe('a refused request whose client may still come back', () => {
  it.each([
    ['twice what the 429 asked for and half a minute', 32_000, [limited('a', 0)]],
    ['twice its last wait and half a minute', 40_000, [limited('a', 0), limited('a', 5_000)]],
    ['the same from its answer on', 32_700, [limited('a', 0, { answeredMs: 700 })]],
    ['the same where it had none', 30_000, [limited('a', 0), limited('a', 0, unanswered)]],
    ['half a minute where the 429 named no time', 30_000, [limited('a', 0, { retryAfterSeconds: null })]],
  ])('is waited for: %s', (_, patienceMs, arrivals) => {
    const lastMs = Math.max(...arrivals.map(({ arrivedMs }) => arrivedMs));
    const until = (ms: number) => traceOf([...arrivals, seenUntil(ms)], { end: null });
    expect(losses(until(lastMs + patienceMs))).toMatchObject({
      kind: 'inconclusive',
      reason: '1 of 1 refused requests may still be sent again: watch for longer',
    });
    expect(losses(until(lastMs + patienceMs + 1)).kind).toBe('violated');
  });

  it('is waited for until the end of the watch where there was one', () => {
    const end = (endedAtMs: number) => ({ kind: 'end', endedAtMs, clientIsDone: false }) as const;
    expect(losses(traceOf([limited('a', 0)], { end: end(32_000) })).kind).toBe('inconclusive');
    expect(losses(traceOf([limited('a', 0)], { end: end(32_001) })).kind).toBe('violated');
  });

  it('is open where nothing tells how long it was watched for', () => {
    expect(losses(traceOf([limited('a', 0)], { end: null })).kind).toBe('inconclusive');
  });

  it('counts before those that nobody can follow', () => {
    const trace = traceOf([limited('a', 0), limited('b', 0, alike)], { end: null });
    expect(losses(trace)).toMatchObject({ reason: expect.stringContaining('may still be sent again') });
  });
});

describe('announced requests that never came', () => {
  const requestsExpected = { A: 3, B: 1 };
  const came = [admitted('a', 0), admitted('c', 0, { key: 'B' }), admitted('d', 0, { key: 'B' })];

  it('are lost, key by key', () => {
    expect(losses(traceOf(came, { requestsExpected }))).toMatchObject({
      kind: 'violated',
      evidence: {
        observed: '2 of the announced requests never came',
        exchanges: [],
        exchangesTotal: 2,
      },
    });
    expect(losses(traceOf([...came, limited('b', 0)], { requestsExpected }))).toMatchObject({
      evidence: {
        observed: '1 of 1 refused requests were given up; 1 of the announced requests never came',
        exchangesTotal: 2,
      },
    });
  });

  it('may still come', () => {
    const end = { kind: 'end', endedAtMs: 600_000, clientIsDone: false } as const;
    expect(losses(traceOf(came, { requestsExpected, end })).kind).toBe('not-applicable');
    expect(losses(traceOf(came, { requestsExpected, end: null })).kind).toBe('not-applicable');
    expect(losses(traceOf([], { requestsExpected, end })).kind).toBe('inconclusive');
  });

  it('may have come where some are alike', () => {
    const some = [...came, admitted('e', 0, alike), admitted('e', 1, alike)];
    expect(losses(traceOf(some, { requestsExpected })).kind).toBe('not-applicable');
  });
});

describe('what was admitted already', () => {
  it('is known by its Idempotency-Key', () => {
    const once = [admitted('a', 0), limited('b', 1), admitted('b', 2_000), admitted('e', 5, alike)];
    expect(repeats(...once)).toEqual({
      kind: 'held',
      summary: '2 requests, distinguished by their Idempotency-Key',
    });
    expect(repeats(...once, admitted('b', 2_001, { path: '/v1/again' }))).toMatchObject({
      kind: 'violated',
      reason: 'repeated',
      evidence: {
        expected: 'each is admitted once',
        observed: '1 of 2 requests were admitted twice, or sent again before their answer',
        exchanges: [{}, {}, { path: '/v1/again' }],
        exchangesTotal: 1,
      },
    });
  });

  it('is sent again too soon where its answer may still admit it', () => {
    expect(repeats(limited('a', 0, { answeredMs: 9 }), limited('a', 5)).kind).toBe('violated');
  });

  it('is not known by its content', () => {
    expect(repeats(admitted('e', 0, alike), admitted('e', 1, alike)).kind).toBe('inconclusive');
  });
});

import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../deployment.ts';
import type { Exchange } from '../exchange.ts';
import type { Trace } from '../trace.ts';
import { sentMeanwhile } from './sent-meanwhile.ts';

const send: Partial<Exchange> = {
  scope: 'messages',
  route: 'main',
  method: 'POST',
  credential: 'valid',
  key: 'A',
  sentMs: 0,
  receivedMs: 5,
  outcome: 'admitted',
};

function traceOf(method: 'GET' | 'POST' | null, exchanges: readonly Partial<Exchange>[]): Trace {
  const deployment = deploymentSchema.parse({
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['A'],
    requests: method === null ? {} : { messages: { method, path: '/v1/messages' } },
  });
  return { header: { deployment }, exchanges } as Trace;
}

describe('messages', () => {
  it('were sent by each request for them that was taken, or may have been', () => {
    const exchanges: readonly Partial<Exchange>[] = [
      ...[send, send],
      { ...send, outcome: 'indeterminate' },
      { ...send, outcome: 'limited' },
      { ...send, outcome: 'refused' },
    ];
    const { messages, messagesUncertain } = sentMeanwhile(traceOf('POST', exchanges));
    expect([messages, messagesUncertain]).toEqual([2, 1]);
  });

  it.each<Partial<Exchange>>([
    { scope: 'media' },
    { route: 'subpath' },
    { method: 'GET' },
    { credential: 'unknown' },
  ])('were not sent by a request with %j', (change) => {
    expect(sentMeanwhile(traceOf('POST', [{ ...send, ...change }])).messages).toBe(0);
  });

  it('were not sent where the request for them sends none', () => {
    expect(sentMeanwhile(traceOf('GET', [send])).messages).toBe(0);
    expect(sentMeanwhile(traceOf(null, [send])).messages).toBe(0);
  });
});

describe('spans in which a key was refused', () => {
  const spansOf = (...exchanges: readonly Partial<Exchange>[]) =>
    sentMeanwhile(traceOf('POST', exchanges)).limitedSpans;
  const limited = (sentMs: number, receivedMs: number | null, change: Partial<Exchange> = {}) => ({
    ...send,
    ...{ sentMs, receivedMs, outcome: 'limited' as const },
    ...change,
  });

  const taken = { ...send, sentMs: 50_000, receivedMs: 50_005 };

  it('are one where no second lies between them', () => {
    expect(spansOf(limited(2_000, 2_005), limited(0, 1_000), taken)).toEqual([{ fromMs: 0, toMs: 2_005 }]);
    expect(spansOf(limited(0, 1_000), limited(2_001, 2_005))).toEqual([
      { fromMs: 0, toMs: 1_000 },
      { fromMs: 2_001, toMs: 2_005 },
    ]);
  });

  it('last until the last answer, in whatever order these come', () => {
    expect(spansOf(limited(0, 500), limited(10, 20))).toEqual([{ fromMs: 0, toMs: 500 }]);
    expect(spansOf(limited(0, null))).toEqual([{ fromMs: 0, toMs: 0 }]);
  });

  it('are of each key and scope by itself', () => {
    const others = [limited(0, 5, { key: 'B' }), limited(0, 5, { scope: 'media' })];
    expect(spansOf(limited(0, 5), ...others)).toHaveLength(3);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { emptiedOnceFits } from '../../judge/emptied-once.ts';
import { groupsOf } from '../../judge/entries.ts';
import { admitted, limited, originMs, traceOf } from '../../judge/testing/traces.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';

const rate = { limit: 4, windowMs: 60_000 };
const limits = { standard: rate.limit, messages: rate.limit, media: rate.limit };

type Sent = { readonly atMs: number; readonly thereMs: number; readonly backMs: number };

/** What a sliding log answers that loses all its places once, before the first request that comes after a moment. */
function answered(sent: readonly Sent[], { countsRejections, emptiedMs }: Emptied): readonly Exchange[] {
  const start = () =>
    countsRejections ? openWindow(slidingLogCountingRejections(rate)) : openWindow(slidingLog(rate));
  let window = start();
  let isEmptied = false;
  return [...sent]
    .sort((left, right) => left.atMs + left.thereMs - right.atMs - right.thereMs)
    .map(({ atMs, thereMs, backMs }) => {
      if (!isEmptied && atMs + thereMs >= emptiedMs) {
        window = start();
        isEmptied = true;
      }
      const answer = window.decide(originMs + atMs + thereMs).admitted ? admitted : limited;
      return answer(atMs, atMs + thereMs + backMs);
    });
}

type Emptied = { readonly countsRejections: boolean; readonly emptiedMs: number };

test('a window that was emptied once is explained, at whatever moment at which nothing was under way', () => {
  const sending = fc.record({
    afterMs: fc.integer({ min: 0, max: 30_000 }),
    thereMs: fc.integer({ min: 0, max: 1_500 }),
    backMs: fc.integer({ min: 0, max: 1_500 }),
    count: fc.integer({ min: 1, max: 6 }),
  });
  const histories = fc.array(sending, { minLength: 1, maxLength: 20 }).map((bursts) => {
    let nowMs = 0;
    return bursts.flatMap(({ afterMs, count, thereMs, backMs }) => {
      nowMs += afterMs;
      return Array.from({ length: count }, (): Sent => ({ atMs: nowMs, thereMs, backMs }));
    });
  });
  const emptied = fc.record({
    countsRejections: fc.boolean(),
    emptiedMs: fc.integer({ min: 0, max: 300_000 }),
  });
  fc.assert(
    fc.property(histories, emptied, (sent, how) => {
      const { emptiedMs } = how;
      fc.pre(sent.every((one) => one.atMs > emptiedMs || one.atMs + one.thereMs + one.backMs < emptiedMs));
      const groups = groupsOf(traceOf(answered(sent, how), { limits }));
      expect(groups.map(emptiedOnceFits)).toEqual([true]);
    }),
  );
});

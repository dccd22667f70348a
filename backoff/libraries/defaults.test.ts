import { describe, expect, it } from 'vitest';
import { type AnyStrategy, todaysStrategies } from '../strategies.ts';
import { type Answer, alone, givesUp } from '../strategy.ts';
import { admitted, limited, lost } from '../testing/answers.ts';

const get = todaysStrategies({ isIdempotent: true });
const post = todaysStrategies({ isIdempotent: false });

/** The waits of one request that gets these answers one after the other, its draws all `draw`. */
function waits(strategy: AnyStrategy, answers: readonly Answer[], draw = 0): readonly number[] {
  let state = strategy.start(alone);
  return answers.map((answer, at) => {
    const [waitMs, next] = strategy.next(state, { ...answer, attempts: at + 1 }, () => draw);
    state = next;
    return Math.round(waitMs);
  });
}

const bodyOnly = (nowMs: number, seconds: number) => limited(nowMs, seconds, { retryAfterHeaderSeconds: 0 });
const times = <Item>(count: number, item: Item): readonly Item[] => Array.from({ length: count }, () => item);

describe('library defaults', () => {
  it('undici: five retries, the header, but for no longer than 30 s', () => {
    expect(waits(get.undici, [limited(0, 12), limited(0, 50)])).toEqual([12_000, 30_000]);
    expect(waits(get.undici, times(6, bodyOnly(0, 50)))).toEqual([500, 1_000, 2_000, 4_000, 8_000, givesUp]);
    expect(waits(post.undici, [limited(0, 12)])).toEqual([givesUp]);
  });

  it('got: two retries, the header whole, else seconds and noise', () => {
    expect(waits(get.got, times(3, limited(0, 50)))).toEqual([50_000, 50_000, givesUp]);
    expect(waits(get.got, times(3, bodyOnly(0, 50)), 0.5)).toEqual([1_050, 2_050, givesUp]);
    expect(waits(post.got, [limited(0, 12)])).toEqual([givesUp]);
  });

  it('ky: two retries, the header, else X-RateLimit-Reset, else 300 ms', () => {
    expect(waits(get.ky, times(3, limited(0, 50)))).toEqual([50_000, 50_000, givesUp]);
    const reset = limited(90_000, 50, { retryAfterHeaderSeconds: 0, resetSeconds: 120 });
    expect(waits(get.ky, [reset, bodyOnly(0, 50)])).toEqual([30_000, 600]);
    expect(waits(get.ky, [lost(0)])).toEqual([300]);
    expect(waits(post.ky, [limited(0, 12)])).toEqual([givesUp]);
  });

  it('axios-retry: three retries, the header whole, else at once; a POST only where the connection broke', () => {
    expect(waits(get['axios-retry'], times(4, limited(0, 7)))).toEqual([7_000, 7_000, 7_000, givesUp]);
    expect(waits(get['axios-retry'], [bodyOnly(0, 50)])).toEqual([0]);
    expect(waits(post['axios-retry'], [lost(0), limited(0, 7)])).toEqual([0, givesUp]);
  });

  it('p-retry: ten retries, doubling from a second, blind to the answer', () => {
    const doubling = Array.from({ length: 10 }, (_, n) => 1_000 * 2 ** n);
    expect(waits(post['p-retry'], times(11, limited(0, 50)))).toEqual([...doubling, givesUp]);
  });

  it('cockatiel: three retries after Polly’s decorrelated jitter, blind to the answer', () => {
    // tanh(sqrt(4t)) · 2^t at t = n + 0.5, each less the one before, scaled by 128 / 1.4.
    expect(waits(post.cockatiel, times(4, limited(0, 50)), 0.5)).toEqual([115, 140, 261, givesUp]);
    expect(waits(post.cockatiel, [limited(0, 50), admitted(0), limited(0, 50)], 0.5)[0]).toBe(115);
  });

  it('AWS SDK: two retries, the header for no more than 5 s beyond the jitter', () => {
    expect(waits(post['aws-sdk'], times(3, limited(0, 50)), 0.5)).toEqual([5_500, 6_000, givesUp]);
    expect(waits(post['aws-sdk'], [limited(0, 2), lost(0)], 0.5)).toEqual([2_000, 50]);
  });

  it('AWS SDK: its clients share a quota, which runs dry where all fail', () => {
    const strategy = get['aws-sdk'];
    const state = strategy.start({ ...alone, clients: 200 });
    const first = (client: number) => strategy.next(state, limited(0, 1, { client }), () => 0)[0];
    const firsts = Array.from({ length: 101 }, (_, client) => first(client));
    expect(firsts.slice(0, 100).every((waitMs) => waitMs === 1_000)).toBe(true);
    expect(firsts[100]).toBe(givesUp);
  });
});

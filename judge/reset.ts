import { bounds } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import { held, inconclusive, violated } from '../contract/verdict.ts';
import { wideningOf } from './clock-widening.ts';
import { evidenceOf } from './evidence.ts';
import { integerHeader } from './integer-header.ts';

/**
 * `headers.reset`: violated only if no constant offset between the service's clock and ours, within the deployment's
 * `clockSkewSecondsMax`, puts every value between now (rounded down) and one window from now (rounded up, and one).
 */
export const judgeReset = integerHeader('reset', (carrying, { trace, stepped }) => {
  const widen = wideningOf(trace);
  for (const clock of new Set(carrying.map((exchange) => exchange.clock))) {
    // The setting is about the first clock; another one may be off by more.
    const skewSeconds = trace.header.deployment.clockSkewSecondsMax + widen(clock) / 1_000;
    const byClock = carrying.filter((exchange) => exchange.clock === clock);
    const range = offsetsThatFit(byClock, trace.header.windowMs);
    const least = Math.max(range.atLeastSeconds, -skewSeconds);
    const most = Math.min(range.atMostSeconds, skewSeconds);
    if (least <= most) continue;
    const shown = [...new Set([range.atMostBy, range.atLeastBy])].sort(
      (left, right) => left.sentMs - right.sentMs,
    );
    const fromMs = Math.min(...byClock.map(({ sentMs }) => sentMs));
    const toMs = Math.max(...byClock.map(({ receivedMs, sentMs }) => receivedMs ?? sentMs));
    if (stepped(fromMs, toMs))
      return inconclusive('the clock of this machine jumped during the run: run it again');
    return misplaced(range, shown, trace.header.windowMs, skewSeconds);
  }
  return held(`${carrying.length} values between now and one window from now`);
});

type OffsetRange = {
  readonly atLeastSeconds: number;
  readonly atLeastBy: Exchange;
  readonly atMostSeconds: number;
  readonly atMostBy: Exchange;
};

/**
 * Offsets (service − client, seconds) under which each Reset lies in `[⌊now⌋, ⌈now + W⌉ + 1]`. `now` is somewhere in
 * the exchange's interval; over the span of the run the clocks may also drift apart within their stated rate.
 */
function offsetsThatFit(exchanges: readonly Exchange[], windowMs: number): OffsetRange {
  const [first] = exchanges;
  if (first === undefined) throw new Error('no exchange to fit an offset to');
  const originMs = wallSent(first);
  const windowSeconds = windowMs / 1_000;
  let range: OffsetRange = {
    atLeastSeconds: Number.NEGATIVE_INFINITY,
    atLeastBy: first,
    atMostSeconds: Number.POSITIVE_INFINITY,
    atMostBy: first,
  };
  for (const exchange of exchanges) {
    const reset = headerInteger(exchange, 'reset') ?? 0;
    const drift =
      (Math.abs(wallSent(exchange) - originMs) * bounds.clockRate + bounds.clockResolutionMs) / 1_000;
    const atMost = reset + 1 - wallSent(exchange) / 1_000 + drift;
    const atLeast =
      reset - 2 - windowSeconds * (1 + bounds.clockRate) - wallReceived(exchange) / 1_000 - drift;
    if (atMost < range.atMostSeconds) range = { ...range, atMostSeconds: atMost, atMostBy: exchange };
    if (atLeast > range.atLeastSeconds) range = { ...range, atLeastSeconds: atLeast, atLeastBy: exchange };
  }
  return range;
}

function wallSent(exchange: Exchange): number {
  return exchange.wallSentMs ?? exchange.sentMs;
}

function wallReceived(exchange: Exchange): number {
  return exchange.wallReceivedMs ?? exchange.receivedMs ?? exchange.sentMs;
}

function misplaced(range: OffsetRange, shown: readonly Exchange[], windowMs: number, skewSeconds: number) {
  const late = range.atLeastSeconds > skewSeconds;
  const blamed = late ? range.atLeastBy : range.atMostBy;
  const raw = blamed.headers.reset ?? '';
  const reset = Number(raw);
  const sentSeconds = wallSent(blamed) / 1_000;
  const expected = `Unix seconds from now to ${windowMs / 1_000} s from now (clock offset up to ${skewSeconds} s allowed)`;
  const kind = kindOf(reset, sentSeconds, late);
  return violated(kind.reason, evidenceOf(expected, `X-RateLimit-Reset ${raw}: ${kind.text}`, shown));
}

/** What a misplaced value most likely is. */
function kindOf(
  reset: number,
  nowSeconds: number,
  late: boolean,
): { readonly reason: string; readonly text: string } {
  if (reset > nowSeconds * 100) return { reason: 'milliseconds', text: 'that is Unix time in milliseconds' };
  if (reset < nowSeconds / 100)
    return { reason: 'delta', text: 'that is a number of seconds, not a point in time' };
  const apart = Math.abs(reset - nowSeconds).toFixed(1);
  return late
    ? { reason: 'beyond-window', text: `${apart} s ahead, more than a window` }
    : { reason: 'past', text: `${apart} s from now: no clock offset fits all values` };
}

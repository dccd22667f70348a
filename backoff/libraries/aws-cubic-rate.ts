import type { Answer } from '../strategy.ts';

/** `DefaultRateLimiter` of @smithy/core 3.41.0, field by field; times are s since the Unix epoch, rates per second. */
export type CubicRate = {
  isOn: boolean;
  tokens: number;
  tokensMax: number;
  fillRate: number;
  filledAt: number;
  measuredRate: number;
  measuredFrom: number;
  requests: number;
  lastMaxRate: number;
  throttledAt: number;
  recovery: number;
};

export function cubicRate(): CubicRate {
  return {
    isOn: false,
    tokens: 0,
    tokensMax: 1,
    fillRate: 0.5,
    filledAt: 0,
    measuredRate: 0,
    measuredFrom: Number.NaN,
    requests: 0,
    lastMaxRate: 0,
    throttledAt: Number.NaN,
    recovery: 0,
  };
}

/** How long a request has to wait for its token, ms; 0 where it has taken one. */
export function tokenWaitMs(rate: CubicRate, nowMs: number): number {
  begin(rate, nowMs / 1_000);
  if (!rate.isOn) return 0;
  fill(rate, nowMs / 1_000);
  if (rate.tokens < 1) {
    const waitMs = ((1 - rate.tokens) / rate.fillRate) * 1_000;
    // Its loop asks again at once where rounding left it short of a token by less than a timer can wait.
    return Math.max(1, waitMs);
  }
  rate.tokens -= 1;
  return 0;
}

/** `updateClientSendingRate`: after every answer; only a 429 throttles. */
export function awsAdaptiveRate(rate: CubicRate, { kind, nowMs }: Answer): void {
  const now = nowMs / 1_000;
  begin(rate, now);
  measure(rate, now);
  const newRate = kind === 'limited' ? throttled(rate, now) : recovered(rate, now);
  fill(rate, now);
  rate.fillRate = Math.max(Math.min(newRate, 2 * rate.measuredRate), 0.5);
  rate.tokensMax = Math.max(Math.min(newRate, 2 * rate.measuredRate), 1);
  rate.tokens = Math.min(rate.tokens, rate.tokensMax);
}

/** Its constructor reads the clock. */
function begin(rate: CubicRate, now: number): void {
  if (!Number.isNaN(rate.measuredFrom)) return;
  rate.measuredFrom = Math.floor(now);
  rate.throttledAt = now;
}

function throttled(rate: CubicRate, now: number): number {
  const rateToUse = rate.isOn ? Math.min(rate.measuredRate, rate.fillRate) : rate.measuredRate;
  rate.lastMaxRate = rateToUse;
  rate.recovery = recoverySeconds(rate);
  rate.throttledAt = now;
  rate.isOn = true;
  return rateToUse * 0.7;
}

function recovered(rate: CubicRate, now: number): number {
  rate.recovery = recoverySeconds(rate);
  return 0.4 * (now - rate.throttledAt - rate.recovery) ** 3 + rate.lastMaxRate;
}

function recoverySeconds({ lastMaxRate }: CubicRate): number {
  return Math.cbrt((lastMaxRate * (1 - 0.7)) / 0.4);
}

function fill(rate: CubicRate, now: number): void {
  if (rate.filledAt > 0) {
    rate.tokens = Math.min(rate.tokensMax, rate.tokens + (now - rate.filledAt) * rate.fillRate);
  }
  rate.filledAt = now;
}

function measure(rate: CubicRate, now: number): void {
  const half = Math.floor(now * 2) / 2;
  rate.requests += 1;
  if (half <= rate.measuredFrom) return;
  rate.measuredRate = (rate.requests / (half - rate.measuredFrom)) * 0.8 + rate.measuredRate * 0.2;
  rate.requests = 0;
  rate.measuredFrom = half;
}

import { bounds } from '../../contract/bounds.ts';
import type { Proof } from '../../contract/certificate.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { headerInteger } from '../../contract/rate-limit-headers.ts';
import type { Trace } from '../../contract/trace.ts';
import type { ClockSteps } from '../clock-steps.ts';
import { wideningOf } from '../clock-widening.ts';

type ResetProof = Extract<Proof, { readonly rule: 'reset' }>;

/** The proof that no offset of the service's clock puts every Reset where it belongs; `null` where one does. */
export function resetProof(trace: Trace, stepped: ClockSteps, reason: string): ResetProof | null {
  const widen = wideningOf(trace);
  const carrying = trace.exchanges.filter(
    (exchange) =>
      exchange.credential === 'valid' &&
      exchange.status !== null &&
      exchange.status < 500 &&
      headerInteger(exchange, 'reset') !== null,
  );
  for (const clock of new Set(carrying.map((exchange) => exchange.clock))) {
    const exchanges = carrying.filter((exchange) => exchange.clock === clock);
    const skewSeconds = trace.header.deployment.clockSkewSecondsMax + widen(clock) / 1_000;
    const { proof, named } = proofOf(exchanges, trace.header.windowMs, skewSeconds);
    if (proof === null || nameOf(named, proof) !== reason) continue;
    const fromMs = exchanges.reduce((least, { sentMs }) => Math.min(least, sentMs), Number.POSITIVE_INFINITY);
    const toMs = exchanges.reduce((most, one) => Math.max(most, one.receivedMs ?? one.sentMs), fromMs);
    if (!stepped(fromMs, toMs)) return proof;
  }
  return null;
}

type Offset = { readonly exchange: Exchange; readonly seconds: number };

function proofOf(exchanges: readonly Exchange[], windowMs: number, skewSeconds: number) {
  const originMs = wallSent(exchanges[0] as Exchange);
  const [atLeast, atMost] = extremes(exchanges, { originMs, windowMs });
  const isLate = atLeast.seconds > skewSeconds;
  const isPast = atMost.seconds < -skewSeconds;
  const left = isPast && !isLate ? -skewSeconds : Math.max(atLeast.seconds, -skewSeconds);
  const right = isLate ? skewSeconds : Math.min(atMost.seconds, skewSeconds);
  const named = isLate ? atLeast : atMost;
  if (left <= right) return { proof: null, named: named.exchange };
  const proof: ResetProof = {
    rule: 'reset',
    originMs,
    skewSeconds,
    atLeast: isPast && !isLate ? null : quoted(atLeast),
    atMost: isLate ? null : quoted(atMost),
    inequality: { left, relation: '>', right },
  };
  return { proof, named: named.exchange };
}

function quoted({ exchange, seconds }: Offset) {
  return { exchange: exchange.requestId, seconds };
}

type Setting = { readonly originMs: number; readonly windowMs: number };

/** The exchange that asks for the largest offset of the service's clock, and the one that allows the least, seconds. */
function extremes(
  exchanges: readonly Exchange[],
  { originMs, windowMs }: Setting,
): readonly [atLeast: Offset, atMost: Offset] {
  let atLeast: Offset = { exchange: exchanges[0] as Exchange, seconds: Number.NEGATIVE_INFINITY };
  let atMost: Offset = { exchange: exchanges[0] as Exchange, seconds: Number.POSITIVE_INFINITY };
  for (const exchange of exchanges) {
    const value = headerInteger(exchange, 'reset') ?? 0;
    const sentMs = wallSent(exchange);
    const receivedMs = exchange.wallReceivedMs ?? exchange.receivedMs ?? exchange.sentMs;
    const drift = (Math.abs(sentMs - originMs) * bounds.clockRate + bounds.clockResolutionMs) / 1_000;
    const most = value + 1 - sentMs / 1_000 + drift;
    const least = value - 2 - (windowMs / 1_000) * (1 + bounds.clockRate) - receivedMs / 1_000 - drift;
    if (most < atMost.seconds) atMost = { exchange, seconds: most };
    if (least > atLeast.seconds) atLeast = { exchange, seconds: least };
  }
  return [atLeast, atMost];
}

function wallSent({ wallSentMs, sentMs }: Exchange): number {
  return wallSentMs ?? sentMs;
}

/** The reason by which the exchange that is named misplaces its value. */
function nameOf(exchange: Exchange, { atLeast, skewSeconds }: ResetProof): string {
  const value = headerInteger(exchange, 'reset') ?? 0;
  const sentSeconds = wallSent(exchange) / 1_000;
  if (value > sentSeconds * 100) return 'milliseconds';
  if (value < sentSeconds / 100) return 'delta';
  return atLeast !== null && atLeast.seconds > skewSeconds ? 'beyond-window' : 'past';
}

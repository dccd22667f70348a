import { bounds } from '../../contract/bounds.ts';
import type { Part } from '../../contract/certificate.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { resetIn } from '../../contract/reset-units.ts';
import type { Trace } from '../../contract/trace.ts';
import { longestWindowMsIn } from '../../contract/trace-windows.ts';
import type { ClockSteps } from '../clock-steps.ts';
import { wideningOf } from '../clock-widening.ts';
import { partOf } from './ground.ts';

type Claim = { readonly reason: string; readonly shown: readonly string[] };

/** The proof that a Reset lies where no offset of the service's clock puts it; `null` where none is so for this reason. */
export function resetProof(trace: Trace, stepped: ClockSteps, { reason, shown }: Claim): Part | null {
  const widen = wideningOf(trace);
  const ids = new Set(shown);
  const shownFirst = trace.exchanges.filter(({ requestId }) => ids.has(requestId));
  for (const exchange of [...shownFirst, ...trace.exchanges]) {
    const skewSeconds = trace.header.deployment.clockSkewSecondsMax + widen(exchange.clock) / 1_000;
    const proof = proofOf(exchange, longestWindowMsIn(trace.header), skewSeconds);
    if (proof === null || nameOf(exchange, proof, skewSeconds) !== reason) continue;
    const { sentMs, receivedMs } = exchange;
    if (!stepped(sentMs, receivedMs ?? sentMs)) return proof;
  }
  return null;
}

function proofOf(exchange: Exchange, windowMs: number, skewSeconds: number): Part | null {
  const value = resetIn('epoch-seconds', exchange);
  const isKeyed = exchange.credential === 'valid' && exchange.status !== null && exchange.status < 500;
  if (value === null || !isKeyed) return null;
  const resolution = bounds.clockResolutionMs / 1_000;
  const receivedMs = exchange.wallReceivedMs ?? exchange.receivedMs ?? exchange.sentMs;
  const windowSeconds = (windowMs / 1_000) * (1 + bounds.clockRate);
  const atLeast = value - 2 - windowSeconds - receivedMs / 1_000 - resolution;
  const atMost = value + 1 - wallSent(exchange) / 1_000 + resolution;
  const common = { reading: null, requestIds: [exchange.requestId], relation: '<' as const };
  if (atLeast > skewSeconds) return partOf('offset', { ...common, left: skewSeconds, right: atLeast });
  if (atMost < -skewSeconds) return partOf('offset', { ...common, left: atMost, right: -skewSeconds });
  return null;
}

function wallSent({ wallSentMs, sentMs }: Exchange): number {
  return wallSentMs ?? sentMs;
}

/** The reason by which a value is misplaced. */
function nameOf(exchange: Exchange, { left }: Part, skewSeconds: number): string {
  const value = Number(exchange.headers.reset);
  const sentSeconds = wallSent(exchange) / 1_000;
  if (value > sentSeconds * 100) return 'milliseconds';
  if (value < sentSeconds / 100) return 'delta';
  return left === skewSeconds ? 'beyond-window' : 'past';
}

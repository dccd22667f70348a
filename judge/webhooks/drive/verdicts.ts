import { answerMs } from '../../../contract/webhooks/drive/answer-faults.ts';
import type { DeliveryLine } from '../../../contract/webhooks/drive/trace.ts';
import {
  type DriveVerdict,
  type QuotedDelivery,
  quotedDeliveriesMax,
} from '../../../contract/webhooks/drive/verdict.ts';

type Failure = {
  /** A stable word. */
  readonly reason: string;
  readonly observed: string;
  /** What it most likely means. */
  readonly likely: string;
};

/** A case that failed, with the deliveries that show it. */
export function failedCase(
  { reason, observed, likely }: Failure,
  shown: readonly DeliveryLine[],
): DriveVerdict {
  return {
    kind: 'violated',
    reason,
    observed,
    likely,
    deliveries: quoted(shown),
    deliveriesTotal: shown.length,
  };
}

/**
 * A case that the trace neither proves nor refutes.
 * @param because ids of the failed cases that keep it from being judged.
 */
export function openCase(reason: string, because: readonly string[] = []): DriveVerdict {
  return { kind: 'inconclusive', reason, because: [...because] };
}

/** The first of these, with times from the first of them. */
function quoted(lines: readonly DeliveryLine[]): QuotedDelivery[] {
  const fromMs = lines[0]?.sentMs ?? 0;
  return lines.slice(0, quotedDeliveriesMax).map((line) => ({
    index: line.index,
    name: line.name,
    messageId: line.messageId,
    sentMs: line.sentMs - fromMs,
    answeredAfterMs: answerMs(line),
    status: line.status,
    said: line.failure ?? line.answer ?? '',
  }));
}

import { nearestRank, sortedCopy } from '../../../contract/nearest-rank.ts';
import { answerMs } from '../../../contract/webhooks/drive/answer-faults.ts';
import { isBurst } from '../../../contract/webhooks/drive/case.ts';
import { driveCases } from '../../../contract/webhooks/drive/registry.ts';
import type { DeliveryLine, DriveHeader, DriveTrace } from '../../../contract/webhooks/drive/trace.ts';
import type { BurstAnswers } from '../../../contract/webhooks/drive/verdict.ts';

/** What became of the burst, counted and measured; `null` where none was sent. */
export function burstOf({ header, deliveries }: DriveTrace): BurstAnswers | null {
  const id = driveCases.find(isBurst)?.id;
  const lines = deliveries.filter((line) => line.case === id);
  return lines.length === 0 ? null : measured(lines, header);
}

/** How far the sending of deliveries fell behind its own schedule, ms. */
export function latenessMs(lines: readonly DeliveryLine[]): number {
  return lines.reduce((latest, { dueMs, sentMs }) => Math.max(latest, sentMs - dueMs), 0);
}

function measured(lines: readonly DeliveryLine[], { burst }: DriveHeader): BurstAnswers {
  const tookMs = sortedCopy(lines.flatMap((line) => answerMs(line) ?? []));
  const accepted = lines.filter(({ status }) => status !== null && status >= 200 && status < 300).length;
  const unanswered = lines.filter(({ status }) => status === null).length;
  return {
    sent: lines.length,
    accepted,
    refused: lines.length - accepted - unanswered,
    unanswered,
    ...burst,
    p50Ms: nearestRank(tookMs, 50),
    p95Ms: nearestRank(tookMs, 95),
    p99Ms: nearestRank(tookMs, 99),
    maxMs: nearestRank(tookMs, 100),
    lateMsMax: latenessMs(lines),
  };
}

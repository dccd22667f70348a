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
  const tookMs = lines.flatMap((line) => answerMs(line) ?? []).sort((a, b) => a - b);
  const accepted = lines.filter(({ status }) => status !== null && status >= 200 && status < 300).length;
  const unanswered = lines.filter(({ status }) => status === null).length;
  return {
    sent: lines.length,
    accepted,
    refused: lines.length - accepted - unanswered,
    unanswered,
    ...burst,
    p50Ms: percentile(tookMs, 50),
    p95Ms: percentile(tookMs, 95),
    p99Ms: percentile(tookMs, 99),
    maxMs: tookMs.at(-1) ?? null,
    lateMsMax: latenessMs(lines),
  };
}

/** By nearest rank: the smallest value that at least so many per cent do not exceed. */
function percentile(sorted: readonly number[], percent: number): number | null {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? null;
}

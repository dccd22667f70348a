import type { DriveVerdict } from '../../../contract/webhooks/drive/verdict.ts';

/** A case of which the trace proves neither. */
export function openCase(reason: string, because: readonly string[] = []): DriveVerdict {
  return { kind: 'inconclusive', reason, because: [...because] };
}

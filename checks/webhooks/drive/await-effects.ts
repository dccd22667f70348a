import { type Awaited, showsAwaited } from '../../../contract/webhooks/drive/case.ts';
import { messageIdOf } from '../../../contract/webhooks/drive/message-id.ts';
import type { EffectLine } from '../../../contract/webhooks/drive/trace.ts';
import { type Clock, waitUntil } from '../../clock.ts';
import type { EffectsReader } from './read-effect.ts';

/** How long is waited between two looks, ms. */
const betweenLooksMs = 100;

/** How long is waited after the effect was seen, for what must not follow it, ms. */
const settleMs = 300;

/** Looks at most, whatever the clock says. */
const looksMax = 1_000;

export type AwaitOptions = {
  readonly runId: string;
  readonly caseId: string;
  readonly messages: readonly string[];
  readonly awaited: Awaited;
  /** How long an effect may take. */
  readonly waitMs: number;
  readonly reader: EffectsReader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onLine: (line: EffectLine) => void;
};

/** Looks until every message shows what is awaited, or the wait is over; then once more after a little while. */
export async function awaitEffects(options: AwaitOptions): Promise<void> {
  const { clock, signal, messages, awaited, waitMs } = options;
  const untilMs = clock.nowMs() + waitMs;
  let open: readonly string[] = messages;
  for (let looks = 0; looks < looksMax && open.length > 0 && !signal.aborted; looks += 1) {
    const found = await lookAt(open, options);
    open = open.filter((_message, at) => !showsAwaited(found[at] ?? { kind: 'unknown' }, awaited));
    if (clock.nowMs() >= untilMs) break;
    if (open.length > 0) await waitUntil(clock.nowMs() + betweenLooksMs, clock, signal);
  }
  await waitUntil(clock.nowMs() + settleMs, clock, signal);
  await lookAt(messages, options);
}

async function lookAt(
  messages: readonly string[],
  { runId, caseId, reader, clock, onLine }: AwaitOptions,
): Promise<readonly EffectLine['found'][]> {
  return Promise.all(
    messages.map(async (message) => {
      const messageId = messageIdOf({ runId, caseId, message });
      const found = await reader.look(messageId);
      onLine({ kind: 'effect', case: caseId, messageId, atMs: clock.nowMs(), found });
      return found;
    }),
  );
}

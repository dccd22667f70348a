import { systemClock } from '../../checks/clock.ts';
import { answerPlan } from '../../checks/webhooks/capture/answer-plan.ts';
import { receiverBounds } from '../../checks/webhooks/capture/receiver.ts';
import type { RunningWebhooks } from '../../service/webhooks/subscribe.ts';
import { openRecordingReceiver } from '../webhooks/recording-receiver.ts';

/** A receiver for the webhooks of a run, from before the service starts until it has nothing more to send. */
export type WebhookStage = {
  /** Address that the service sends to. */
  readonly url: string;
  /** Plays a few customers, and writes each delivery to a file from now on. */
  record(run: { readonly path: string; readonly runId: string }, webhooks: RunningWebhooks): void;
  /** Lets what was accepted arrive, and ends the file; `reason` says why the run broke off. */
  finish(reason: string | null): Promise<void>;
  /** Listens no more, whether or not anything was recorded. */
  close(): Promise<void>;
};

/** How long the last events of a run may take to arrive, ms. */
const drainMsMax = 15_000;

/** What customers write: plain, beyond ASCII, and what JSON, HTML and shells treat specially. */
const texts = ['Hello!', 'Grüße, 你好, 👋', '</b> & "quotes" \\ / \u2028 end', '12345678901234567890', ''];

/** A first delivery of each kind is refused, so that retries are seen. */
const answers = ['error=1', 'limited=1'];

export async function openWebhookStage(): Promise<WebhookStage> {
  const { nowMs } = systemClock;
  let service: RunningWebhooks | null = null;
  const plan = answerPlan(answers);
  const receiver = await openRecordingReceiver({
    host: '127.0.0.1',
    port: 0,
    plan,
    slowMs: 0,
    bounds: receiverBounds,
    forwarder: null,
    onDelivery: () => undefined,
    remove: (text) => text,
  });
  const inject = (): void => {
    const ids = service?.inbound(texts.map((body, at) => ({ sender: `1555000200${at}`, body }))) ?? null;
    receiver.write({ kind: 'injected', atMs: nowMs(), messages: ids?.length ?? 0 });
  };
  return {
    url: receiver.url,
    record({ path, runId }, webhooks) {
      receiver.record({ path, runId, startedAtMs: nowMs() });
      service = webhooks;
      inject();
    },
    async finish(reason) {
      if (reason === null) {
        inject();
        const isDrained = (await service?.drained(drainMsMax)) ?? true;
        await receiver.end(isDrained ? null : `not all webhooks had been sent after ${drainMsMax / 1_000} s`);
        return;
      }
      // Nobody waits for what a run that broke off has left to send.
      await service?.close(0);
      await receiver.end(reason);
    },
    close: () => receiver.close(),
  };
}

import { systemClock } from '../../checks/clock.ts';
import {
  openReceiver,
  type Receiver,
  type ReceiverSettings,
} from '../../checks/webhooks/capture/receiver.ts';
import {
  type Delivery,
  type WebhookHeader,
  type WebhookTraceLine,
  webhookTraceSchemaVersion,
} from '../../contract/webhooks/trace.ts';
import { endTrace, openTrace, type TraceWriter } from '../record/trace-writer.ts';
import { type KeyRemover, withoutSecretsOf } from '../record/without-keys.ts';
import { tool } from '../version.ts';

/** What is written down, and where. */
type Recorded = {
  readonly path: string;
  readonly runId: string;
  readonly startedAtMs: number;
  /** What the judge is to know besides. */
  readonly judging?: Pick<WebhookHeader, 'path' | 'requireSignature'>;
};

/** A receiver of webhooks that writes down what it gets, from its beginning on. */
export type RecordingReceiver = Receiver & {
  /** Writes what came so far to a new file, and everything from now on. */
  record(run: Recorded): void;
  /** Bytes of the file so far. */
  readonly bytes: () => number;
  /** One line more, beside the deliveries. */
  write(line: WebhookTraceLine): void;
  /** Receives no more, and ends the file; `reason` says why the run broke off. */
  end(reason: string | null): Promise<void>;
};

/** @throws where the port cannot be listened on. */
export async function openRecordingReceiver({
  remove,
  onDelivery,
  ...settings
}: Pick<ReceiverSettings, 'host' | 'port' | 'plan' | 'slowMs' | 'bounds' | 'forwarder'> & {
  /** Removes what must not be written down. */
  readonly remove: KeyRemover;
  /** Told of each delivery, as it is written down. */
  readonly onDelivery: (delivery: Delivery) => void;
}): Promise<RecordingReceiver> {
  const { nowMs } = systemClock;
  const early: WebhookTraceLine[] = [];
  let trace: TraceWriter<WebhookTraceLine> | null = null;
  const write = (line: WebhookTraceLine): void => {
    if (trace === null) early.push(line);
    else trace.write(line);
  };
  const receiver = await openReceiver({
    ...settings,
    nowMs,
    onDelivery: (one) => {
      const delivery = withoutSecretsOf(one, remove);
      write(delivery);
      onDelivery(delivery);
    },
  });
  return {
    ...receiver,
    write,
    bytes: () => trace?.bytes() ?? 0,
    record({ path, runId, startedAtMs, judging = {} }) {
      trace = openTrace<WebhookTraceLine>(path, {
        kind: 'webhook-trace',
        schemaVersion: webhookTraceSchemaVersion,
        tool,
        runId,
        startedAt: new Date(startedAtMs).toISOString(),
        url: receiver.url,
        ...judging,
      });
      for (const line of early) trace.write(line);
    },
    async end(reason) {
      await receiver.close();
      const unheard = receiver.unheard();
      if (Object.values(unheard).some((count) => count > 0)) write({ kind: 'unheard', ...unheard });
      if (trace !== null) endTrace(trace, { reason }, nowMs());
    },
  };
}

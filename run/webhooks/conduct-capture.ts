import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { systemClock } from '../../checks/clock.ts';
import type { AnswerPlan } from '../../checks/webhooks/capture/answer-plan.ts';
import { type ForwarderSettings, openForwarder } from '../../checks/webhooks/capture/forward.ts';
import type { ReceiverBounds } from '../../checks/webhooks/capture/receiver.ts';
import { portOf } from '../../contract/transport.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { reached } from '../../judge/webhooks/webhooks-among.ts';
import { listenError } from '../../service/listen.ts';
import { judgeAndReport } from '../judge/judge-file.ts';
import type { JudgedTrace } from '../judge/judged.ts';
import { documentAlone } from '../judge/judging.ts';
import { traceFileName } from '../judge/trace-file.ts';
import { inRunDirectory } from '../record/run-directory.ts';
import { hideKeys, secretKeys } from '../record/without-keys.ts';
import type { Session } from '../run-context.ts';
import { isLoopback } from '../target/allowed-hosts.ts';
import { openRecordingReceiver, type RecordingReceiver } from './recording-receiver.ts';

/** What is to be received, and how it is answered. */
export type CaptureSpec = {
  readonly host: string;
  readonly port: number;
  readonly plan: AnswerPlan;
  readonly slowMs: number;
  readonly bounds: ReceiverBounds;
  /** Where deliveries go on to, and which; `null` where they go nowhere. */
  readonly forwarding: Pick<ForwarderSettings, 'target' | 'events' | 'budgetMs'> | null;
  /** Bytes of the trace after which it ends: a disk is not to be filled. */
  readonly traceBytesMax: number;
  readonly secrets: readonly string[];
  /** Path that webhooks are to come to; `null` takes the one that most come to. */
  readonly path: string | null;
  /** Whether a signature that no secret gives is a failure. */
  readonly requireSignature: boolean;
  /** Number of webhooks after which it ends, whatever else comes; `null` for no such end. */
  readonly count: number | null;
  /** Ends after so long, ms; `null` has no such end. */
  readonly forMs: number | null;
  /** Folder in which the capture gets one of its own. */
  readonly out: string;
};

export type CaptureContext = {
  readonly cwd: string;
  readonly session: Session;
  /** Ends the capture, which is then judged. */
  readonly signal: AbortSignal;
  /** Told where it listens and where the trace is, once. */
  readonly onOpen: (opened: { readonly url: string; readonly traceFile: string }) => void;
  /** Told of each delivery once it was answered. */
  readonly onDelivery: (delivery: Delivery) => void;
};

/** How often it is looked whether the end has come, ms. */
const pollMs = 50;

/** Receives until the end, saves while it happens, and judges what was saved. */
export async function conductCapture(
  spec: CaptureSpec,
  context: CaptureContext,
): Promise<JudgedTrace<'capture'>> {
  const startedMs = systemClock.nowMs();
  return inRunDirectory(resolve(context.cwd, spec.out), startedMs, async (directory) => {
    const traceFile = join(directory, traceFileName);
    await receiveAndSave({ spec, context, traceFile, startedMs });
    return judgeAndReport('capture', traceFile, { ...documentAlone, secrets: spec.secrets });
  });
}

type Capture = {
  readonly spec: CaptureSpec;
  readonly context: CaptureContext;
  readonly traceFile: string;
  readonly startedMs: number;
};

async function receiveAndSave({ spec, context, traceFile, startedMs }: Capture): Promise<void> {
  const { host, port, plan, slowMs, bounds, secrets, forwarding } = spec;
  const remove = hideKeys(context.session, secretKeys(secrets));
  const { nowMs } = systemClock;
  const forwarder = forwarding === null ? null : openForwarder({ ...forwarding, nowMs });
  const { path, requireSignature } = spec;
  let webhooks = 0;
  const onDelivery = (delivery: Delivery): void => {
    if (isWebhook(delivery, path)) webhooks += 1;
    context.onDelivery(delivery);
  };
  const receiver = await listening({ host, port, plan, slowMs, bounds, forwarder, remove, onDelivery });
  receiver.record({
    judging: { ...(path === null ? {} : { path }), ...(requireSignature ? { requireSignature } : {}) },
    path: traceFile,
    runId: randomBytes(4).toString('hex'),
    startedAtMs: startedMs,
  });
  context.session.traceFile = traceFile;
  let reason: string | null = 'an error of this program broke the capture off';
  try {
    refuseLoop(forwarding, receiver.url);
    context.onOpen({ url: receiver.url, traceFile });
    reason = await untilEnd(receiver, { spec, context, startedMs, webhooks: () => webhooks });
  } finally {
    await receiver.end(reason);
  }
}

/** Whether a request is one of those that are judged, as far as that is known before the end. */
function isWebhook(delivery: Delivery, path: string | null): boolean {
  const { isMarked, pathname } = reached(delivery);
  return isMarked && (path === null || pathname === path);
}

/** @throws {UsageError} where each delivery would come back here, and go on for ever. */
function refuseLoop(forwarding: CaptureSpec['forwarding'], url: string): void {
  if (forwarding === null || !isLoopback(forwarding.target.hostname)) return;
  if (portOf(forwarding.target) !== portOf(new URL(url))) return;
  throw new UsageError(
    `--forward-to ${forwarding.target.href} is this receiver itself: give the address of yours.`,
  );
}

async function listening(settings: Parameters<typeof openRecordingReceiver>[0]): Promise<RecordingReceiver> {
  try {
    return await openRecordingReceiver(settings);
  } catch (error) {
    throw listenError(error, settings) ?? error;
  }
}

/**
 * Ends with Ctrl-C, after the time, or when the wanted number of webhooks is answered; gives why it ended where that is
 * nothing that was asked for.
 */
async function untilEnd(
  receiver: RecordingReceiver,
  { spec, context, startedMs, webhooks }: Omit<Capture, 'traceFile'> & { readonly webhooks: () => number },
): Promise<string | null> {
  const { count, forMs, traceBytesMax } = spec;
  while (!context.signal.aborted) {
    if (count !== null && webhooks() >= count && receiver.open() === 0) return null;
    if (forMs !== null && systemClock.nowMs() - startedMs >= forMs) return null;
    if (receiver.bytes() >= traceBytesMax) return traceFullText(traceBytesMax);
    await new Promise((wake) => setTimeout(wake, pollMs));
  }
  return null;
}

function traceFullText(bytesMax: number): string {
  return `the trace has reached ${bytesMax / 1_000_000} MB, and nothing was received afterwards (--max-trace)`;
}

import type { Agent } from 'node:http';
import { isBroken } from '../../../contract/unreachable.ts';
import { keptBody } from '../../../contract/webhooks/body.ts';
import { messageIdOf } from '../../../contract/webhooks/drive/case.ts';
import type { Delivery } from '../../../contract/webhooks/drive/delivery.ts';
import type { DeliveryLine } from '../../../contract/webhooks/drive/trace.ts';
import type { Clock } from '../../clock.ts';
import { isUnreachable } from '../../failures.ts';
import type { StallMeter } from '../../stalls.ts';
import { composeRequest } from './compose-request.ts';
import { type DeliveryResult, deliver } from './deliver.ts';
import type { ReceiverWay } from './receiver-way.ts';

export type SenderOptions = {
  readonly way: ReceiverWay;
  readonly secrets: readonly [string, ...string[]];
  /** Headers of every delivery that stay out of its line. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  readonly wrongSecret: string;
  readonly runId: string;
  readonly userAgent: string;
  readonly budgetMs: number;
  readonly clock: Clock;
  readonly stalls: StallMeter;
  readonly signal: AbortSignal;
  /** Called with every delivery when it was answered or given up. */
  readonly onLine: (line: DeliveryLine) => void;
};

/** When and how one delivery is sent. */
export type DeliveryOptions = {
  readonly caseId: string;
  /** The time in the event, Unix time. Deliveries that must have the same bytes have the same time. */
  readonly timestampSeconds: number;
  /** When it should begin; default: now. */
  readonly dueMs?: number;
  readonly agent?: Agent;
  /** The value of the signature, where it is another than the delivery names. */
  readonly signatureValue?: string;
};

export type Sender = {
  /** Sends one delivery; `null` where its signature cannot be made. Never rejects. */
  readonly send: (delivery: Delivery, options: DeliveryOptions) => Promise<DeliveryLine | null>;
  readonly inTurn: (
    deliveries: readonly Delivery[],
    options: DeliveryOptions,
  ) => Promise<readonly DeliveryLine[]>;
  /** In turn and on one connection, for as long as the receiver keeps it. */
  readonly onOneConnection: (
    deliveries: readonly Delivery[],
    options: DeliveryOptions,
  ) => Promise<readonly DeliveryLine[]>;
};

/** How often a delivery is sent again whose connection broke: whoever sends webhooks does so, and networks do break. */
const resendsMax = 3;

/** Whether the connection broke before an answer, where one was due: on the way, unless it happens again. */
function wasReset({ expects, framing }: Delivery, { failure }: DeliveryResult): boolean {
  const isAnswerDue = expects !== 'not-accepted' && expects !== 'anything' && framing !== 'cut-off';
  return isAnswerDue && failure !== null && isBroken(failure);
}

/** Composes deliveries, sends them, and reports the result of each. */
export function openSender(options: SenderOptions): Sender {
  const { way, clock, budgetMs, signal, stalls } = options;
  let begun = 0;
  const send: Sender['send'] = async (
    delivery,
    { caseId, timestampSeconds, dueMs, agent, signatureValue },
  ) => {
    const messageId = messageIdOf({ runId: options.runId, caseId, message: delivery.message });
    const { secrets, wrongSecret, userAgent } = options;
    const facts = {
      host: way.target.host,
      secrets,
      wrongSecret,
      userAgent,
      messageId,
      timestampSeconds,
      signatureValue,
    };
    const request = composeRequest(delivery, facts);
    if (request === null) return null;
    const index = begun;
    begun += 1;
    const { nowMs } = clock;
    const attempt = (): Promise<DeliveryResult> =>
      deliver({
        way,
        request,
        secretHeaders: options.secretHeaders,
        nowMs,
        stalls,
        timeoutMs: budgetMs,
        agent: agent ?? null,
        signal,
      });
    let delivered = await attempt();
    let resets = 0;
    while (resets < resendsMax && wasReset(delivery, delivered)) {
      const again = await attempt();
      // It broke because the receiver is gone.
      if (again.failure !== null && isUnreachable(again.failure)) break;
      delivered = again;
      resets += 1;
    }
    const line: DeliveryLine = {
      kind: 'delivery',
      index,
      case: caseId,
      name: delivery.name,
      messageId,
      headers: request.headers.map(([name, value]): [string, string] => [name, value]),
      body: keptBody(request.body),
      // What is sent again is due when it is sent.
      dueMs: resets > 0 ? delivered.sentMs : (dueMs ?? delivered.sentMs),
      ...delivered,
      ...(resets > 0 && { resets }),
    };
    options.onLine(line);
    return line;
  };
  const inTurn: Sender['inTurn'] = async (deliveries, sending) => {
    const lines: DeliveryLine[] = [];
    for (const delivery of deliveries) {
      if (signal.aborted) break;
      const line = await send(delivery, sending);
      if (line !== null) lines.push(line);
    }
    return lines;
  };
  return {
    send,
    inTurn,
    onOneConnection: async (deliveries, sending) => {
      const agent = way.agent('one-kept');
      try {
        return await inTurn(deliveries, { ...sending, agent });
      } finally {
        agent.destroy();
      }
    },
  };
}

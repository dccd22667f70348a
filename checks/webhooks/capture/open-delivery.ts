import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isSecretName, shownPathOf } from '../../../contract/secret/secret-names.ts';
import { withheld } from '../../../contract/secret/withheld.ts';
import { keptBody } from '../../../contract/webhooks/body.ts';
import { answerBytesMax } from '../../../contract/webhooks/drive/trace.ts';
import { type AnswerKind, type Delivery, deliveryBytesMax } from '../../../contract/webhooks/trace.ts';
import { answerKindOf, type Forwarder, type ForwardResult, fieldsForSender } from './forward.ts';

/** Bytes of a body that are read. A longer body closes its connection. */
const bodyBytesMax = 16 * deliveryBytesMax;

/** Header lines that are kept of one request, or of one answer. */
const headerLinesMax = 100;

const statuses: Readonly<Record<AnswerKind, number>> = {
  ok: 200,
  slow: 200,
  error: 500,
  limited: 429,
  gone: 410,
  none: 0,
};

/** Answered to a sender whose delivery got no answer where it went on to (RFC 9110, section 15.6.3). */
const badGateway = 502;

/** What a receiver does with each delivery. */
export type Handling = {
  /** Where deliveries go on to, whose answers then go back in place of planned ones; `null` where they go nowhere. */
  readonly forwarder: Forwarder | null;
  /** How long a slow answer takes. */
  readonly slowMs: number;
  /** ms since the Unix epoch; must not go back. */
  readonly nowMs: () => number;
  /** Called with each delivery once it was answered, or once it is certain that it will not be. */
  readonly onDelivery: (delivery: Delivery) => void;
};

type OpenParts = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly settings: Handling;
  readonly index: number;
  readonly connection: number;
  /** How it is answered where it does not go on to anywhere. */
  readonly answer: AnswerKind;
  readonly arrivedMs: number;
  readonly onSettled: () => void;
};

/** One delivery from its head to its answer. */
export class OpenDelivery {
  readonly #parts: OpenParts;
  #chunks: Buffer[] = [];
  #keptBytes = 0;
  #bodyBytes = 0;
  #completeMs: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** While it is not known what it is answered where it went on to. */
  #isAwaited = false;
  #forwarded: ForwardResult | null = null;
  #isSettled = false;

  constructor(parts: OpenParts) {
    this.#parts = parts;
    const { request, response } = parts;
    request.on('data', (chunk: Buffer) => this.#keep(chunk));
    request.on('end', () => this.#complete());
    request.on('error', () => this.settle(null));
    // The sender closed the connection before the end of its body, or before the answer.
    response.on('close', () => this.settle(null));
  }

  get socket(): Socket {
    return this.#parts.request.socket;
  }

  /** Reports the delivery, once. */
  settle(answeredMs: number | null): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const { request, settings, index, connection, arrivedMs, onSettled } = this.#parts;
    const forwarded = this.#forwarded;
    onSettled();
    settings.onDelivery({
      kind: 'delivery',
      index,
      connection,
      method: request.method ?? '',
      path: shownPathOf(request.url ?? ''),
      headers: headerLines(request.rawHeaders),
      body: keptBody(Buffer.concat(this.#chunks)),
      bodyBytes: this.#bodyBytes,
      arrivedMs,
      completeMs: this.#completeMs,
      answer: this.#answerGiven(),
      status: answeredMs === null ? null : this.#status(),
      answeredMs,
      ...(forwarded === null ? {} : { forwarded: shownAnswer(forwarded) }),
    });
    this.#chunks = [];
  }

  #answerGiven(): Delivery['answer'] {
    if (this.#forwarded !== null) return answerKindOf(this.#forwarded);
    return this.#isAwaited ? 'none' : this.#parts.answer;
  }

  #status(): number {
    return this.#forwarded === null ? statuses[this.#parts.answer] : (this.#forwarded.status ?? badGateway);
  }

  #keep(chunk: Buffer): void {
    this.#bodyBytes += chunk.length;
    const kept = chunk.subarray(0, deliveryBytesMax - this.#keptBytes);
    if (kept.length > 0) this.#chunks.push(kept);
    this.#keptBytes += kept.length;
    if (this.#bodyBytes > bodyBytesMax) this.#parts.request.destroy();
  }

  #complete(): void {
    const { answer, settings, request } = this.#parts;
    this.#completeMs = settings.nowMs();
    const body = this.#bodyBytes > this.#keptBytes ? null : Buffer.concat(this.#chunks);
    const { method = 'POST', rawHeaders } = request;
    const going = settings.forwarder?.forward({ method, rawHeaders, body }) ?? null;
    if (going !== null) void this.#passBack(going);
    // A delivery that will never be answered is reported at once, so that the trace certainly has it.
    else if (answer === 'none') this.settle(null);
    else if (answer === 'slow') this.#timer = setTimeout(() => this.#answer(), settings.slowMs);
    else this.#answer();
  }

  async #passBack(going: Promise<ForwardResult>): Promise<void> {
    this.#isAwaited = true;
    this.#forwarded = await going;
    const { response, settings } = this.#parts;
    const { body } = this.#forwarded;
    response.once('finish', () => this.settle(settings.nowMs()));
    response.writeHead(this.#status(), fieldsForSender(this.#forwarded)).end(body);
  }

  #answer(): void {
    const { response, answer, settings } = this.#parts;
    response.once('finish', () => this.settle(settings.nowMs()));
    response.writeHead(statuses[answer], { 'content-length': 0 }).end();
  }
}

/** An answer as a trace keeps it: its beginning, as text. */
function shownAnswer({ rawHeaders, body, ...timed }: ForwardResult): NonNullable<Delivery['forwarded']> {
  return {
    ...timed,
    headers: headerLines(rawHeaders),
    answer: body.subarray(0, answerBytesMax).toString('utf8'),
  };
}

/** The raw header lines, without the values of credentials. */
function headerLines(raw: readonly string[]): [string, string][] {
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length && lines.length < headerLinesMax; at += 2) {
    const name = raw[at] ?? '';
    // A proxy may repeat the request's path, with a token in its query.
    lines.push([name, isSecretName(name) ? withheld : shownPathOf(raw[at + 1] ?? '')]);
  }
  return lines;
}

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { endedUnanswered } from '../../../contract/unreachable.ts';
import { eventIn } from '../../../contract/webhooks/body.ts';
import { type Delivery, deliveryBytesMax } from '../../../contract/webhooks/trace.ts';
import { failureText, noAnswerWithin } from '../../failures.ts';

/** A request that has arrived whole; its body is `null` where it was too long to be kept. */
export type RequestToForward = {
  readonly method: string;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer | null;
};

/** What a delivery was answered where it went on to. Times are ms since the Unix epoch. */
export type ForwardResult = {
  readonly sentMs: number;
  readonly receivedMs: number | null;
  readonly status: number | null;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Why there was no answer. */
  readonly failure: string | null;
};

export type Forwarder = {
  /** Sends a delivery on; `null` where it is none of those that go on. Never rejects. */
  readonly forward: (request: RequestToForward) => Promise<ForwardResult> | null;
};

export type ForwarderSettings = {
  readonly target: URL;
  /** Names of the events that go on; `null` for everything that arrives. */
  readonly events: readonly string[] | null;
  /** How long the answer may take, with connecting. */
  readonly budgetMs: number;
  readonly nowMs: () => number;
};

/** Bytes of an answer that go back to the sender. */
const answerBytesMax = deliveryBytesMax;

/** Headers that belong to one connection, or to its framing (RFC 9110, section 7.6.1). */
const ofConnection = new Set(
  'host connection keep-alive content-length transfer-encoding expect upgrade te trailer proxy-connection'.split(
    ' ',
  ),
);

export function isOfConnection(name: string): boolean {
  return ofConnection.has(name.toLowerCase());
}

export function openForwarder(settings: ForwarderSettings): Forwarder {
  const { events, nowMs } = settings;
  return {
    forward: (request) => {
      const { body } = request;
      if (events !== null && (body === null || !events.includes(eventIn(body.toString('utf8'))?.event ?? '')))
        return null;
      if (body !== null) return sendOn({ ...request, body }, settings);
      const failure = `not sent on: the body is longer than ${deliveryBytesMax} bytes`;
      return Promise.resolve({ ...unanswered, sentMs: nowMs(), failure });
    },
  };
}

/** Node's client takes any three digits, its server sends none of these (RFC 9110, section 15). */
const leastStatus = 200;

const unanswered = { receivedMs: null, status: null, rawHeaders: [], body: Buffer.alloc(0) };

/** The same method, header lines and bytes, but for what belongs to the connection. No retries, no redirects. */
function sendOn(
  { method, rawHeaders, body }: RequestToForward & { readonly body: Buffer },
  { target, budgetMs, nowMs }: ForwarderSettings,
): Promise<ForwardResult> {
  const begun = { ...unanswered, sentMs: nowMs() };
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  const length = isChunked(rawHeaders)
    ? ['Transfer-Encoding', 'chunked']
    : ['Content-Length', `${body.length}`];
  const headers = ['Host', target.host, ...withoutConnection(rawHeaders), ...length];
  return new Promise((resolve) => {
    const request = send(target, { method, headers, agent: false });
    const end = (outcome: ForwardResult): void => {
      clearTimeout(timer);
      resolve(outcome);
      request.destroy();
    };
    const timer = setTimeout(() => end({ ...begun, failure: noAnswerWithin(budgetMs) }), budgetMs);
    request.on('error', (error) => end({ ...begun, failure: failureText(error, 'receiver') }));
    request.on('close', () => end({ ...begun, failure: endedUnanswered }));
    request.on('response', (response) => {
      const { statusCode = 0, rawHeaders: fields } = response;
      if (statusCode < leastStatus) {
        end({ ...begun, failure: `answered with the status ${statusCode}, which is none of an answer` });
        return;
      }
      const head = { ...begun, receivedMs: nowMs(), status: statusCode, rawHeaders: fields, failure: null };
      const chunks: Buffer[] = [];
      let bytes = 0;
      const answered = (): void => end({ ...head, body: Buffer.concat(chunks).subarray(0, answerBytesMax) });
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= answerBytesMax) answered();
      });
      for (const event of ['end', 'close', 'error']) response.on(event, answered);
    });
    request.end(body);
  });
}

/** A later answer than this is a slow one: no time-out of a sender is shorter. */
const atOnceMsMax = 1_000;

/** What the judges call an answer. */
export function answerKindOf({ status, sentMs, receivedMs }: ForwardResult): Delivery['answer'] {
  if (status === null || receivedMs === null) return 'other';
  if (status === 500) return 'error';
  if (status === 429) return 'limited';
  if (status === 410) return 'gone';
  if (status < 200 || status > 299) return 'other';
  return receivedMs - sentMs <= atOnceMsMax ? 'ok' : 'slow';
}

/** Header lines of the answer that the sender gets. */
export function fieldsForSender({ status, rawHeaders, body }: ForwardResult): string[] {
  const length = status === 204 || status === 304 ? [] : ['Content-Length', `${body.length}`];
  return [...withoutConnection(rawHeaders), ...length];
}

/** Without what belongs to the connection, also by its own word: the lines that `Connection` names. */
function withoutConnection(raw: readonly string[]): readonly string[] {
  const named = new Set(
    raw.flatMap((name, at) =>
      at % 2 === 0 && /^connection$/i.test(name)
        ? (raw[at + 1] ?? '').split(',').map((one) => one.trim().toLowerCase())
        : [],
    ),
  );
  return raw.filter((_, at) => {
    const name = raw[at - (at % 2)] ?? '';
    return !isOfConnection(name) && !named.has(name.toLowerCase());
  });
}

function isChunked(raw: readonly string[]): boolean {
  return raw.some(
    (name, at) => at % 2 === 0 && /^transfer-encoding$/i.test(name) && /chunked/i.test(raw[at + 1] ?? ''),
  );
}

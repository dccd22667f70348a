import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { endedUnanswered, interrupted } from '../../../contract/unreachable.ts';
import { answerBytesMax } from '../../../contract/webhooks/drive/trace.ts';
import { failureText, noAnswerWithin } from '../../failures.ts';
import { runningTimer, type StallMeter } from '../../stalls.ts';
import type { WebhookRequest } from './compose-request.ts';
import type { ReceiverWay } from './receiver-way.ts';

/** The result of one request; times in ms by the given clock. */
export type DeliveryResult = {
  readonly sentMs: number;
  readonly receivedMs: number | null;
  readonly status: number | null;
  readonly answer: string | null;
  readonly failure: string | null;
  /** How long this process was stalled meanwhile. */
  readonly stalledMs: number;
};

export type DeliverOptions = {
  readonly way: ReceiverWay;
  readonly request: WebhookRequest;
  /** Headers beside those of the request. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly nowMs: () => number;
  readonly stalls: StallMeter;
  /** How long the answer may take, stalls of this process excluded. After that the connection is closed. */
  readonly timeoutMs: number;
  /** Keeps connections for further requests; `null` opens one for each request. */
  readonly agent: Agent | null;
  readonly signal: AbortSignal;
};

/** How long to wait for an answer to a request that was broken off, ms. */
const brokenOffMs = 500;

/** A longer answer is not read: its connection is closed, so that it cannot fill the memory. */
const answerBytesReadMax = 65_536;

/**
 * Sends one request with node:http, which writes headers as they are given, in any spelling and number. No redirects,
 * no retries. Never rejects.
 */
export function deliver(options: DeliverOptions): Promise<DeliveryResult> {
  const { nowMs, signal, stalls } = options;
  const begun: DeliveryResult = { ...nothingYet, sentMs: nowMs() };
  const stalledBeforeMs = stalls.stalledMs();
  const stalledMs = (): number => stalls.stalledMs() - stalledBeforeMs;
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ ...begun, failure: interrupted });
    const request = open(options);
    const isCutOff = options.request.framing === 'cut-off';
    const timeoutMs = isCutOff ? Math.min(options.timeoutMs, brokenOffMs) : options.timeoutMs;
    let answered: { readonly head: DeliveryResult; readonly read: () => string } | null = null;
    const end = (failure: string | null): void => {
      stopTimer();
      signal.removeEventListener('abort', onAbort);
      if (answered === null) resolve({ ...begun, failure, stalledMs: stalledMs() });
      else resolve({ ...answered.head, answer: answered.read() });
    };
    const giveUp = (why: string): void => {
      end(why);
      request.destroy();
    };
    const onAbort = (): void => giveUp(interrupted);
    const stopTimer = runningTimer({
      timeoutMs,
      stalledMs,
      onEnd: () => giveUp(noAnswer(isCutOff, timeoutMs)),
    });
    signal.addEventListener('abort', onAbort, { once: true });
    request.on('error', (error) => end(failureText(error, 'receiver')));
    request.on('close', () => end(endedUnanswered));
    request.on('response', (response) => {
      const status = response.statusCode ?? null;
      const head = { ...begun, receivedMs: nowMs(), status, stalledMs: stalledMs() };
      answered = { head, read: readAnswer(response, request) };
      for (const event of ['end', 'close', 'error']) response.on(event, () => end(null));
    });
    void writeRequest(request, options.request);
  });
}

const nothingYet = { sentMs: 0, receivedMs: null, status: null, answer: null, failure: null, stalledMs: 0 };

function noAnswer(isCutOff: boolean, timeoutMs: number): string {
  return isCutOff ? 'no answer to the request, which was broken off on purpose' : noAnswerWithin(timeoutMs);
}

function open({ way, request, agent, secretHeaders = {} }: DeliverOptions): ClientRequest {
  const { target, onWire } = way;
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  const wire = onWire({ method: 'POST', path: `${target.pathname}${target.search}`, headers: {} });
  const forProxy = Object.entries(wire.headers as Readonly<Record<string, string>>);
  const headers = [...request.headers, ...Object.entries(secretHeaders), ...forProxy];
  return send(target, {
    method: 'POST',
    path: wire.path,
    // Node also takes pairs, but its types allow the flat form alone.
    headers: headers.flat(),
    agent: agent ?? way.agent('one-each'),
  });
}

/** Reads an answer. Returns a function that gives the text read so far. */
function readAnswer(response: IncomingMessage, request: ClientRequest): () => string {
  const kept: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    if (bytes < answerBytesMax) kept.push(chunk);
    bytes += chunk.length;
    if (bytes > answerBytesReadMax) request.destroy();
  });
  return () => Buffer.concat(kept).subarray(0, answerBytesMax).toString('utf8');
}

/** Chunks that a body is sent in, at most. */
const chunksMax = 8;

/** Writes a body as its framing says: whole, in chunks that split a character, or only half of it. */
async function writeRequest(request: ClientRequest, { body, framing }: WebhookRequest): Promise<void> {
  switch (framing) {
    case 'content-length':
      request.end(body);
      return;
    case 'chunked':
      for (const chunk of chunksOf(body)) {
        request.write(chunk);
        // So each chunk is sent by itself.
        await nextTurn();
      }
      request.end();
      return;
    case 'cut-off':
      request.write(body.subarray(0, Math.floor(body.length / 2)), () => request.socket?.end());
      return;
    default:
      framing satisfies never;
  }
}

/** Pieces of a body. The first cut splits a character of several bytes, if there is one. */
function chunksOf(body: Buffer): readonly Buffer[] {
  const within = body.findIndex((byte) => (byte & 0xc0) === 0x80);
  const first = within === -1 ? 1 : within;
  const size = Math.max(1, Math.ceil((body.length - first) / (chunksMax - 1)));
  const rest = body.subarray(first);
  const count = Math.ceil(rest.length / size);
  return [
    body.subarray(0, first),
    ...Array.from({ length: count }, (_, at) => rest.subarray(at * size, (at + 1) * size)),
  ];
}

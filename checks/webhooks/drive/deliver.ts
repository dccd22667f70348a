import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerBytesMax } from '../../../contract/webhooks/drive/trace.ts';
import { endedUnanswered, failureText, interrupted, noAnswerWithin } from '../../failures.ts';
import type { WebhookRequest } from './compose-request.ts';
import { runningTimer, type StallMeter } from './stalls.ts';

/** What became of one request; times in ms by the clock that was given. */
export type Delivered = {
  readonly sentMs: number;
  readonly receivedMs: number | null;
  readonly status: number | null;
  readonly answer: string | null;
  readonly failure: string | null;
  /** How long this process did not come to run meanwhile. */
  readonly stalledMs: number;
};

export type DeliverOptions = {
  readonly target: URL;
  readonly request: WebhookRequest;
  readonly nowMs: () => number;
  readonly stalls: StallMeter;
  /** How long the answer may take while this process runs; then the connection is given up. */
  readonly timeoutMs: number;
  /** Keeps connections for another request; without it each has its own. */
  readonly agent: Agent | null;
  readonly signal: AbortSignal;
};

/** How long a request that was broken off is listened to, ms. */
const brokenOffMs = 500;

/** Answers that are longer cost their connection, not our memory. */
const answerBytesReadMax = 65_536;

/**
 * Sends one request with node:http, which writes headers as they are given: any spelling, any number. No redirects, no
 * retries. Never rejects.
 */
export function deliver(options: DeliverOptions): Promise<Delivered> {
  const { nowMs, signal, stalls } = options;
  const begun: Delivered = { ...nothingYet, sentMs: nowMs() };
  const stalledBeforeMs = stalls.stalledMs();
  const stalledMs = (): number => stalls.stalledMs() - stalledBeforeMs;
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ ...begun, failure: interrupted });
    const request = open(options);
    const isCutOff = options.request.framing === 'cut-off';
    const timeoutMs = isCutOff ? Math.min(options.timeoutMs, brokenOffMs) : options.timeoutMs;
    let answered: { readonly head: Delivered; readonly read: () => string } | null = null;
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
    request.on('error', (error) => end(failureText(error)));
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
  return isCutOff ? 'none to a request that was broken off' : noAnswerWithin(timeoutMs);
}

function open({ target, request, agent }: DeliverOptions): ClientRequest {
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = request.headers.map(([name, value]): [string, string] => [name, value]);
  return send(target, {
    method: 'POST',
    // Node takes pairs as they are; its types know the flat form alone.
    headers: headers.flat(),
    agent: agent ?? false,
  });
}

/** Reads an answer, or as much as is wanted; gives what there is of it so far. */
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

/** Writes a body as its framing says: whole, in chunks that break a character, or half of it and no more. */
async function writeRequest(request: ClientRequest, { body, framing }: WebhookRequest): Promise<void> {
  switch (framing) {
    case 'content-length':
      request.end(body);
      return;
    case 'chunked':
      for (const chunk of chunksOf(body)) {
        request.write(chunk);
        // Each goes to the connection by itself.
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

/** Pieces of a body; the first cut goes through a character of several bytes where there is one. */
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

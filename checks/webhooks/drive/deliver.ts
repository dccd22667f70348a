import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerBytesMax } from '../../../contract/webhooks/drive/trace.ts';
import { failureText } from '../../failures.ts';
import type { WebhookRequest } from './compose-request.ts';
import type { StallMeter } from './stall-meter.ts';

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

/** Chunks that a body is sent in, at most. */
const chunksMax = 8;

/** How often a time-out is put off for what this process did not run; on a machine that never comes to rest it ends. */
const grantsMax = 10;

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
    let answered: Delivered | null = null;
    const end = (failure: string | null): void => {
      stopTimer();
      signal.removeEventListener('abort', onAbort);
      resolve(answered ?? { ...begun, failure, stalledMs: stalledMs() });
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
    request.on('close', () => end('the connection ended without an answer'));
    request.on('response', (response) => {
      const status = response.statusCode ?? null;
      answered = { ...begun, receivedMs: nowMs(), status, stalledMs: stalledMs() };
      readAnswer(response, request, (answer) => {
        answered = answered === null ? null : { ...answered, answer };
        end(null);
      });
    });
    void write(request, options.request);
  });
}

const interrupted = 'the run was interrupted';

const nothingYet = { sentMs: 0, receivedMs: null, status: null, answer: null, failure: null, stalledMs: 0 };

type RunningTimer = {
  readonly timeoutMs: number;
  /** Since the timer was started. */
  readonly stalledMs: () => number;
  readonly onEnd: () => void;
};

/** After a stall a timer fires before what has arrived is read: so much longer is waited, a few times at most. */
function runningTimer({ timeoutMs, stalledMs, onEnd }: RunningTimer): () => void {
  let grantedMs = 0;
  let grants = 0;
  let timer = setTimeout(onTime, timeoutMs);
  function onTime(): void {
    const owedMs = stalledMs() - grantedMs;
    if (owedMs <= 0 || grants >= grantsMax) {
      onEnd();
      return;
    }
    grantedMs += owedMs;
    grants += 1;
    timer = setTimeout(onTime, owedMs);
  }
  return () => clearTimeout(timer);
}

function noAnswer(isCutOff: boolean, timeoutMs: number): string {
  return isCutOff ? 'none to a request that was broken off' : `no answer within ${timeoutMs / 1_000} s`;
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

async function write(request: ClientRequest, { body, framing }: WebhookRequest): Promise<void> {
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

/** Reads an answer to its end, or as much as is wanted; an end that never comes is bounded by the request's timer. */
function readAnswer(response: IncomingMessage, request: ClientRequest, done: (answer: string) => void): void {
  const kept: Buffer[] = [];
  let bytes = 0;
  const end = (): void => done(Buffer.concat(kept).subarray(0, answerBytesMax).toString('utf8'));
  response.on('data', (chunk: Buffer) => {
    if (bytes < answerBytesMax) kept.push(chunk);
    bytes += chunk.length;
    if (bytes > answerBytesReadMax) request.destroy();
  });
  response.on('end', end);
  response.on('close', end);
  response.on('error', end);
}

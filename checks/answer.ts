import type { Dispatcher, Pool } from 'undici';
import type { BodyState } from '../contract/outcome.ts';
import { endedUnanswered, interrupted } from '../contract/unreachable.ts';
import { type AnswerBody, type KeptBodies, openBody } from './answer-body.ts';
import { bothClocks, type Clock } from './clock.ts';
import { failureText, noAnswerWithin, noConnectionWithin } from './failures.ts';
import { runningTimer, type StallMeter } from './stalls.ts';
import type { Volley } from './volley.ts';

/** The result of one request: its times, and the answer if there was one. */
export type Answer = {
  sentMs: number;
  wallSentMs: number;
  receivedMs: number | null;
  wallReceivedMs: number | null;
  status: number | null;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  body: string;
  bodyState: BodyState;
  failure: string | null;
};

export type ExchangeOptions = {
  readonly pool: Pool;
  readonly dispatch: Dispatcher.DispatchOptions;
  readonly clock: Clock;
  readonly stalls: StallMeter;
  /** Stalls of this process excluded: an answer that waits to be read is not late. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly kept: KeptBodies;
  /** What it leaves together with; `null` where it leaves at once. */
  readonly volley: Volley | null;
};

/**
 * How long a request may wait until a connection is free, in time-outs: a slow network answers a burst in several rounds,
 * and what waits for the last of them has not been kept waiting by the service.
 */
const queueTimeouts = 3;

/**
 * One request on one connection. `sentMs` is read when the request leaves on a connection, not when it is queued;
 * `receivedMs` when the head of the answer is there. That is the closest interval that certainly contains the service's
 * decision. Never rejects. An answer after the time-out does not count.
 */
export function exchangeOnce({
  pool,
  dispatch,
  clock,
  stalls,
  timeoutMs,
  signal,
  kept,
  volley,
}: ExchangeOptions): Promise<Answer> {
  const answer = unanswered(clock);
  const timed = (forMs: number, onEnd: () => void): (() => void) => {
    const beforeMs = stalls.stalledMs();
    return runningTimer({ timeoutMs: forMs, stalledMs: () => stalls.stalledMs() - beforeMs, onEnd });
  };
  return new Promise((resolve) => {
    let control: Dispatcher.DispatchController | null = null;
    let body: AnswerBody | null = null;
    let isOver = false;
    const leaves = (): void => {
      const sent = bothClocks(clock);
      answer.sentMs = sent.monotonicMs;
      answer.wallSentMs = sent.wallMs;
    };
    const end = (failure: string | null): void => {
      isOver = true;
      stopTimer();
      signal.removeEventListener('abort', abort);
      if (answer.status === null) answer.failure = failure ?? endedUnanswered;
      // What the request is given up for after its head had come is the body's failure.
      resolve({ ...answer, ...body?.ended(failure) });
      body = null;
    };
    const giveUp = (why: string): void => {
      end(why);
      control?.abort(new Error(why));
    };
    const abort = (): void => giveUp(interrupted);
    const queueMs = queueTimeouts * timeoutMs;
    let stopTimer = timed(queueMs, () => giveUp(noConnectionWithin(queueMs)));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    pool.dispatch(dispatch, {
      onRequestStart: (controller) => {
        // A request that waited for a connection until it was given up never leaves.
        if (isOver) return controller.abort(new Error(interrupted));
        control = controller;
        stopTimer();
        stopTimer = timed(timeoutMs, () => giveUp(noAnswerWithin(timeoutMs)));
        leaves();
        volley?.starts(leaves);
      },
      onResponseStart: (_controller, status, headers) => {
        if (status < 200) return;
        const received = bothClocks(clock);
        answer.receivedMs = received.monotonicMs;
        answer.wallReceivedMs = received.wallMs;
        answer.status = status;
        answer.headers = headers;
        body = openBody(headers, kept);
      },
      onResponseData: (controller, chunk) => {
        if (body?.read(chunk) === 'too-long') controller.abort(new Error('the body is too long'));
      },
      onResponseEnd: () => end(null),
      onResponseError: (_controller, error) => end(failureText(error)),
    });
  });
}

function unanswered(clock: Clock): Answer {
  const { monotonicMs, wallMs } = bothClocks(clock);
  return {
    sentMs: monotonicMs,
    wallSentMs: wallMs,
    receivedMs: null,
    wallReceivedMs: null,
    status: null,
    headers: {},
    body: '',
    bodyState: 'whole',
    failure: null,
  };
}

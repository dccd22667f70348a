import type { Dispatcher, Pool } from 'undici';
import { bodyCharactersMax } from '../contract/outcome.ts';
import type { Clock } from './clock.ts';
import { endedUnanswered, failureText, interrupted, noAnswerWithin } from './failures.ts';

/** The result of one request: its times, and the answer if there was one. */
export type Answer = {
  sentMs: number;
  wallSentMs: number;
  receivedMs: number | null;
  wallReceivedMs: number | null;
  status: number | null;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  body: string;
  failure: string | null;
};

export type ExchangeOptions = {
  readonly pool: Pool;
  readonly dispatch: Dispatcher.DispatchOptions;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/** A body longer than this is not read: its connection is closed, so that it cannot fill the memory. */
const bodyBytesMax = 1_048_576;

/**
 * One request on one connection. `sentMs` is read when the request is handed to a connection, not when it is queued;
 * `receivedMs` when the head of the answer is there. That is the closest interval that certainly contains the service's
 * decision. Never rejects. An answer after the time-out does not count.
 */
export function exchangeOnce({ pool, dispatch, clock, timeoutMs, signal }: ExchangeOptions): Promise<Answer> {
  const answer = unanswered(clock);
  return new Promise((resolve) => {
    let control: Dispatcher.DispatchController | null = null;
    let bytesLeft = bodyBytesMax;
    const end = (failure: string | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      if (answer.status === null) answer.failure = failure ?? endedUnanswered;
      resolve({ ...answer });
    };
    const giveUp = (why: string): void => {
      end(why);
      control?.abort(new Error(why));
    };
    const abort = (): void => giveUp(interrupted);
    const timer = setTimeout(() => giveUp(noAnswerWithin(timeoutMs)), timeoutMs);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    pool.dispatch(dispatch, {
      onRequestStart: (controller) => {
        control = controller;
        answer.sentMs = clock.nowMs();
        answer.wallSentMs = clock.wallMs();
      },
      onResponseStart: (_controller, status, headers) => {
        if (status < 200) return;
        answer.receivedMs = clock.nowMs();
        answer.wallReceivedMs = clock.wallMs();
        answer.status = status;
        answer.headers = headers;
      },
      onResponseData: (controller, chunk) => {
        if (answer.body.length < bodyCharactersMax) {
          answer.body = (answer.body + chunk.toString('utf8')).slice(0, bodyCharactersMax);
        }
        bytesLeft -= chunk.length;
        if (bytesLeft < 0) controller.abort(new Error('the body is too long'));
      },
      onResponseEnd: () => end(null),
      onResponseError: (_controller, error) => end(failureText(error)),
    });
  });
}

function unanswered(clock: Clock): Answer {
  return {
    sentMs: clock.nowMs(),
    wallSentMs: clock.wallMs(),
    receivedMs: null,
    wallReceivedMs: null,
    status: null,
    headers: {},
    body: '',
    failure: null,
  };
}

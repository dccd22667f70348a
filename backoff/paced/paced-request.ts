import type { Dispatcher } from 'undici';
import { howMany } from '../../contract/quantities.ts';
import { asError } from '../../contract/thrown.ts';
import type { SentByAll } from '../pacer/pacers.ts';
import type { Queue, QueueClock } from '../pacer/queue.ts';
import { type Account, createAccount } from './account.ts';
import { readBody } from './body.ts';
import { type CollectedRefusal, refusalBodyMsMax, refusalBytesMax } from './collected-refusal.ts';
import { type Ending, saysEnded } from './ending.ts';
import { createFlight, type Flight, fail } from './flight.ts';
import type { Moment } from './headers.ts';
import type { PacedSettings } from './options.ts';
import { StableController } from './stable-controller.ts';

/**
 * Too many requests wait already; nothing was sent.
 * @public
 */
export class PacedQueueFullError extends Error {
  override readonly name = 'PacedQueueFullError';
  readonly code = 'PACED_QUEUE_FULL';
}

export type PacedRequest = {
  readonly dispatch: Dispatcher.Dispatch;
  readonly options: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
  readonly queue: Queue;
  /** Of the dispatcher that took it. */
  readonly ending: Ending;
  /** How many places it takes. */
  readonly cost: number;
  readonly settings: PacedSettings;
  readonly scope: string;
  readonly clock: QueueClock;
  readonly moment: () => Moment;
  readonly random: () => number;
};

/** Takes a request into its queue, and sees it through until it has an answer for its caller. */
export function startPaced(request: PacedRequest): void {
  const { handler, queue, cost, options, settings, ending } = request;
  const flight = createFlight(request);
  const { controller } = flight;
  handler.onRequestStart?.(controller, flight.context);
  if (controller.aborted) return;
  ending.taken(flight);
  flight.ticket = queue.enter((sent) => {
    flight.place = sent;
    void send(request, flight, sent);
  }, cost);
  if (flight.ticket !== null) return;
  const { queueMax } = settings;
  const waiting = `${howMany(queueMax, 'request')} of the scope ${request.scope} ${queueMax === 1 ? 'waits' : 'wait'}`;
  controller.abort(
    new PacedQueueFullError(
      `${waiting} already, and ${options.method} ` +
        `${options.path} was not sent: wait for room() before sending more, or raise queueMax.`,
    ),
  );
}

/** Fails a request of which nothing is sent; `false`, as undici's dispatchers say it. */
export function refuse(handler: Dispatcher.DispatchHandler, error: Error): false {
  const controller = new StableController((reason) =>
    queueMicrotask(() => handler.onResponseError?.(controller, reason)),
  );
  handler.onRequestStart?.(controller, {});
  controller.abort(error);
  return false;
}

/** The queue has a place for this request. */
async function send(request: PacedRequest, flight: Flight, sent: SentByAll): Promise<void> {
  const { dispatch, options, handler, queue, settings } = request;
  flight.isPreparing = true;
  let unreadable: unknown = null;
  try {
    flight.reading ??= readBody(options.body, settings.replayBytesMax);
    flight.body = await flight.reading.prepared;
  } catch (error) {
    unreadable = error;
  }
  // An abort meanwhile has given the place back already.
  if (!flight.isPreparing) return;
  flight.isPreparing = false;
  if (flight.body === null) {
    queue.withdrawn(sent);
    fail(flight, handler, asError(unreadable));
    return;
  }
  flight.attempts += 1;
  const { body = null } = flight.body;
  const account = createAccount(request, sent);
  try {
    dispatch({ ...options, body }, createAttempt(request, flight, account));
  } catch (error) {
    // The caller knows already how it ended: this is a fault of its handler, or of the dispatcher, and no secret.
    if (flight.isOver) throw error;
    broke(flight, account, asError(error));
    fail(flight, handler, asError(error));
  }
}

/** The dispatcher threw: where it had begun, the request may have been sent. */
function broke({ controller }: Flight, account: Account, error: Error): void {
  if (controller.target === null) account.withdrawn();
  else account.counted(null);
  controller.abort(error);
}

/** One sending of a request, as undici reports on it. */
function createAttempt(request: PacedRequest, flight: Flight, account: Account): Dispatcher.DispatchHandler {
  const { handler, settings, clock } = request;
  const { controller } = flight;
  let refusal: CollectedRefusal | null = null;
  let connection: Dispatcher.DispatchController | null = null;
  let bodyTimer: ReturnType<QueueClock['at']> | null = null;
  /** Whether the request has gone on without the rest of this answer. */
  let isLeft = false;

  /** What a 429 that is not waited for is to its caller: an answer like any other. */
  const passOn = ({ status, headers, message, chunks }: CollectedRefusal): void => {
    refusal = null;
    bodyTimer?.cancel();
    handler.onResponseStart?.(controller, status, headers, message);
    for (const chunk of chunks) handler.onResponseData?.(controller, chunk);
  };
  const onBodyLate = (): void => {
    if (refusal === null) return;
    const toldMs = account.refused({ ...refusal, chunks: [] });
    isLeft = goesAgain(request, flight, toldMs);
    if (isLeft) connection?.abort(new Error('the body of a refusal did not end'));
    else passOn(refusal);
  };
  return {
    onRequestStart(target, context: unknown) {
      connection = target;
      controller.target = target;
      if (typeof context === 'object') Object.assign(flight.context, context);
      if (controller.reason !== null) target.abort(controller.reason);
    },
    onRequestUpgrade(_target, status, headers, socket) {
      account.counted(headers);
      flight.over();
      handler.onRequestUpgrade?.(controller, status, headers, socket);
    },
    onResponseStarted: () => handler.onResponseStarted?.(),
    onBodySent: (chunk) => handler.onBodySent?.(chunk),
    onRequestSent: () => handler.onRequestSent?.(),
    onResponseStart(_target, status, headers, message) {
      if (settings.limitedStatuses.includes(status)) {
        refusal = { status, headers, message, chunks: [], bytes: 0 };
        bodyTimer = clock.at(clock.nowMs() + refusalBodyMsMax, onBodyLate);
        return;
      }
      if (status >= 200) account.counted(headers);
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData(_target, chunk) {
      if (refusal === null) {
        handler.onResponseData?.(controller, chunk);
        return;
      }
      refusal.chunks.push(chunk);
      refusal.bytes += chunk.length;
      if (refusal.bytes <= refusalBytesMax) return;
      account.refused({ ...refusal, chunks: [] });
      passOn(refusal);
    },
    onResponseEnd(_target, trailers) {
      bodyTimer?.cancel();
      if (isLeft) return;
      if (refusal !== null) {
        const toldMs = account.refused(refusal);
        if (goesAgain(request, flight, toldMs)) return;
        passOn(refusal);
      }
      flight.over();
      handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError(_target, error) {
      bodyTimer?.cancel();
      if (isLeft) return;
      if (saysEnded(error) && connection === null) account.withdrawn();
      else if (refusal === null) account.counted(null);
      else account.refused({ ...refusal, chunks: [] });
      fail(flight, handler, error);
    },
  };
}

/** A rejected request had no effect, whatever its method: it goes back to its place in the queue, if it can be sent again. */
function goesAgain({ queue, settings }: PacedRequest, flight: Flight, toldMs: number | null): boolean {
  const { ticket, attempts, body, controller } = flight;
  if (ticket === null || controller.aborted || body?.replayable !== true) return false;
  if (attempts >= settings.attemptsMax || (toldMs ?? 0) > settings.waitMsMax) return false;
  controller.target = null;
  queue.again(ticket);
  return true;
}

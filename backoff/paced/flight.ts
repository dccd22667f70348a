import type { Dispatcher } from 'undici';
import type { SentByAll } from '../pacer/pacers.ts';
import type { Queue, Ticket } from '../pacer/queue.ts';
import type { BodyReading, PreparedBody } from './body.ts';
import type { Ending, OpenRequest } from './ending.ts';
import { StableController } from './stable-controller.ts';

/** What is known of one request between its start and its answer. */
export type Flight = OpenRequest & {
  readonly controller: StableController;
  /** Handed to the caller at the start, filled by undici later. */
  readonly context: object;
  ticket: Ticket | null;
  /** What it was let go with last. */
  place: SentByAll | null;
  attempts: number;
  /** Whether it has a place, and its body is being read. */
  isPreparing: boolean;
  /** How its body is read; `null` before it had a place. */
  reading: BodyReading | null;
  /** The body as it can be sent again; `null` before it was first sent. */
  body: PreparedBody | null;
  /** Whether the caller has been told how it ended. */
  isOver: boolean;
  /** The caller is told now; `false` where that was before. */
  over(): boolean;
};

/** Of a request, what its end concerns. */
type Flown = {
  readonly handler: Dispatcher.DispatchHandler;
  readonly queue: Queue;
  readonly ending: Ending;
};

export function createFlight({ handler, queue, ending }: Flown): Flight {
  const controller = new StableController((reason, target) => {
    if (flight.ticket !== null) queue.leave(flight.ticket);
    if (flight.isPreparing && flight.place !== null) {
      flight.isPreparing = false;
      queue.withdrawn(flight.place);
    }
    // On its way: undici ends it, and says so to the handler of the attempt.
    if (target !== null) target.abort(reason);
    else queueMicrotask(() => fail(flight, handler, reason));
  });
  const flight: Flight = {
    giveUp(reason) {
      if (controller.target === null) controller.abort(reason);
    },
    over() {
      if (flight.isOver) return false;
      flight.isOver = true;
      ending.over(flight);
      return true;
    },
    controller,
    context: {},
    ticket: null,
    place: null,
    attempts: 0,
    isPreparing: false,
    reading: null,
    body: null,
    isOver: false,
  };
  return flight;
}

/** Tells the caller once that nothing comes of its request. */
export function fail(flight: Flight, handler: Dispatcher.DispatchHandler, error: Error): void {
  if (!flight.over()) return;
  flight.reading?.giveUp(error);
  handler.onResponseError?.(flight.controller, error);
}

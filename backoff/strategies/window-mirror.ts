import { windowMsAtMost } from '../../contract/bounds.ts';
import { type Answer, type Sharers, type Strategy, toldMs } from '../strategy.ts';

/** The limit that is mirrored, and who shares it. */
export type Mirrored = {
  readonly limit: number;
  readonly windowMs: number;
  /** `key`: all processes keep one mirror; `process`: each keeps its share of the limit. */
  readonly sharedBy: 'process' | 'key';
};

/**
 * The process' own log of the window. Requests take tickets in the order in which they ask; ticket `t` goes where
 * ticket `t − places` went before it, once that place is free again. So all are served in turn.
 */
export type WindowMirror = {
  readonly places: number;
  readonly processes: number;
  /** By place: the ticket that holds it, when it is free again at the earliest, and whether its answer is awaited. */
  readonly holder: Int32Array;
  readonly freeMs: Float64Array;
  readonly awaited: Uint8Array;
  /** By client: the ticket that it holds; -1 where it holds none. */
  readonly ticketOf: Int32Array;
  tickets: number;
  /** The last ticket that was sent for the first time. */
  sent: number;
  inFlight: number;
  /** Nothing is sent before: a 429 said so. */
  shutUntilMs: number;
  /** Until then others' requests may be in the window, of which nothing is known but what answers tell. */
  strangersUntilMs: number;
  /** How many more may be sent although strangers are there, by the last `Remaining`. */
  credit: number;
  pacedMs: number;
};

/**
 * Keeps the service's window in mirror image: a place is free again a window after the *response* to the request
 * that took it, for the service decided before it answered. Nothing is sent without a free place, so that nothing is
 * refused, and no place stands empty for longer than an answer takes.
 *
 * It cannot know what was sent before it began, or by others. So the first request goes alone. Where its answer, or
 * any 429, shows strangers in the window, requests follow what `Remaining` allows or, where that is 0 or missing, are
 * spaced evenly for one window: by then everything in it is known.
 */
export function windowMirror({ limit, windowMs, sharedBy }: Mirrored): Strategy<WindowMirror> {
  const heldMs = windowMsAtMost(windowMs);
  return {
    name: sharedBy === 'key' ? 'window mirror' : 'window mirror, a share each',
    sharedBy,
    gates: true,
    heedsRetryAfter: true,
    start: (sharers) =>
      emptyMirror(limit, sharedBy === 'key' ? { ...sharers, process: 0, processes: 1 } : sharers),
    next(mirror, answer) {
      if (answer.kind === 'ready') return [waitForPlaceMs(mirror, answer, heldMs), mirror];
      const place = placeOf(mirror, answer.client);
      mirror.inFlight -= 1;
      mirror.awaited[place] = 0;
      if (answer.kind === 'admitted') {
        mirror.freeMs[place] = answer.nowMs + heldMs;
        mirror.ticketOf[answer.client] = -1;
        learnFromAdmission(mirror, answer, heldMs);
        return [0, mirror];
      }
      // What was lost may have been counted: its place is taken, and the job asks for another.
      if (answer.kind === 'lost') {
        mirror.freeMs[place] = answer.nowMs + heldMs;
        mirror.ticketOf[answer.client] = -1;
        return [0, mirror];
      }
      const waitMs = toldMs(answer);
      mirror.freeMs[place] = answer.nowMs + waitMs;
      mirror.shutUntilMs = Math.max(mirror.shutUntilMs, answer.nowMs + waitMs);
      mirror.strangersUntilMs = mirror.shutUntilMs + heldMs;
      mirror.credit = 0;
      return [waitMs, mirror];
    },
  };
}

function emptyMirror(limit: number, { process, processes, clients }: Sharers): WindowMirror {
  const places = Math.max(1, Math.floor(limit / processes) + (process < limit % processes ? 1 : 0));
  return {
    places,
    processes,
    // Ticket 0 follows ticket -places, which went into its place before anything began.
    holder: Int32Array.from({ length: places }, (_, place) => place - places),
    freeMs: new Float64Array(places).fill(Number.NEGATIVE_INFINITY),
    awaited: new Uint8Array(places),
    ticketOf: new Int32Array(clients).fill(-1),
    tickets: 0,
    sent: -1,
    inFlight: 0,
    shutUntilMs: Number.NEGATIVE_INFINITY,
    strangersUntilMs: Number.POSITIVE_INFINITY,
    credit: 1,
    pacedMs: Number.NEGATIVE_INFINITY,
  };
}

/** 0 where the client may send now, and is taken to do so. */
function waitForPlaceMs(mirror: WindowMirror, { client, nowMs }: Answer, heldMs: number): number {
  if ((mirror.ticketOf[client] ?? -1) === -1) {
    mirror.ticketOf[client] = mirror.tickets;
    mirror.tickets += 1;
  }
  const ticket = mirror.ticketOf[client] ?? 0;
  const place = ticket % mirror.places;
  const readyMs = Math.max(placeFreeMs(mirror, ticket, heldMs), mirror.shutUntilMs);
  if (readyMs > nowMs) return readyMs - nowMs;
  // The answer that frees the place is late: asked again in a while.
  if (mirror.awaited[place] === 1 && mirror.holder[place] !== ticket) return heldMs / whiles;
  if (nowMs < mirror.strangersUntilMs) {
    const strangersMs = waitForStrangersMs(mirror, { ahead: ticket - mirror.sent - 1, nowMs, heldMs });
    if (strangersMs > 0) return strangersMs;
  }
  mirror.sent = Math.max(mirror.sent, ticket);
  mirror.holder[place] = ticket;
  mirror.awaited[place] = 1;
  mirror.freeMs[place] = nowMs + heldMs;
  mirror.inFlight += 1;
  return 0;
}

/** Where several tickets wait for one place, each is a window behind the other. */
function placeFreeMs(mirror: WindowMirror, ticket: number, heldMs: number): number {
  const place = ticket % mirror.places;
  const holder = mirror.holder[place] ?? 0;
  const ahead = holder === ticket ? 0 : (ticket - holder) / mirror.places - 1;
  return (mirror.freeMs[place] ?? 0) + ahead * heldMs;
}

/** `ahead`: how many tickets are to go before. */
type Turn = { readonly ahead: number; readonly nowMs: number; readonly heldMs: number };

function waitForStrangersMs(mirror: WindowMirror, { ahead, nowMs, heldMs }: Turn): number {
  if (mirror.credit > Math.max(0, ahead)) {
    mirror.credit -= 1;
    return 0;
  }
  // The first request of all is out, alone; were it lost, another goes.
  if (mirror.strangersUntilMs === Number.POSITIVE_INFINITY)
    return mirror.inFlight === 0 ? 0 : heldMs / whiles;
  const spacingMs = heldMs / mirror.places;
  if (nowMs < mirror.pacedMs || ahead > 0) return Math.max(0, mirror.pacedMs - nowMs) + ahead * spacingMs;
  mirror.pacedMs = nowMs + spacingMs;
  return 0;
}

function learnFromAdmission(mirror: WindowMirror, { nowMs, remaining }: Answer, heldMs: number): void {
  if (mirror.strangersUntilMs === Number.POSITIVE_INFINITY) {
    const isAlone = remaining < 0 || remaining >= mirror.places - 1;
    mirror.strangersUntilMs = isAlone ? nowMs : nowMs + heldMs;
  }
  if (nowMs < mirror.strangersUntilMs && remaining >= 0) {
    // What is in flight may have been counted after this answer.
    mirror.credit = Math.max(0, Math.floor(remaining / mirror.processes) - mirror.inFlight);
  }
}

function placeOf({ ticketOf, places }: WindowMirror, client: number): number {
  return (ticketOf[client] ?? 0) % places;
}

/** How often in a window it is looked whether an answer has come that nobody can foretell. */
const whiles = 1_000;

import { windowMsAtMost } from '../../contract/bounds.ts';
import {
  append,
  dropUntil,
  emptyRing,
  type MomentRing,
  newestMs,
  nthOldestMs,
  oldestMs,
} from '../../limiters/moment-ring.ts';
import { refusalWaitMs } from './refusal.ts';

/** What one process may use of one key's limit in one scope. */
export type PacerSettings = {
  /** Requests in any window, for all users of the key together. */
  readonly limit: number;
  /** Of these, how many are this process's own: `limit` where nobody else uses the key. */
  readonly ownMax: number;
  readonly windowMs: number;
  /** How much longer than a window a place is held, ms: clocks that run apart, timers that fire early. */
  readonly marginMs: number;
  /**
   * Whether answers say nothing of this limit: the scope has others beside it, or it is stricter than the service's. Then
   * neither headers nor refusals tell how much of it is left.
   */
  readonly isBlind?: boolean;
  /** Whether places come back one after another, as a token bucket gets them, and not each a window after it was taken. */
  readonly isBucket?: boolean;
};

/**
 * The service's log of one key and scope as its client can know it. A place is taken when a request is sent, for the
 * service may count it from then on, and comes back a window after the answer, for it was counted before that; of a bucket it
 * comes back after those that were taken before it.
 * What others use is seen in the answers alone. Reads no clock: each call is given its moment in ms, which must not go
 * back. The state is updated in place.
 */
export type Pacer = {
  readonly settings: PacerSettings;
  /** When the places of answered requests come back, in order. */
  readonly held: MomentRing;
  /** How many places have been held so far. */
  heldEver: number;
  /** Places of the requests that are on their way. */
  inFlight: number;
  /** Places that are taken, but not by us: somebody else's, or our own of an earlier life. */
  foreign: number;
  /** From here on all of these have left the window. */
  foreignGoneMs: number;
  /** The first of these should leave about here: then one request goes alone, to see. */
  scoutMs: number;
  /** The fewest places that were left by any answer since nothing was on its way. */
  remainingLeast: number;
  /** Nothing is sent before this: a refusal said so. */
  gateMs: number;
  /** Refusals in a row: those of requests that were on their way together are one. */
  refusals: number;
  /** The limit by the service's own header, where that is lower than the settings'. */
  limit: number;
  heardMs: number;
  /** When the first of the requests that are on their way was sent. */
  firstSentMs: number;
};

/** Of a window, how long the answer to a first request is waited for before others follow it. */
const askingShareMax = 0.05;

export type Permission =
  | { readonly kind: 'send' }
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Only an answer that is still on its way can change anything. */
  | { readonly kind: 'answer' };

/** What the rate-limit headers say; `null` where one is missing, unusable or not to be relied on. */
export type SeenHeaders = {
  readonly limit: number | null;
  readonly remaining: number | null;
  /** When the window resets, ms on our clock. */
  readonly resetMs: number | null;
};

const nothingSeen: SeenHeaders = { limit: null, remaining: null, resetMs: null };

export type PacedAnswer = {
  readonly headers: SeenHeaders;
} & (
  | {
      /** It took a place, or may have: any answer but a 429, or none at all. */
      readonly kind: 'counted';
    }
  | {
      readonly kind: 'refused';
      /** How long it asks to wait, ms; `null` where it does not say. */
      readonly toldMs: number | null;
      /** From [0, 1), for the jitter. */
      readonly draw: number;
    }
);

/** A clock of the service may count in whole ms. */
const clockResolutionMs = 1;

/** How much longer than a window a place is held, ms: clocks run apart, and the service's may count in whole ms. */
export function placeMarginMs(windowMs: number): number {
  return windowMsAtMost(windowMs) - windowMs + clockResolutionMs;
}

export function createPacer(settings: PacerSettings): Pacer {
  return {
    settings,
    held: emptyRing(settings.limit),
    heldEver: 0,
    inFlight: 0,
    foreign: 0,
    foreignGoneMs: Number.NEGATIVE_INFINITY,
    scoutMs: Number.NEGATIVE_INFINITY,
    remainingLeast: Number.POSITIVE_INFINITY,
    gateMs: Number.NEGATIVE_INFINITY,
    refusals: 0,
    limit: settings.limit,
    heardMs: Number.NEGATIVE_INFINITY,
    firstSentMs: Number.NEGATIVE_INFINITY,
  };
}

/** Whether a request that takes so many places may go now; if not, what to wait for. */
export function permission(pacer: Pacer, nowMs: number, cost: number): Permission {
  forget(pacer, nowMs);
  if (nowMs < pacer.gateMs) return { kind: 'wait', untilMs: pacer.gateMs };
  const taken = pacer.inFlight + pacer.held.count;
  const most = Math.min(pacer.settings.ownMax, pacer.limit);
  // One that takes more than there ever are goes when all are free.
  const places = Math.min(cost, most);
  if (taken + places > most) return whenThey(pacer, taken + places - most);
  // Whoever has not heard of the service for long does not know what else was sent: the first request asks.
  const { windowMs, isBlind = false } = pacer.settings;
  const isStranger = !isBlind && nowMs - pacer.heardMs > 2 * windowMs;
  const askedUntilMs = pacer.firstSentMs + windowMs * askingShareMax;
  if (isStranger && pacer.inFlight > 0 && nowMs < askedUntilMs)
    return { kind: 'wait', untilMs: askedUntilMs };
  // After a refusal one goes ahead, however much should be free by now: what refused it may go on.
  if (pacer.refusals > 0) return pacer.inFlight === 0 ? { kind: 'send' } : { kind: 'answer' };
  if (taken + pacer.foreign + places <= pacer.limit) return { kind: 'send' };
  // A scout goes alone: then its answer leaves nothing open.
  const scoutMs = pacer.inFlight === 0 ? pacer.scoutMs : Number.POSITIVE_INFINITY;
  if (nowMs >= scoutMs) return { kind: 'send' };
  const backMs = pacer.held.count > 0 ? oldestMs(pacer.held) : Number.POSITIVE_INFINITY;
  return { kind: 'wait', untilMs: Math.min(scoutMs, pacer.foreignGoneMs, backMs) };
}

/**
 * Places that are free as far as is known, though requests may have to wait for an answer before they take them: those of a first request,
 * which asks how much others use.
 */
export function placesAhead(pacer: Pacer, nowMs: number): number {
  forget(pacer, nowMs);
  const { inFlight, held, foreign, limit, refusals, gateMs, settings } = pacer;
  // After a refusal nobody knows.
  if (nowMs < gateMs || refusals > 0) return 0;
  const taken = inFlight + held.count;
  return Math.max(0, Math.min(settings.ownMax - taken, limit - taken - foreign));
}

/** Says which answers had come when a request was sent: these were counted before it, of later ones nobody knows. */
export type SendReceipt = { readonly heldEver: number; readonly cost: number };

/** A request that was permitted is on its way. */
export function sent(pacer: Pacer, nowMs: number, cost: number): SendReceipt {
  if (pacer.inFlight === 0) {
    pacer.remainingLeast = Number.POSITIVE_INFINITY;
    pacer.firstSentMs = nowMs;
  }
  pacer.inFlight += cost;
  return { heldEver: pacer.heldEver, cost };
}

/** A request that was permitted never left this process: its places are free again. */
export function withdrawn(pacer: Pacer, { cost }: SendReceipt): void {
  pacer.inFlight -= cost;
}

/** A request was answered, or will not be any more. */
export function answered(pacer: Pacer, request: SendReceipt, answer: PacedAnswer, nowMs: number): void {
  forget(pacer, nowMs);
  const isBlind = pacer.settings.isBlind === true;
  const { limit } = answer.headers;
  if (!isBlind && limit !== null && limit > 0) pacer.limit = Math.min(limit, pacer.settings.limit);
  pacer.inFlight -= request.cost;
  pacer.heardMs = nowMs;
  switch (answer.kind) {
    case 'counted':
      counted(pacer, request, isBlind ? nothingSeen : answer.headers, nowMs);
      break;
    case 'refused':
      // What was sent before the gate shut belongs to the refusal that shut it.
      if (nowMs >= pacer.gateMs) pacer.refusals += 1;
      pacer.gateMs = Math.max(
        pacer.gateMs,
        nowMs + refusalWaitMs({ ...answer, ...pacer.settings, refusals: pacer.refusals }),
      );
      if (!isBlind) learnRefusal(pacer, request, nowMs);
      pacer.scoutMs = pacer.gateMs;
      break;
    default:
      answer satisfies never;
  }
}

function counted(
  pacer: Pacer,
  request: SendReceipt,
  { remaining, resetMs }: SeenHeaders,
  nowMs: number,
): void {
  pacer.refusals = 0;
  const { cost } = request;
  const known = knownHeld(pacer, request) + cost;
  for (let place = 0; place < cost; place += 1) append(pacer.held, returnMs(pacer, nowMs));
  pacer.heldEver += cost;
  if (remaining !== null) learn(pacer, { remaining, known }, nowMs);
  // Nothing says how many of the others have left: twice as many are tried after each success.
  else pacer.foreign = Math.max(0, pacer.foreign - 2);
  pacer.remainingLeast = Math.min(pacer.remainingLeast, remaining ?? 1);
  const backMs = pacer.remainingLeast > 0 ? null : plausibleReset(pacer, resetMs, nowMs);
  pacer.scoutMs = Math.max(pacer.gateMs, backMs ?? nowMs);
}

/**
 * When the place of a request that is answered now comes back. A bucket gets one place after another; the service has taken this
 * one before its answer, so it has it back by then. Of what a bucket gets, a process has the share that it has of its places.
 */
function returnMs({ held, limit, settings }: Pacer, nowMs: number): number {
  const { windowMs, marginMs, ownMax, isBucket = false } = settings;
  if (!isBucket) return nowMs + windowMs + marginMs;
  return (
    Math.max(newestMs(held), nowMs + clockResolutionMs) + (windowMs + marginMs) / Math.min(ownMax, limit)
  );
}

/** Places held now that the service had surely counted before this request. */
function knownHeld({ held, heldEver }: Pacer, request: SendReceipt): number {
  return Math.max(0, held.count - (heldEver - request.heldEver));
}

/** From this moment on the pacer is as good as a new one and can be dropped; `Infinity` while anything is on its way. */
export function idleFromMs({ inFlight, held, gateMs, foreignGoneMs, heardMs, settings }: Pacer): number {
  if (inFlight > 0) return Number.POSITIVE_INFINITY;
  const lastMs = held.count === 0 ? heardMs : heardMs + settings.windowMs + settings.marginMs;
  return Math.max(lastMs, gateMs, foreignGoneMs);
}

type Learnt = {
  readonly remaining: number;
  /** Our own places that the service had surely counted. */
  readonly known: number;
};

/**
 * What others hold, given how many places the service had left when it answered. Our own requests that were on
 * their way together with this one may or may not have been counted by then, in whatever order their answers came: that
 * leaves an interval, into which the estimate is moved.
 */
function learn(pacer: Pacer, { remaining, known }: Learnt, nowMs: number): void {
  const { held, inFlight, limit, settings } = pacer;
  const used = Math.max(0, limit - remaining);
  const least = Math.max(0, used - held.count - inFlight);
  const most = Math.max(least, used - known);
  if (least > pacer.foreign) pacer.foreignGoneMs = nowMs + settings.windowMs + settings.marginMs;
  pacer.foreign = Math.min(most, Math.max(least, pacer.foreign));
}

/** A reset is believed where it lies within the window that begins now, rounding up included. */
function plausibleReset({ settings }: Pacer, resetMs: number | null, nowMs: number): number | null {
  if (resetMs === null || resetMs <= nowMs) return null;
  return resetMs <= nowMs + settings.windowMs + 1_000 ? resetMs : null;
}

/** Less was left than the request takes. */
function learnRefusal(pacer: Pacer, request: SendReceipt, nowMs: number): void {
  learn(pacer, { remaining: request.cost - 1, known: knownHeld(pacer, request) }, nowMs);
}

/** When so many places come back; where fewer are held, an answer has to come first. */
function whenThey({ held }: Pacer, places: number): Permission {
  return held.count >= places ? { kind: 'wait', untilMs: nthOldestMs(held, places) } : { kind: 'answer' };
}

function forget(pacer: Pacer, nowMs: number): void {
  dropUntil(pacer.held, nowMs);
  if (nowMs >= pacer.foreignGoneMs) pacer.foreign = 0;
}

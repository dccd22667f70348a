import { windowMsAtLeast } from '../../contract/bounds.ts';
import { type Arrival, type ClientTrace, isAdmitted } from '../../contract/clients/trace.ts';

/** One wait between a 429 and the next arrival of the same request. */
export type Wait = {
  readonly refusal: Arrival;
  readonly retry: Arrival;
  /** From right before the 429 was sent to the retry's arrival, ms: at least what the client waited. */
  readonly waitedMs: number;
  /** What the 429 asked for, ms, by the slowest clock that a client may have; `null` where it did not say. */
  readonly toldMs: number | null;
};

/** All arrivals of what is one request of the client, in order. */
export type ClientRequest = {
  readonly key: string;
  readonly arrivals: readonly Arrival[];
  readonly admitted: number;
  /** Whether its arrivals are one request sent again, and not several that are alike. */
  readonly isOne: boolean;
  /** Why they are not known to be; `null` where they are. */
  readonly whyUnknown: WhyUnknown | null;
  /** Whether it was on its way twice at once: then no arrival is known to be the answer to a 429. */
  readonly isDoubled: boolean;
  /** From each 429 to the next arrival; none where it is not known to be one request, or was doubled. */
  readonly waits: readonly Wait[];
};

/** Requests that are alike, that ask for the same anew, or that have one Idempotency-Key for different ones. */
export type WhyUnknown = 'alike' | 'asked-anew' | 'one-key-for-several';

export function requestsOf({ header, arrivals }: ClientTrace): readonly ClientRequest[] {
  const groups = [...Map.groupBy(arrivals, identityOf).values()];
  return groups.map((group) => requestOf(group, { header, groups }));
}

function identityOf({ key, scope, identity }: Arrival): string {
  return JSON.stringify([key, scope, identity]);
}

type Whole = Pick<ClientTrace, 'header'> & { readonly groups: readonly (readonly Arrival[])[] };

function requestOf(arrivals: readonly Arrival[], whole: Whole): ClientRequest {
  const [first] = arrivals;
  if (first === undefined) throw new Error('a request without an arrival');
  const whyUnknown = whyUnknownOf(first, arrivals, whole);
  const isOne = whyUnknown === null;
  const isDoubled =
    arrivals.some(
      (arrival, at) => arrival.arrivedMs < (arrivals[at - 1]?.answeredMs ?? Number.NEGATIVE_INFINITY),
    ) || isSentTwice(arrivals);
  return {
    key: first.key,
    arrivals,
    admitted: admittedOf(arrivals),
    isOne,
    whyUnknown,
    isDoubled,
    waits: isOne && !isDoubled ? waitsOf(arrivals) : [],
  };
}

function whyUnknownOf(first: Arrival, arrivals: readonly Arrival[], whole: Whole): WhyUnknown | null {
  if (first.identity.by === 'idempotency-key')
    return arrivals.some(({ content }) => content !== first.content) ? 'one-key-for-several' : null;
  if (isKnownByContent(first, whole)) return null;
  return isRead(first) ? 'asked-anew' : 'alike';
}

function isRead({ method }: Arrival): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Whether the client of a key makes every request different from the others: there are as many different ones as were announced (or
 * several with a body, where no number was announced), and none was admitted twice.
 */
function isKnownByContent(of: Arrival, { header, groups }: Whole): boolean {
  const mine = groups.filter(([first]) => first?.key === of.key && first.identity.by === 'content');
  // What is read is often read again.
  const least = header.requestsExpected[of.key] ?? (isRead(of) ? Number.POSITIVE_INFINITY : 2);
  return mine.length >= least && mine.every((group) => admittedOf(group) < 2);
}

/** A request on another connection this soon after an answer may have been on its way before it, ms. */
const onItsWayMs = 50;

/**
 * Whether two copies may have been sent at once, as to hedge: the second came on another connection right after the answer to the first.
 * Who does the same again after the second answer sends again too soon.
 */
function isSentTwice([first, second, third]: readonly Arrival[]): boolean {
  return isRightAfter(first, second) && !isRightAfter(second, third);
}

function isRightAfter(before: Arrival | undefined, after: Arrival | undefined): boolean {
  if (before === undefined || after === undefined || before.answeredMs === null) return false;
  return after.connection !== before.connection && after.arrivedMs < before.answeredMs + onItsWayMs;
}

function admittedOf(arrivals: readonly Arrival[]): number {
  return arrivals.filter(isAdmitted).length;
}

function waitsOf(arrivals: readonly Arrival[]): readonly Wait[] {
  return arrivals.flatMap((refusal, at) => {
    const retry = arrivals[at + 1];
    if (refusal.status !== 429 || refusal.answeredMs === null || retry === undefined) return [];
    const toldMs = toldBy(refusal, refusal.answeredMs);
    return [{ refusal, retry, waitedMs: retry.arrivedMs - refusal.answeredMs, toldMs }];
  });
}

/** How far the clock by which a client waits for a moment may be ahead of ours, ms: more than machines that keep the time are apart. */
const aheadMs = 250;

/** Where a moment is named beside how long to wait, a client may go by either. */
function toldBy({ retryAfterSeconds: seconds, untilMs }: Arrival, answeredMs: number): number | null {
  if (seconds === null) return null;
  const longMs = windowMsAtLeast(seconds * 1_000);
  return untilMs === undefined ? longMs : Math.max(0, Math.min(longMs, untilMs - answeredMs - aheadMs));
}

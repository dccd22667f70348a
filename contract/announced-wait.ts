import { bounds } from './bounds.ts';
import type { Document } from './document/document.ts';
import { type RetryAfterForm, retryAfterOf } from './document/retry-after.ts';
import { resetUnitOf, type ScopedHeaders } from './document/scope-headers.ts';
import { announcedSeconds, bodyOf } from './error-body.ts';
import type { Exchange } from './exchange.ts';
import { valueAt } from './json-pointer.ts';
import { momentIn, resetIn, resetRules } from './reset-units.ts';
import { waitRules, waitUnitOf } from './wait-units.ts';

/** What has to be known of a deployment to read the waits that its refusals announce. */
export type Announcing = {
  readonly document: Pick<Document, 'refusal'> & ScopedHeaders;
  /** How far the clock that wrote `Date` may be off the one that wrote `Retry-After`, and ours off the one that wrote a reset, s. */
  readonly clockSkewSecondsMax: number;
};

/**
 * Where a refusal may say how long to wait: in a field of the messaging document's body, in one named by a pointer, in `Retry-After`,
 * or in the header that says when the window resets.
 */
type AnnouncedPlace = 'documented' | 'field' | 'header' | 'reset';

/** The same, or where the document says it of every refusal. */
export type WaitPlace = AnnouncedPlace | 'stated';

/** The wait after a refusal, whose headers are told as plain numbers, by a place, s; `null` where that is no such figure. */
export function secondsIn(place: WaitPlace, exchange: Exchange, announcing: Announcing): number | null {
  switch (place) {
    case 'documented':
      return announcedSeconds(exchange);
    case 'field': {
      const unit = waitUnitOf(announcing.document.refusal);
      const seconds = waitRules[unit].read(fieldWait(exchange, announcing));
      return seconds !== null && seconds > 0 ? seconds : null;
    }
    case 'header': {
      const wait = headerWait(exchange, formIn(announcing));
      if (wait.kind === 'seconds') return wait.seconds > 0 ? wait.seconds : null;
      if (wait.kind !== 'date' || wait.seconds === null) return null;
      return Math.max(1, wait.seconds);
    }
    case 'reset':
      return untilResetSeconds(exchange, announcing);
    case 'stated':
      return announcing.document.refusal?.waitSeconds ?? null;
    default:
      return place satisfies never;
  }
}

/** Who was told a moment that has passed may come again at once. */
function untilResetSeconds(exchange: Exchange, { document }: Pick<Announcing, 'document'>): number | null {
  const unit = resetUnitOf(document);
  const reset = resetIn(unit, exchange);
  const { wallReceivedMs, receivedMs } = exchange;
  const answeredMs = wallReceivedMs ?? receivedMs;
  return reset === null || answeredMs === null ? null : Math.max(0, reset - momentIn(unit, answeredMs));
}

/**
 * How much longer than said the wait may have to be, s: of a date, by as much as `Date` may be off; of what the document says, by the
 * second that a window may be held longer; of a reset, by that second, and of one that is a moment by as much as our clock may be off.
 */
export function unsureSecondsIn(
  place: WaitPlace,
  exchange: Exchange,
  { clockSkewSecondsMax, document }: Announcing,
): number {
  if (place === 'stated') return heldSeconds;
  if (place === 'reset') return heldSeconds + (isMoment(document) ? clockSkewSecondsMax : 0);
  const isDate = place === 'header' && headerWait(exchange, formIn({ document })).kind === 'date';
  return isDate ? clockSkewSecondsMax : 0;
}

const heldSeconds = bounds.granularityMs / 1_000;

/**
 * The wait that a client of a deployment goes by, s; of a reset, with what it may have to be longer.
 * @param exchange its headers are told as plain numbers.
 * @param at how many such waits it kept before: where a document promises two, each has its turn.
 */
export function waitToKeep(exchange: Exchange, announcing: Announcing, at: number): number | null {
  const places = waitPlacesOf(announcing);
  const place = places[at % places.length] as AnnouncedPlace;
  const seconds = secondsIn(place, exchange, announcing);
  if (place !== 'reset' || seconds === null) return seconds;
  return seconds + unsureSecondsIn(place, exchange, announcing);
}

/** Where the refusals of a document say how long to wait. */
export function waitPlacesOf({
  document: { refusal },
}: {
  readonly document: Pick<Document, 'refusal'>;
}): readonly AnnouncedPlace[] {
  const { retryAfterPointer, waitUntilReset = false } = refusal ?? {};
  const places: readonly AnnouncedPlace[] = [
    ...(retryAfterPointer === undefined ? [] : ['field' as const]),
    ...(retryAfterOf(refusal) === null ? [] : ['header' as const]),
    ...(waitUntilReset ? ['reset' as const] : []),
  ];
  return places.length === 0 ? ['documented'] : places;
}

/**
 * The finest step of the moments by which the refusals of a document tell when a wait is over, ms: whole seconds, or milliseconds; `null`
 * where they tell how long it is.
 */
export function momentStepMs(document: Pick<Document, 'refusal'> & ScopedHeaders): number | null {
  const places = waitPlacesOf({ document });
  const isReset = places.includes('reset') && isMoment(document);
  if (isReset && resetUnitOf(document) === 'epoch-ms') return 1;
  const isDate = retryAfterOf(document.refusal)?.form === 'date';
  return isReset || isDate ? 1_000 : null;
}

/** Whether a document's reset is a moment, by the service's clock. */
function isMoment(document: ScopedHeaders): boolean {
  return resetRules[resetUnitOf(document)].origin === 'epoch';
}

/** What stands where the document has the wait; `undefined` where nothing does. */
export function fieldWait(exchange: Exchange, { document }: Pick<Announcing, 'document'>): unknown {
  const pointer = document.refusal?.retryAfterPointer;
  const body = bodyOf(exchange);
  return pointer === undefined || body.kind !== 'json' ? undefined : valueAt(pointer, body.value);
}

function formIn({ document }: Pick<Announcing, 'document'>): RetryAfterForm {
  return retryAfterOf(document.refusal)?.form ?? 'either';
}

/** What `Retry-After` says, or a header in its place. Of a date: how far it is ahead of the answer's own `Date`, s; `null` where that is no date. */
export type HeaderWait =
  | { readonly kind: 'absent' }
  | { readonly kind: 'neither' }
  | { readonly kind: 'seconds'; readonly seconds: number }
  | { readonly kind: 'date'; readonly seconds: number | null };

/** @param form how it is written; what is a date, or whole seconds, is known for it wherever one of the two is promised. */
export function headerWait(
  { retryAfter, date }: Pick<Exchange, 'retryAfter' | 'date'>,
  form: RetryAfterForm = 'either',
): HeaderWait {
  if (retryAfter === null) return { kind: 'absent' };
  const unit = unitOf(form);
  const seconds = unit === null ? wholeSeconds(retryAfter) : resetRules[unit].read(retryAfter);
  if (seconds !== null) return { kind: 'seconds', seconds };
  const untilMs = unit === null ? dateMs(retryAfter) : null;
  if (untilMs === null) return { kind: 'neither' };
  const fromMs = date === null ? null : dateMs(date);
  return { kind: 'date', seconds: fromMs === null ? null : (untilMs - fromMs) / 1_000 };
}

/** How others than HTTP write it; `null` of what HTTP does. */
function unitOf(form: RetryAfterForm): 'seconds' | 'ms' | 'duration' | null {
  if (form === 'decimal') return 'seconds';
  return form === 'ms' || form === 'duration' ? form : null;
}

function wholeSeconds(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** A date as a sender has to write it (IMF-fixdate, RFC 9110 §5.6.7), ms since the Unix epoch; `null` for other text. */
function dateMs(text: string): number | null {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : null;
}

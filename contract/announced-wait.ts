import { bounds } from './bounds.ts';
import type { Document } from './document/document.ts';
import { announcedSeconds, bodyOf } from './error-body.ts';
import type { Exchange } from './exchange.ts';
import { valueAt } from './json-pointer.ts';
import { waitRules, waitUnitOf } from './wait-units.ts';

/** What has to be known of a deployment to read the waits that its refusals announce. */
export type Announcing = {
  readonly document: Pick<Document, 'refusal'>;
  /** How far the clock that wrote `Date` may be off the one that wrote `Retry-After`, s. */
  readonly clockSkewSecondsMax: number;
};

/** Where a refusal may say how long to wait: in a field of the messaging document's body, in one named by a pointer, or in the header. */
type AnnouncedPlace = 'documented' | 'field' | 'header';

/** The same, or where the document says it of every refusal. */
export type WaitPlace = AnnouncedPlace | 'stated';

/** The wait after a refusal by a place, s; `null` where that is no such figure. */
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
      const wait = headerWait(exchange);
      if (wait.kind === 'seconds') return wait.seconds > 0 ? wait.seconds : null;
      if (wait.kind !== 'date' || wait.seconds === null) return null;
      return Math.max(1, wait.seconds);
    }
    case 'stated':
      return announcing.document.refusal?.waitSeconds ?? null;
    default:
      return place satisfies never;
  }
}

/**
 * How much longer than said the wait may have to be, s: of a date, by as much as `Date` may be off; of what the document says, by the
 * second that a window may be held longer.
 */
export function unsureSecondsIn(
  place: WaitPlace,
  exchange: Exchange,
  { clockSkewSecondsMax }: Announcing,
): number {
  if (place === 'stated') return bounds.granularityMs / 1_000;
  return place === 'header' && headerWait(exchange).kind === 'date' ? clockSkewSecondsMax : 0;
}

/**
 * The wait that a client of a deployment goes by, s.
 * @param at how many such waits it kept before: where a document promises two, each has its turn.
 */
export function waitToKeep(exchange: Exchange, announcing: Announcing, at: number): number | null {
  const places = waitPlacesOf(announcing);
  return secondsIn(places[at % places.length] as AnnouncedPlace, exchange, announcing);
}

/** Where the refusals of a document say how long to wait. */
export function waitPlacesOf({
  document: { refusal },
}: Pick<Announcing, 'document'>): readonly AnnouncedPlace[] {
  const { retryAfter = 'none', retryAfterPointer } = refusal ?? {};
  const places: readonly AnnouncedPlace[] = [
    ...(retryAfterPointer === undefined ? [] : ['field' as const]),
    ...(retryAfter === 'none' ? [] : ['header' as const]),
  ];
  return places.length === 0 ? ['documented'] : places;
}

/** What stands where the document has the wait; `undefined` where nothing does. */
export function fieldWait(exchange: Exchange, { document }: Pick<Announcing, 'document'>): unknown {
  const pointer = document.refusal?.retryAfterPointer;
  const body = bodyOf(exchange);
  return pointer === undefined || body.kind !== 'json' ? undefined : valueAt(pointer, body.value);
}

/** What `Retry-After` says. Of a date: how far it is ahead of the answer's own `Date`, s; `null` where that is no date. */
export type HeaderWait =
  | { readonly kind: 'absent' }
  | { readonly kind: 'neither' }
  | { readonly kind: 'seconds'; readonly seconds: number }
  | { readonly kind: 'date'; readonly seconds: number | null };

export function headerWait({ retryAfter, date }: Exchange): HeaderWait {
  if (retryAfter === null) return { kind: 'absent' };
  if (/^\d{1,15}$/.test(retryAfter)) return { kind: 'seconds', seconds: Number(retryAfter) };
  const untilMs = dateMs(retryAfter);
  if (untilMs === null) return { kind: 'neither' };
  const fromMs = date === null ? null : dateMs(date);
  return { kind: 'date', seconds: fromMs === null ? null : (untilMs - fromMs) / 1_000 };
}

/** A date as a sender has to write it (IMF-fixdate, RFC 9110 §5.6.7), ms since the Unix epoch; `null` for other text. */
function dateMs(text: string): number | null {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : null;
}

import { openBreaker, type Trip } from '../contract/breaker.ts';
import type { Deployment } from '../contract/deployment.ts';
import { type Document, limitedStatusesOf, limitsOf } from '../contract/document/document.ts';
import type { Exchange } from '../contract/exchange.ts';
import { grouped, howMany, seconds } from '../contract/quantities.ts';
import { interrupted } from '../contract/unreachable.ts';
import { type Clock, waitUntil } from './clock.ts';

/** Keeps a run within its bounds: one for everything that it sends, whoever sends it. */
export type Guard = {
  /** Makes room for requests that are about to leave; `false` where no more may be sent, which ends the run. */
  readonly take: (requests: number) => boolean;
  /** Requests that did not leave after all. */
  readonly giveBack: (requests: number) => void;
  /** How many have left, or may have. */
  readonly taken: () => number;
  readonly hear: (exchange: Exchange) => void;
  /** Aborted as soon as what is being sent has to stop; a new one after a wait that the target asked for. */
  readonly sending: () => AbortSignal;
  /** Until when nothing may leave, ms by the clock; 0 where nothing holds it up. */
  readonly pausedUntilMs: () => number;
  /** Waits until something may leave again. */
  readonly untilClear: (signal: AbortSignal) => Promise<void>;
  /** Why no more is sent, and what to do; `null` while something may be. */
  readonly whyStopped: () => string | null;
};

export type GuardOptions = {
  readonly deployment: Pick<Deployment, 'baseUrls' | 'breaker' | 'maxRequests' | 'document'>;
  readonly clock: Pick<Clock, 'nowMs' | 'wallMs'>;
};

export function openGuard({ deployment, clock }: GuardOptions): Guard {
  const { breaker: settings, maxRequests = Number.POSITIVE_INFINITY } = deployment;
  const breaker = openBreaker(settings, deployment.document);
  let taken = 0;
  let sending = new AbortController();
  let pausedUntilMs = 0;
  let why: (() => string) | null = null;
  const stop = (text: () => string): void => {
    why ??= text;
    sending.abort();
  };
  const onTrip = ({ retryAfterMs, of }: Trip): void => {
    const mayWait = pausedUntilMs === 0 && retryAfterMs !== null;
    if (!mayWait || retryAfterMs > settings.retryAfterSecondsMax * 1_000) {
      stop(() => failingText(deployment, { failures: breaker.text(), retryAfterMs, of }));
      return;
    }
    pausedUntilMs = clock.nowMs() + retryAfterMs;
    sending.abort();
    sending = new AbortController();
    breaker.goOn();
  };
  return {
    take: (requests) => {
      if (why !== null) return false;
      if (taken + requests > maxRequests) {
        const sent = taken;
        stop(() => spentText(maxRequests, sent));
        return false;
      }
      taken += requests;
      return true;
    },
    giveBack: (requests) => {
      taken -= requests;
    },
    taken: () => taken,
    hear: (exchange) => {
      // What we gave up ourselves says nothing about the target; k6 does not say so of what it was stopped in.
      if (exchange.failure === interrupted || (why !== null && exchange.status === null)) return;
      breaker.hear(exchange);
      const trip = breaker.tripped();
      if (why === null && trip !== null) onTrip(trip);
    },
    sending: () => sending.signal,
    pausedUntilMs: () => pausedUntilMs,
    untilClear: (signal) => waitUntil(pausedUntilMs, clock, AbortSignal.any([signal, sending.signal])),
    whyStopped: () => why?.() ?? null,
  };
}

type Failing = Trip & { readonly failures: string };

function failingText(
  { baseUrls, document }: GuardOptions['deployment'],
  { failures, retryAfterMs, of }: Failing,
): string {
  const wish =
    retryAfterMs === null ? '' : ` The last of them asked for ${seconds(retryAfterMs, 0)} (Retry-After).`;
  return (
    `${baseUrls.join(', ')}: ${failures}, so nothing more was sent.${wish} ${refusalText(document, of)}` +
    'See whether the service is well and takes the keys, then run again; the setting "breaker" says when a run stops.'
  );
}

/** A status that came once as many had passed as the document lets may be the service's way to refuse; nothing where it may not. */
function refusalText(document: Document, { scope, status, admitted }: Trip['of']): string {
  const limit = limitsOf(document)[scope];
  if (status === null || limit === undefined || admitted < limit) return '';
  const isAlone = Object.keys(document.scopes).length === 1;
  const list = isAlone
    ? ''
    : `, or [${[...limitedStatusesOf(document), status].join(', ')}] where other scopes do not`;
  return (
    `${status} came once as many requests of ${scope} had passed as the document allows (${grouped(limit)}): if that is how ` +
    `the service refuses over the limit, a document with refusal.status: ${status}${list} says so. `
  );
}

function spentText(maxRequests: number, sent: number): string {
  return (
    `maxRequests is ${grouped(maxRequests)}: after ${howMany(sent, 'request')} the next would have been more. ` +
    'Set it higher (--max-requests), or have less sent; "plan" says how much that is.'
  );
}

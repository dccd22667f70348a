import fc from 'fast-check';
import { type Document, limitedStatusesOf } from '../../contract/document/document.ts';
import { arePromisedOnRefusals } from '../../contract/document/scope-headers.ts';
import type { SimulatedAnswer } from '../simulation/simulated-service.ts';

/** For a while from a moment of the run on, ms, another layer answers whatever is asked; plain data. */
export type Outage = {
  readonly atMs: number;
  readonly forMs: number;
  readonly status: number;
  readonly isPage: boolean;
};

export const drawnOutage: fc.Arbitrary<Outage> = fc.record({
  atMs: fc.integer({ min: 0, max: 150_000 }),
  forMs: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 40_000 })),
  status: fc.constantFrom(503, 502, 429, 403),
  isPage: fc.boolean(),
});

/**
 * What the other layer answers; `null` where its answer is the document's own refusal, as far as that says what one is: a status
 * that refuses, where neither a 5xx nor missing headers tell them apart.
 */
function outageAnswer({ status, isPage }: Outage, document: Document): SimulatedAnswer | null {
  const isRefusal = limitedStatusesOf(document).includes(status) && !arePromisedOnRefusals(document);
  if (status < 500 && (!isPage || isRefusal)) return null;
  return {
    status,
    headers: { limit: null, remaining: null, reset: null },
    retryAfter: null,
    date: null,
    contentType: 'text/html',
    body: isPage ? '<html>no</html>' : 'no',
    delayMs: 0,
  };
}

/** What is answered at a moment of a run, ms, in place of the service; `null` where that answers itself. */
export function outAt(outage: Outage | null, document: Document, ranMs: number): SimulatedAnswer | null {
  if (outage === null) return null;
  const { atMs, forMs } = outage;
  return ranMs >= atMs && ranMs < atMs + forMs ? outageAnswer(outage, document) : null;
}

import type { Exchange } from '../contract/exchange.ts';
import { plainExchange } from '../contract/exchange-store.ts';
import type { Trace } from '../contract/trace.ts';

/** Clauses that depend on what an upload is counted as. */
const countedBy = /^(limits|window|load)\.|^headers\.(limit|remaining)|^error\.retry-after-suffices$/;

/** Whether a clause can depend on the reading of uploads below `/v1/messages`. */
export function dependsOnUploads(clause: string): boolean {
  return countedBy.test(clause);
}

/** Why a clause stays open that is violated only where uploads below `/v1/messages` are uploads alone. */
export const uploadsAmbiguous =
  'the media request lies below /v1/messages, so an upload may be counted as a message too, and that explains the ' +
  "answers: set mediaBelowMessages to 'media' if uploads are counted as uploads alone";

/**
 * The trace under the other reading of uploads below `/v1/messages`, by which one takes a place in both windows;
 * `null` where the media request lies elsewhere, or a person has said that uploads count alone. Each upload is put into
 * the messages window as what may have counted there. A 429 to an upload may be about either limit, and so may the
 * three headers, so neither proves anything about one of them.
 */
export function countedInBoth({ header, exchanges, ...trace }: Trace): Trace | null {
  const { requests, mediaBelowMessages } = header.deployment;
  const isBelow = /\/v1\/messages(\/|\?|$)/.test(requests.media?.path ?? '');
  if (!isBelow || mediaBelowMessages === 'media') return null;
  return { ...trace, header, exchanges: exchanges.flatMap(inBothWindows) };
}

const noHeaders: Exchange['headers'] = { limit: null, remaining: null, reset: null };

function inBothWindows(exchange: Exchange): readonly Exchange[] {
  if (exchange.scope !== 'media') return [exchange];
  const outcome = exchange.outcome === 'limited' ? 'refused' : exchange.outcome;
  const upload: Exchange = { ...plainExchange(exchange), outcome, headers: noHeaders };
  const asMessage: Exchange = {
    ...upload,
    scope: 'messages',
    outcome: exchange.outcome === 'indeterminate' ? 'indeterminate' : 'refused',
    requestId: `${exchange.requestId} as a message`,
  };
  return [upload, asMessage];
}

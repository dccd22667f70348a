import { isLimitOf } from '../contract/clauses/promised-limit.ts';
import { type Document, isRollingIn, limitedStatusText, scopesOf } from '../contract/document/document.ts';
import { inNames, promisedHeaders } from '../contract/document/headers.ts';
import { headersIn, type WordedHeaders, wordedHeaders } from '../contract/document/scope-headers.ts';
import { resetRules } from '../contract/reset-units.ts';
import type { ClauseResult } from './clause-result.ts';

/** A violation for people: what fails, what follows from it, and how it is fixed. A sentence each. */
export type FailureText = {
  readonly title: string;
  /** Absent where nothing is known beyond the title. */
  readonly consequence?: string;
  readonly fix?: string;
};

/**
 * The failure that a violated clause shows, with the headers and the status that the document names. Without a document: a
 * clause on a client or a delivery. A clause or reason that is not in the tables below still has a title.
 */
export function failureText(result: ClauseResult, document: Document | null): FailureText {
  const usual = usualText(result);
  if (document === null) return usual;
  const said = { ...usual, ...ofOtherKind(result, document) };
  const promised = headersOfFailure(result, document);
  const told = (text: string): string =>
    inNames(text, promised)
      .replaceAll(/\b429\b/g, limitedStatusText(document))
      .replace('the Unix time, in seconds, at which the window resets', resetText(promised));
  return {
    title: told(said.title),
    ...(said.consequence === undefined ? {} : { consequence: told(said.consequence) }),
    ...(said.fix === undefined ? {} : { fix: told(said.fix) }),
  };
}

/** The headers of the scope that shows the failure; of all scopes where several do. */
function headersOfFailure({ verdict }: ClauseResult, document: Document): WordedHeaders {
  const shown = verdict.kind === 'violated' ? verdict.evidence.exchanges : [];
  const [scope, another] = new Set(shown.map((exchange) => exchange.scope));
  return scope === undefined || another !== undefined
    ? wordedHeaders(document)
    : promisedHeaders(headersIn(document, scope));
}

/** Of a limit that is no rolling window, the number is not all that may be another one. */
function ofOtherKind({ id, verdict }: ClauseResult, document: Document): Pick<FailureText, 'fix'> {
  const scope = scopesOf(document).find((one) => isLimitOf(one, id));
  if (scope === undefined || isRollingIn(document, scope) || verdict.kind !== 'violated') return {};
  const fix = fixOfOtherKinds[verdict.reason];
  return fix === undefined ? {} : { fix };
}

const compare =
  'Compare with the document how many pass, how long a window is and how it begins, or how much a bucket gets back';

const fixOfOtherKinds: Readonly<Record<string, string>> = {
  'over-admission': `${compare}. If all of it is right, check and count each request in one atomic step, for all processes and nodes together.`,
  'wrongful-429': `${compare}, and count each request once.`,
};

/** What the header of the reset has to say, in the unit of a document. */
function resetText({ unit }: WordedHeaders): string {
  return unit === 'epoch-seconds'
    ? 'the Unix time, in seconds, at which the window resets'
    : `when the window resets, as ${resetRules[unit].words}`;
}

function usualText({ id, title, verdict }: ClauseResult): FailureText {
  const reason = verdict.kind === 'violated' ? verdict.reason : '';
  const isAboutLimits = /^(limits|window|load)\./.test(id);
  return (
    byClause[`${id} ${reason}`] ??
    (isAboutLimits ? byReason[reason] : undefined) ??
    byClause[id] ?? { title: `Not kept: ${title}` }
  );
}

/** Limits and windows: one reason means the same for every clause. */
const byReason: Readonly<Record<string, FailureText>> = {
  'over-admission': {
    title: 'More requests pass than the limit allows',
    consequence: 'The limit does not protect the service.',
    fix: 'Check and count each request in one atomic step, for all processes and nodes together.',
  },
  'wrongful-429': {
    title: 'Requests are refused below the limit',
    consequence: 'Clients that keep to the document get errors.',
    fix: 'Compare with the documented number, and count each request once.',
  },
  'early-return': {
    title: 'The window does not roll: capacity returns too early',
    consequence: 'Up to twice the limit can pass within one window.',
    fix: 'Let each request leave the window one window after it was counted; do not reset the count of all requests at once, nor lose it while a key is idle. With express-rate-limit: use another store, one that keeps the time of each request. Where several processes or nodes answer, have them count together.',
  },
  'refused-while-remaining': {
    title: 'Requests are refused while X-RateLimit-Remaining says that there is room',
    consequence: 'Clients that keep to the headers get errors.',
    fix: 'Count for the header and for the refusal in one place.',
  },
  'late-return': {
    title: 'The window does not roll: capacity returns too late',
    consequence: 'Clients that wait as documented are refused again.',
    fix: 'Let each request leave the window one window after it was counted; a refusal must not prolong the wait.',
  },
  'too-short': {
    title: 'The window is too short',
    consequence: 'More requests pass in the documented time than the limit allows.',
    fix: 'Set the window of the limiter to the documented length.',
  },
  'too-long': {
    title: 'The window is too long',
    consequence: 'Clients that wait as documented are refused again.',
    fix: 'Set the window of the limiter to the documented length.',
  },
  'whole-seconds': {
    title: 'Requests stay in the window up to a second too long',
    consequence: 'Clients that wait exactly one window are refused once more.',
    fix: 'Keep the times of requests in milliseconds, not in whole seconds.',
  },
  'one-window-for-keys': {
    title: 'API keys share one window',
    consequence: 'One busy client blocks the others.',
    fix: 'Give each API key a count of its own.',
  },
  'one-window-for-scopes': {
    title: 'Scopes share one window',
    consequence: 'Requests of one scope use up the limit of another.',
    fix: 'Give each scope of a key a count of its own.',
  },
  'counted-apart': {
    title: 'Paths below /v1/messages have a count of their own',
    consequence: 'More messaging requests pass than the limit allows.',
    fix: 'Count them in the window of /v1/messages.',
  },
  'counted-per-node': {
    title: 'Each node counts for itself',
    consequence: 'The limit is multiplied by the number of nodes.',
    fix: 'Keep the counts in one store for all nodes. With express-rate-limit: use another store, since its own is the memory of one process.',
  },
};

const askAgainTooEarly = 'Clients that follow it are refused again, or wait longer than they need to.';

/** Everything else, by clause, or by clause and reason where the reasons are different failures. */
const byClause: Readonly<Record<string, FailureText>> = {
  'limits.shared counted-apart': {
    title: 'Each key has a count of its own',
    consequence: 'Whoever has several keys gets the limit with each of them.',
    fix: 'Count all keys of one account, or all that comes from one address, together.',
  },
  'refusal.body': {
    title: 'A 429 has another body than the document says',
    consequence: 'Clients that tell a refusal by its body take it for something else.',
    fix: 'Send the documented values in the body of each refusal; the evidence names the place that differs.',
  },
  'refusal.body-schema': {
    title: 'The body of a 429 does not fit the documented schema',
    consequence: 'Clients that are made from the schema cannot read it.',
    fix: 'Change the body where the evidence says, or the schema of the document.',
  },
  'refusal.reset-suffices': {
    title: 'Clients that wait until the reset are refused again',
    consequence: 'Every retry costs a second 429.',
    fix: 'Tell when requests are admitted again, rounded up to whole seconds: where windows begin anew, when the next one does.',
  },
  'refusal.stated-wait-suffices': {
    title: 'Clients that wait as long as the document says are refused again',
    consequence: 'Every retry costs a second 429, and may begin the wait anew.',
    fix: 'End what shuts a client out by then, or document how long it lasts.',
  },
  'headers.present': {
    title: 'Rate-limit headers are missing on some answers',
    consequence: 'Clients cannot see how many requests they have left.',
    fix: 'Set the three headers in one place that every answer passes, errors too.',
  },
  'headers.limit': {
    title: 'X-RateLimit-Limit is not the documented number',
    consequence: 'Clients that adapt to it send too much or too little.',
    fix: 'Send the limit of the scope that the request belongs to, as one integer.',
  },
  'headers.remaining too-high': {
    title: 'X-RateLimit-Remaining is too high',
    consequence: 'Clients that rely on it are refused.',
    fix: 'Read it from the window that admits the request, after the request has been counted.',
  },
  'headers.remaining too-low': {
    title: 'X-RateLimit-Remaining is too low',
    consequence: 'Clients that rely on it wait without need.',
    fix: 'Read it from the window that admits the request, after the request has been counted.',
  },
  'headers.remaining': {
    title: 'X-RateLimit-Remaining is not a plain integer',
    consequence: 'Clients cannot read it.',
    fix: 'Send one integer, without a unit or a list.',
  },
  'headers.remaining-on-429': {
    title: 'X-RateLimit-Remaining is not 0 on a 429',
    consequence: 'Clients that rely on it retry at once.',
    fix: 'Send 0 while the window is full.',
  },
  'headers.reset milliseconds': {
    title: 'X-RateLimit-Reset is in milliseconds',
    consequence: 'Clients that rely on it never retry.',
    fix: 'Divide by 1,000, and round up.',
  },
  'headers.reset delta': {
    title: 'X-RateLimit-Reset is a number of seconds to wait, not a time',
    consequence: 'Clients take it for a time in 1970 and retry at once.',
    fix: 'Add the present Unix time, in seconds.',
  },
  'headers.reset beyond-window': {
    title: 'X-RateLimit-Reset is further ahead than one window',
    consequence: 'Clients that rely on it wait too long.',
    fix: 'Send the Unix time, in seconds, at which the window resets.',
  },
  'headers.reset': {
    title: 'X-RateLimit-Reset is no possible time of a reset',
    consequence: askAgainTooEarly,
    fix: 'Send the Unix time, in seconds, at which the window resets.',
  },
  'error.status': {
    title: 'Requests over the limit get another status than 429',
    consequence: 'Clients do not recognise the limit, and do not wait.',
    fix: 'Answer 429, also in proxies and firewalls in front of the API.',
  },
  'error.shape': {
    title: 'The body of a 429 has another shape than documented',
    consequence: 'Clients cannot read the code and the wait.',
    fix: 'Send {"success": false, "error": {"code": …, "message": …, "retry_after_seconds": …}}.',
  },
  'error.code': {
    title: 'error.code of a 429 is not rate_limit_exceeded',
    consequence: 'Clients do not recognise the limit, and do not wait.',
    fix: 'Send the documented code.',
  },
  'error.message': {
    title: 'error.message of a 429 is missing or no string',
    consequence: 'Clients that read it fail.',
    fix: 'Send a sentence for people.',
  },
  'error.message-text': {
    title: 'error.message of a 429 is empty',
    consequence: 'People who read logs do not learn what happened.',
    fix: 'Send a sentence for people.',
  },
  'error.retry-after': {
    title: 'retry_after_seconds cannot be used as a wait',
    consequence: 'Clients do not know when to retry.',
    fix: 'Send a whole number of seconds, from 1 to the length of the window.',
  },
  'error.retry-after-length': {
    title: 'retry_after_seconds is longer than any place in the window is held',
    consequence: 'Clients that wait so long get less than the documented limit.',
    fix: 'Compute the wait until the oldest request leaves the window, and round it up to whole seconds.',
  },
  'error.retry-after-suffices': {
    title: 'Clients that wait retry_after_seconds are refused again',
    consequence: 'Every retry costs a second 429.',
    fix: 'Compute the wait until the oldest request leaves the window, and round it up to whole seconds.',
  },
  'error.content-type': {
    title: 'A 429 is not labelled as JSON',
    consequence: 'Some clients do not parse its body.',
    fix: 'Send Content-Type: application/json.',
  },
  'error.other-shape': {
    title: 'Other errors have another shape than documented',
    consequence: 'Clients need a second way to read errors.',
    fix: 'Give all errors the shape of the 429.',
  },
  'auth.bearer': {
    title: 'Requests without a valid key are served',
    consequence: 'Anybody can use the API.',
    fix: 'Refuse every request whose key is missing, malformed or unknown.',
  },
  'webhook.method': {
    title: 'Webhooks are not sent with POST',
    consequence: 'Receivers that take POST alone refuse the event.',
    fix: 'Send each event with POST.',
  },
  'webhook.content-type': {
    title: 'Webhooks are not labelled as JSON',
    consequence: 'Some receivers do not parse the body.',
    fix: 'Send Content-Type: application/json, once.',
  },
  'webhook.signature-form': {
    title: 'The signature has another form than documented',
    consequence: 'Receivers that verify signatures refuse the event.',
    fix: 'Send one header X-Service-Signature: sha256=<signature>.',
  },
  'webhook.one-post-per-event several-events-in-one-post': {
    title: 'Several events come in one request',
    consequence: 'Receivers read the first event, or none.',
    fix: 'Send one request for each event.',
  },
  'webhook.one-post-per-event': {
    title: 'Events are sent again although they were accepted',
    consequence: 'Receivers handle them twice.',
    fix: 'Take any 2xx for accepted, and send the event no more.',
  },
  'webhook.envelope': {
    title: 'An event is not an object with event, timestamp and data',
    consequence: 'Receivers cannot read it.',
    fix: 'Send the three fields in one JSON object.',
  },
  'webhook.event': {
    title: 'An event is none of the five that are documented',
    consequence: 'Receivers ignore it or fail.',
    fix: 'Send the documented names, in their spelling.',
  },
  'webhook.timestamp': {
    title: 'The timestamp of an event is no time since the epoch',
    consequence: 'Receivers cannot order events or reject old ones.',
    fix: 'Send the time of the event as an integer.',
  },
  'webhook.received-data': {
    title: 'A message.received lacks a documented field',
    consequence: 'Receivers cannot handle the message.',
    fix: 'Send all documented fields, as strings.',
  },
  'webhook.read-data': {
    title: 'A message.read has other data than documented',
    consequence: 'Receivers mark the wrong message, or none.',
    fix: 'Send all documented fields; the sender of a message.read is the business.',
  },
  'webhook.message-id': {
    title: 'message_id has another form than msg_<identifier>',
    consequence: 'Receivers do not find the message.',
    fix: 'Send the id in its documented form.',
  },
  'webhook.numbers': {
    title: 'A phone number has characters that are no digits',
    consequence: 'Receivers do not find the customer.',
    fix: 'Send digits only: no plus sign, no spaces.',
  },
  'webhook.recipient-is-waba': {
    title: 'recipient and waba_number of an inbound message differ',
    consequence: 'Receivers with several numbers take it for another one’s message.',
    fix: 'Send the number of the business in both fields.',
  },
  'client.waits': {
    title: 'The client retries before retry_after_seconds are over',
    consequence: 'The retry is refused and costs a request.',
    fix: 'Wait at least retry_after_seconds after the 429 arrived.',
  },
  'client.backoff-grows': {
    title: 'The client does not back off further when it is refused again',
    consequence: 'It keeps a busy service busy.',
    fix: 'Double the range of the wait with each refusal of the same request.',
  },
  'client.jitter': {
    title: 'The client waits without jitter',
    consequence: 'Clients that were refused together return together, and most are refused again.',
    fix: 'Add a random part to each wait.',
  },
  'client.loses-nothing': {
    title: 'The client gives requests up',
    consequence: 'Their work is lost unless the caller starts again.',
    fix: 'Retry until the request is admitted; a 429 had no effect.',
  },
  'client.repeats-nothing': {
    title: 'The client sends a request again after it was admitted',
    consequence: 'The same thing happens twice.',
    fix: 'Retry only refused requests, or use an Idempotency-Key.',
  },
};

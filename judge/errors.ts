import type { ErrorClauseId } from '../contract/clauses/errors.ts';
import { limitedStatusText } from '../contract/document/document.ts';
import { saysLimit } from '../contract/document/says-limit.ts';
import { bodyOf, type ExchangeBody, fieldOf, rateLimitCode } from '../contract/error-body.ts';
import type { Exchange } from '../contract/exchange.ts';
import { isJsonObject } from '../contract/json-object.ts';
import { howMany } from '../contract/quantities.ts';
import { shown } from '../contract/shown-json.ts';
import { held, inconclusive, notApplicable, observed, violated } from '../contract/verdict.ts';
import { answerText, distinct, judgeBodies, leftOutText } from './answers.ts';
import { isOfApi, type Judge } from './case.ts';
import { evidenceOf, type Flaw } from './evidence.ts';
import { judgeField, judgeRefusalBodies, judgeRefusals } from './refused-answers.ts';
import {
  judgeRetryAfter,
  judgeRetryAfterHeader,
  judgeRetryAfterLength,
  judgeRetryAfterSuffices,
} from './retry-after.ts';
import { serverOf } from './why-open.ts';

/** `error.status` */
const judgeStatus: Judge = ({ trace, limited, analyses }) => {
  const { document } = trace.header.deployment;
  const status = limitedStatusText(document);
  // Of who sends no valid key the document counts nothing: how that is refused, it does not say.
  const mislabelled = trace.exchanges.filter(
    (exchange) =>
      exchange.credential === 'valid' && exchange.outcome === 'refused' && saysLimit(exchange, document),
  );
  const [first] = mislabelled;
  if (first !== undefined) {
    const said = document.refusal?.body === undefined ? `code ${rateLimitCode}` : 'the body of a refusal';
    const seen = `HTTP ${first.status} with ${said} (${howMany(mislabelled.length, 'answer')})`;
    return violated('not-429', evidenceOf(`HTTP ${status} over the limit`, seen, mislabelled));
  }
  if (limited.length === 1) return held(`1 refusal, HTTP ${status}`);
  if (limited.length > 1) return held(`${howMany(limited.length, 'refusal')}, all HTTP ${status}`);
  const full = analyses.find(({ group }) => group.admitted.length >= group.limit);
  return inconclusive(
    full === undefined ? 'no limit was reached' : `no request over the limit got a ${status}`,
  );
};

/** `error.shape` */
const judgeShape: Judge = (subject) =>
  judgeRefusalBodies(subject, {
    expected: 'JSON with success false and an error object',
    examine: (exchange) => shapeFlaw(bodyOf(exchange)),
  });

/** `error.code` */
const judgeCode: Judge = (subject) =>
  judgeField(subject, 'code', `error.code "${rateLimitCode}"`, (code) => {
    if (code === rateLimitCode) return null;
    return { reason: code === undefined ? 'absent' : 'wrong-code', seen: `error.code ${shown(code)}` };
  });

/** `error.message` */
const judgeMessage: Judge = (subject) =>
  judgeField(subject, 'message', 'error.message is a string', (message) => {
    if (typeof message === 'string') return null;
    return {
      reason: message === undefined ? 'absent' : 'not-a-string',
      seen: `error.message ${shown(message)}`,
    };
  });

/** `error.message-text` */
const judgeMessageText: Judge = (subject) =>
  judgeField(subject, 'message', 'error.message is not empty', (message) =>
    typeof message === 'string' && message.trim() === ''
      ? { reason: 'empty', seen: 'an empty error.message' }
      : null,
  );

/** `error.content-type` */
const judgeContentType: Judge = (subject) => {
  const { limited } = subject;
  return judgeRefusals(subject, {
    // A service may leave what it works out with the content out of an answer to HEAD (RFC 9110 §9.3.2).
    judged: limited.filter(({ method }) => method !== 'HEAD'),
    expected: 'a JSON content type',
    examine: ({ contentType }) => {
      if (contentType !== null && /^application\/([\w.+-]+\+)?json\b/i.test(contentType)) return null;
      return {
        reason: 'not-json',
        seen: contentType === null ? 'no Content-Type' : `Content-Type ${shown(contentType)}`,
      };
    },
    leftOut: leftOutText(limited.filter(({ method }) => method === 'HEAD')),
  });
};

/** `error.other-shape` */
const judgeOtherShape: Judge = ({ trace, ban }) => {
  const others = trace.exchanges.filter((exchange) => isOtherError(exchange) && isOfApi(exchange, ban));
  if (others.length === 0) {
    return inconclusive('no other error was seen: set requests.otherError to a request that gets one');
  }
  return judgeBodies(others, 'JSON with success false, error.code and error.message', (exchange) => {
    const body = bodyOf(exchange);
    const flaw = shapeFlaw(body) ?? stringFlaw(body, 'code') ?? stringFlaw(body, 'message');
    return flaw && { ...flaw, seen: `HTTP ${exchange.status}: ${flaw.seen}` };
  });
};

/** `error.other-codes` */
const judgeOtherCodes: Judge = ({ trace, ban }) => {
  const others = trace.exchanges.filter(isOtherError);
  const text = (exchange: Exchange): string =>
    isOfApi(exchange, ban) ? answerText(exchange) : otherLayerText(exchange);
  return others.length === 0
    ? notApplicable('no other error was seen')
    : observed(distinct(others.map(text)));
};

function otherLayerText(exchange: Exchange): string {
  const server = serverOf(exchange);
  return `${exchange.status} of another layer${server === null ? '' : ` (server: ${server})`}`;
}

/** Any error but the 429 of a key's window: without a valid key there is no window that a 429 could be about. */
function isOtherError({ status, outcome, credential }: Exchange): boolean {
  return status !== null && status >= 400 && (outcome !== 'limited' || credential !== 'valid');
}

/** What keeps a body from being the documented one, apart from the fields inside `error`. */
function shapeFlaw(body: ExchangeBody): Flaw | null {
  if (body.kind === 'not-json') return { reason: 'not-json', seen: body.why };
  const success = fieldOf(body, 'success');
  if (success === undefined) return { reason: 'no-success', seen: 'no field success' };
  if (success !== false) return { reason: 'success-not-false', seen: `success ${shown(success)}` };
  const error = fieldOf(body, 'error');
  return isJsonObject(error) ? null : { reason: 'no-error-object', seen: `error ${shown(error)}` };
}

function stringFlaw(body: ExchangeBody, name: string): Flaw | null {
  const value = fieldOf(body, 'error', name);
  return typeof value === 'string' ? null : { reason: `no-${name}`, seen: `error.${name} ${shown(value)}` };
}

/** The judge of each clause of `contract/clauses/errors.ts`. */
export const errorJudges: Readonly<Record<ErrorClauseId, Judge>> = {
  'error.status': judgeStatus,
  'error.shape': judgeShape,
  'error.code': judgeCode,
  'error.message': judgeMessage,
  'error.message-text': judgeMessageText,
  'error.retry-after': judgeRetryAfter,
  'error.retry-after-length': judgeRetryAfterLength,
  'error.retry-after-suffices': judgeRetryAfterSuffices,
  'error.content-type': judgeContentType,
  'error.other-shape': judgeOtherShape,
  'error.other-codes': judgeOtherCodes,
  'error.retry-after-header': judgeRetryAfterHeader,
};

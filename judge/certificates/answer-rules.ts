import type { DecidedClauseId } from '../../contract/clauses/registry.ts';
import { bodyOf, errorField, fieldOf, rateLimitCode } from '../../contract/error-body.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { isJsonObject } from '../../contract/json-object.ts';
import { numberText } from '../../contract/number-text.ts';
import { headerInteger, type RateLimitHeader } from '../../contract/rate-limit-headers.ts';
import { resetIn } from '../../contract/reset-units.ts';
import { longestWindowMsIn } from '../../contract/trace-windows.ts';
import { type Case, isKeyed, isOfApi } from '../case.ts';

/** Whether one answer breaks a clause by itself. */
type Rule = (exchange: Exchange, subject: Case) => boolean;

const isLimited = ({ credential, outcome }: Exchange): boolean =>
  credential === 'valid' && outcome === 'limited';

const missing =
  (outcome: Exchange['outcome']): Rule =>
  (exchange, subject) =>
    isKeyed(exchange, subject) &&
    exchange.outcome === outcome &&
    Object.values(exchange.headers).includes(null);

const notANumber =
  (name: RateLimitHeader, read: (exchange: Exchange) => number | null): Rule =>
  (exchange, subject) =>
    isKeyed(exchange, subject) && exchange.headers[name] !== null && read(exchange) === null;

const notAnInteger = (name: RateLimitHeader): Rule =>
  notANumber(name, (exchange) => headerInteger(exchange, name));

/** A rule on 429s whose body can be judged. */
const of429 =
  (rule: Rule): Rule =>
  (exchange, subject) =>
    isLimited(exchange) && bodyOf(exchange).kind !== 'left-out' && rule(exchange, subject);

/** A rule on other errors of the API. Without a valid key there is no window that a 429 could be about. */
const ofOther =
  (rule: (exchange: Exchange) => boolean): Rule =>
  (exchange, { ban }) => {
    const { status, credential } = exchange;
    const isOther = status !== null && status >= 400 && (status !== 429 || credential !== 'valid');
    return isOther && isOfApi(exchange, ban) && rule(exchange);
  };

const notJson = (exchange: Exchange): boolean => bodyOf(exchange).kind === 'not-json';

const noSuccess = (exchange: Exchange): boolean => {
  const body = bodyOf(exchange);
  return body.kind === 'json' && fieldOf(body, 'success') === undefined;
};

const successNotFalse = (exchange: Exchange): boolean => {
  const success = fieldOf(bodyOf(exchange), 'success');
  return success !== undefined && success !== false;
};

const noErrorObject = (exchange: Exchange): boolean => {
  const body = bodyOf(exchange);
  return fieldOf(body, 'success') === false && !isJsonObject(fieldOf(body, 'error'));
};

const isShaped = (exchange: Exchange): boolean =>
  fieldOf(bodyOf(exchange), 'success') === false && isJsonObject(fieldOf(bodyOf(exchange), 'error'));

const noCode = (exchange: Exchange): boolean =>
  isShaped(exchange) && typeof errorField(exchange, 'code') !== 'string';

const noMessage = (exchange: Exchange): boolean =>
  isShaped(exchange) &&
  typeof errorField(exchange, 'code') === 'string' &&
  typeof errorField(exchange, 'message') !== 'string';

/** A rule on one field of `error`, of bodies that have such an object. */
const field = (name: string, rule: (value: unknown, subject: Case) => boolean): Rule =>
  of429(
    (exchange, subject) =>
      typeof fieldOf(bodyOf(exchange), 'error') === 'object' && rule(errorField(exchange, name), subject),
  );

const isAbsent = (value: unknown): boolean => value === undefined;

const isWholeNumber = (value: unknown): value is number => Number.isInteger(value);

/** A place may be held a second longer than its window by counting in whole seconds, and the wait be rounded up. */
const spareSeconds = 2;

const windowSeconds = ({ trace }: Case): number => Math.ceil(longestWindowMsIn(trace.header) / 1_000);

const neededSeconds = (subject: Case): number => windowSeconds(subject) + spareSeconds;

/** Beyond two windows a figure is no wait. */
const longestWaitSeconds = (subject: Case): number =>
  Math.max(2 * windowSeconds(subject), neededSeconds(subject));

const notWhole = field('retry_after_seconds', (value) => value !== undefined && !isWholeNumber(value));

/** A whole number that its text does not write as an integer. */
const writtenOtherwise: Rule = of429((exchange) => {
  const text = numberText(exchange, 'retry_after_seconds');
  return text !== null && !/^-?\d+$/.test(text);
});

/** The clauses of which one answer is the whole proof, and what it has to say for each reason. */
export const answerRules: Readonly<Partial<Record<DecidedClauseId, Readonly<Record<string, Rule>>>>> = {
  'headers.present': {
    'missing-on-success': missing('admitted'),
    'missing-on-429': missing('limited'),
    'missing-on-error': missing('refused'),
  },
  'headers.limit': {
    'not-an-integer': notAnInteger('limit'),
    'wrong-limit': (exchange, subject) => {
      const value = headerInteger(exchange, 'limit');
      return (
        isKeyed(exchange, subject) && value !== null && value !== subject.trace.header.limits[exchange.scope]
      );
    },
  },
  'headers.remaining': { 'not-an-integer': notAnInteger('remaining') },
  'headers.reset': {
    'not-an-integer': notANumber('reset', (exchange) => resetIn('epoch-seconds', exchange)),
  },
  'error.status': {
    'not-429': (exchange) =>
      exchange.credential === 'valid' &&
      exchange.outcome === 'refused' &&
      errorField(exchange, 'code') === rateLimitCode,
  },
  'error.shape': {
    'not-json': of429(notJson),
    'no-success': of429(noSuccess),
    'success-not-false': of429(successNotFalse),
    'no-error-object': of429(noErrorObject),
  },
  'error.code': {
    absent: field('code', isAbsent),
    'wrong-code': field('code', (value) => value !== undefined && value !== rateLimitCode),
  },
  'error.message': {
    absent: field('message', isAbsent),
    'not-a-string': field('message', (value) => value !== undefined && typeof value !== 'string'),
  },
  'error.message-text': {
    empty: field('message', (value) => typeof value === 'string' && value.trim() === ''),
  },
  'error.retry-after': {
    absent: field('retry_after_seconds', isAbsent),
    'not-an-integer': (exchange, subject) =>
      notWhole(exchange, subject) || writtenOtherwise(exchange, subject),
    zero: field('retry_after_seconds', (value) => isWholeNumber(value) && value < 1),
    'too-long': field(
      'retry_after_seconds',
      (value, subject) => isWholeNumber(value) && value > longestWaitSeconds(subject),
    ),
  },
  'error.retry-after-length': {
    'longer-than-needed': field(
      'retry_after_seconds',
      (value, subject) => typeof value === 'number' && value > neededSeconds(subject),
    ),
  },
  'error.content-type': {
    'not-json': (exchange) => {
      const { contentType, method } = exchange;
      const isJson = contentType !== null && /^application\/([\w.+-]+\+)?json\b/i.test(contentType);
      return isLimited(exchange) && method !== 'HEAD' && !isJson;
    },
  },
  'error.other-shape': {
    'not-json': ofOther(notJson),
    'no-success': ofOther(noSuccess),
    'success-not-false': ofOther(successNotFalse),
    'no-error-object': ofOther(noErrorObject),
    'no-code': ofOther(noCode),
    'no-message': ofOther(noMessage),
  },
  'auth.bearer': {
    'admitted-without-key': ({ credential, outcome }) => credential !== 'valid' && outcome === 'admitted',
  },
};

import type { DecidedClauseId } from '../../contract/clauses/registry.ts';
import { bodyOf, errorField, fieldOf, rateLimitCode } from '../../contract/error-body.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { numberText } from '../../contract/number-text.ts';
import {
  headerInteger,
  type RateLimitHeader,
  rateLimitHeaderNames,
  resetSeconds,
} from '../../contract/rate-limit-headers.ts';
import { type Case, isOfApi } from '../case.ts';

/** What one answer says, and what it should have said, where that is one value. */
export type Said = { readonly found: unknown; readonly expected: string | number | boolean | null };

type Rule = (exchange: Exchange, subject: Case) => Said | null;

const wrong = (found: unknown, expected: Said['expected'] = null): Said => ({ found, expected });

const isKeyed = (exchange: Exchange, { ban }: Case): boolean =>
  exchange.credential === 'valid' && exchange.status !== null && isOfApi(exchange, ban);

const isLimited = ({ credential, outcome }: Exchange): boolean =>
  credential === 'valid' && outcome === 'limited';

const missing =
  (outcome: Exchange['outcome']): Rule =>
  (exchange, subject) => {
    const names = Object.keys(rateLimitHeaderNames) as RateLimitHeader[];
    const absent = names.filter((name) => exchange.headers[name] === null);
    const isMissing = isKeyed(exchange, subject) && exchange.outcome === outcome && absent.length > 0;
    return isMissing ? wrong(absent) : null;
  };

const notANumber =
  (name: RateLimitHeader, read: (exchange: Exchange) => number | null): Rule =>
  (exchange, subject) => {
    const raw = exchange.headers[name];
    return isKeyed(exchange, subject) && raw !== null && read(exchange) === null ? wrong(raw) : null;
  };

const notAnInteger = (name: RateLimitHeader): Rule =>
  notANumber(name, (exchange) => headerInteger(exchange, name));

/** A rule on 429s whose body can be judged. */
const of429 =
  (rule: Rule): Rule =>
  (exchange, subject) =>
    isLimited(exchange) && bodyOf(exchange).kind !== 'left-out' ? rule(exchange, subject) : null;

/** A rule on other errors of the API. Without a valid key there is no window that a 429 could be about. */
const ofOther =
  (rule: (exchange: Exchange) => Said | null): Rule =>
  (exchange, { ban }) => {
    const { status, credential } = exchange;
    const isOther = status !== null && status >= 400 && (status !== 429 || credential !== 'valid');
    const isJudged = isOther && isOfApi(exchange, ban) && bodyOf(exchange).kind !== 'left-out';
    return isJudged ? rule(exchange) : null;
  };

const notJson = (exchange: Exchange): Said | null =>
  bodyOf(exchange).kind === 'not-json' ? wrong(null) : null;

const noSuccess = (exchange: Exchange): Said | null => {
  const body = bodyOf(exchange);
  return body.kind === 'json' && fieldOf(body, 'success') === undefined ? wrong(null) : null;
};

const successNotFalse = (exchange: Exchange): Said | null => {
  const success = fieldOf(bodyOf(exchange), 'success');
  return success === undefined || success === false ? null : wrong(success, false);
};

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const noErrorObject = (exchange: Exchange): Said | null => {
  const body = bodyOf(exchange);
  const error = fieldOf(body, 'error');
  return fieldOf(body, 'success') === false && !isObject(error) ? wrong(error ?? null) : null;
};

const isShaped = (exchange: Exchange): boolean =>
  fieldOf(bodyOf(exchange), 'success') === false && isObject(fieldOf(bodyOf(exchange), 'error'));

const noCode = (exchange: Exchange): Said | null => {
  const code = errorField(exchange, 'code');
  return isShaped(exchange) && typeof code !== 'string' ? wrong(code ?? null) : null;
};

const noMessage = (exchange: Exchange): Said | null => {
  const message = errorField(exchange, 'message');
  const hasCode = isShaped(exchange) && typeof errorField(exchange, 'code') === 'string';
  return hasCode && typeof message !== 'string' ? wrong(message ?? null) : null;
};

/** A rule on one field of `error`, of bodies that have such an object. */
const field = (name: string, rule: (value: unknown, subject: Case) => Said | null): Rule =>
  of429((exchange, subject) =>
    typeof fieldOf(bodyOf(exchange), 'error') === 'object' ? rule(errorField(exchange, name), subject) : null,
  );

const absent = (expected: Said['expected']) => (value: unknown) =>
  value === undefined ? wrong(null, expected) : null;

const isWholeNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value);

/** A place may be held a second longer than its window by counting in whole seconds, and the wait be rounded up. */
const spareSeconds = 2;

const windowSeconds = ({ trace }: Case): number => Math.ceil(trace.header.windowMs / 1_000);

const neededSeconds = (subject: Case): number => windowSeconds(subject) + spareSeconds;

/** Beyond two windows a figure is no wait. */
const longestWaitSeconds = (subject: Case): number =>
  Math.max(2 * windowSeconds(subject), neededSeconds(subject));

const notWhole = field('retry_after_seconds', (value) =>
  value === undefined || isWholeNumber(value) ? null : wrong(value),
);

/** A whole number that its text does not write as an integer. */
const writtenOtherwise: Rule = of429((exchange) => {
  const text = numberText(exchange, 'retry_after_seconds');
  return text === null || /^-?\d+$/.test(text) ? null : wrong(text);
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
      const expected = subject.trace.header.limits[exchange.scope];
      const isWrong = isKeyed(exchange, subject) && value !== null && value !== expected;
      return isWrong ? wrong(value, expected) : null;
    },
  },
  'headers.remaining': { 'not-an-integer': notAnInteger('remaining') },
  'headers.reset': { 'not-an-integer': notANumber('reset', resetSeconds) },
  'error.status': {
    'not-429': (exchange) =>
      exchange.outcome === 'refused' && errorField(exchange, 'code') === rateLimitCode
        ? wrong(exchange.status, 429)
        : null,
  },
  'error.shape': {
    'not-json': of429(notJson),
    'no-success': of429(noSuccess),
    'success-not-false': of429(successNotFalse),
    'no-error-object': of429(noErrorObject),
  },
  'error.code': {
    absent: field('code', absent(rateLimitCode)),
    'wrong-code': field('code', (value) =>
      value === undefined || value === rateLimitCode ? null : wrong(value, rateLimitCode),
    ),
  },
  'error.message': {
    absent: field('message', absent(null)),
    'not-a-string': field('message', (value) =>
      value === undefined || typeof value === 'string' ? null : wrong(value),
    ),
  },
  'error.message-text': {
    empty: field('message', (value) =>
      typeof value === 'string' && value.trim() === '' ? wrong(value) : null,
    ),
  },
  'error.retry-after': {
    absent: field('retry_after_seconds', absent(null)),
    'not-an-integer': (exchange, subject) =>
      notWhole(exchange, subject) ?? writtenOtherwise(exchange, subject),
    zero: field('retry_after_seconds', (value) =>
      isWholeNumber(value) && value < 1 ? wrong(value, 1) : null,
    ),
    'too-long': field('retry_after_seconds', (value, subject) =>
      isWholeNumber(value) && value > longestWaitSeconds(subject)
        ? wrong(value, longestWaitSeconds(subject))
        : null,
    ),
  },
  'error.retry-after-length': {
    'longer-than-needed': field('retry_after_seconds', (value, subject) =>
      typeof value === 'number' && value > neededSeconds(subject)
        ? wrong(value, neededSeconds(subject))
        : null,
    ),
  },
  'error.content-type': {
    'not-json': (exchange) => {
      const { contentType, method } = exchange;
      const isJson = contentType !== null && /^application\/([\w.+-]+\+)?json\b/i.test(contentType);
      return isLimited(exchange) && method !== 'HEAD' && !isJson ? wrong(contentType) : null;
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
    'admitted-without-key': ({ credential, outcome, status }) =>
      credential !== 'valid' && outcome === 'admitted' ? wrong(status) : null,
  },
};

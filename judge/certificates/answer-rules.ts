import type { DecidedClauseId } from '../../contract/clauses/registry.ts';
import { bodyOf, errorField, fieldOf, rateLimitCode } from '../../contract/error-body.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { bodyCharactersMax } from '../../contract/outcome.ts';
import {
  headerInteger,
  type RateLimitHeader,
  rateLimitHeaderNames,
} from '../../contract/rate-limit-headers.ts';
import type { TraceHeader } from '../../contract/trace.ts';

type Json = string | number | boolean | null | { readonly [name: string]: Json } | readonly Json[];

/** What one answer says, and what it should have said, where that is one value. */
export type Said = { readonly found: unknown; readonly expected: Json };

type Rule = (exchange: Exchange, header: TraceHeader) => Said | null;

const wrong = (found: unknown, expected: Json = null): Said => ({ found, expected });

const isKeyed = ({ credential, status }: Exchange): boolean =>
  credential === 'valid' && status !== null && status < 500;
const isLimited = (exchange: Exchange): boolean => isKeyed(exchange) && exchange.outcome === 'limited';
const isWhole = ({ body }: Exchange): boolean => (body?.length ?? 0) < bodyCharactersMax;

const missing =
  (outcome: Exchange['outcome']): Rule =>
  (exchange) => {
    const names = Object.keys(rateLimitHeaderNames) as RateLimitHeader[];
    const absent = names.filter((name) => exchange.headers[name] === null);
    return isKeyed(exchange) && exchange.outcome === outcome && absent.length > 0 ? wrong(absent) : null;
  };

const notAnInteger =
  (name: RateLimitHeader): Rule =>
  (exchange) => {
    const raw = exchange.headers[name];
    return isKeyed(exchange) && raw !== null && headerInteger(exchange, name) === null ? wrong(raw) : null;
  };

/** A rule on whole bodies of 429s. */
const of429 =
  (rule: (exchange: Exchange, header: TraceHeader) => Said | null): Rule =>
  (exchange, header) =>
    isLimited(exchange) && isWhole(exchange) ? rule(exchange, header) : null;

const ofOther =
  (rule: (exchange: Exchange) => Said | null): Rule =>
  (exchange) => {
    const { status, method } = exchange;
    const isOther = status !== null && status >= 400 && status < 500 && status !== 429 && method !== 'HEAD';
    return isOther && isWhole(exchange) ? rule(exchange) : null;
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

const noString =
  (name: 'code' | 'message'): ((exchange: Exchange) => Said | null) =>
  (exchange) => {
    const value = errorField(exchange, name);
    if (!isShaped(exchange) || typeof value === 'string') return null;
    return name === 'message' && typeof errorField(exchange, 'code') !== 'string'
      ? null
      : wrong(value ?? null);
  };

/** A rule on one field of `error`, of bodies that have such an object. */
const field = (name: string, rule: (value: unknown, header: TraceHeader) => Said | null): Rule =>
  of429((exchange, header) =>
    typeof fieldOf(bodyOf(exchange), 'error') === 'object' ? rule(errorField(exchange, name), header) : null,
  );

const absent = (expected: Json) => (value: unknown) => (value === undefined ? wrong(null, expected) : null);

const isWholeNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value);

const longestWaitSeconds = ({ windowMs }: TraceHeader): number => Math.ceil(windowMs / 1_000) + 1;

/** The clauses of which one answer is the whole proof, and what it has to say for each reason. */
export const answerRules: Readonly<Partial<Record<DecidedClauseId, Readonly<Record<string, Rule>>>>> = {
  'headers.present': {
    'missing-on-success': missing('admitted'),
    'missing-on-429': missing('limited'),
    'missing-on-error': missing('refused'),
  },
  'headers.limit': {
    'not-an-integer': notAnInteger('limit'),
    'wrong-limit': (exchange, { limits }) => {
      const value = headerInteger(exchange, 'limit');
      const expected = limits[exchange.scope];
      return isKeyed(exchange) && value !== null && value !== expected ? wrong(value, expected) : null;
    },
  },
  'headers.remaining': { 'not-an-integer': notAnInteger('remaining') },
  'headers.reset': { 'not-an-integer': notAnInteger('reset') },
  'headers.remaining-on-429': {
    'not-zero': (exchange) => {
      const value = headerInteger(exchange, 'remaining');
      return isLimited(exchange) && value !== null && value !== 0 ? wrong(value, 0) : null;
    },
  },
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
    'not-an-integer': field('retry_after_seconds', (value) =>
      value === undefined || isWholeNumber(value) ? null : wrong(value),
    ),
    zero: field('retry_after_seconds', (value) =>
      isWholeNumber(value) && value < 1 ? wrong(value, 1) : null,
    ),
    'too-long': field('retry_after_seconds', (value, header) =>
      isWholeNumber(value) && value > longestWaitSeconds(header)
        ? wrong(value, longestWaitSeconds(header))
        : null,
    ),
  },
  'error.content-type': {
    'not-json': of429(({ contentType }) =>
      contentType !== null && /^application\/([\w.+-]+\+)?json\b/i.test(contentType)
        ? null
        : wrong(contentType),
    ),
  },
  'error.other-shape': {
    'not-json': ofOther(notJson),
    'no-success': ofOther(noSuccess),
    'success-not-false': ofOther(successNotFalse),
    'no-error-object': ofOther(noErrorObject),
    'no-code': ofOther(noString('code')),
    'no-message': ofOther(noString('message')),
  },
  'auth.bearer': {
    'admitted-without-key': ({ credential, outcome, status }) =>
      credential !== 'valid' && outcome === 'admitted' ? wrong(status) : null,
  },
};

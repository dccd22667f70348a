import { bodyOf, errorField, fieldOf, type ParsedBody, rateLimitCode } from '../contract/error-body.ts';
import type { Exchange } from '../contract/exchange.ts';
import { bodyCharactersMax } from '../contract/kept-text.ts';
import { held, inconclusive, type Verdict, violated } from '../contract/verdict.ts';
import { type Case, inconclusiveBecause, type Judge } from './case.ts';
import { evidenceOf } from './evidence.ts';

/** What is wrong with one answer: a stable reason, and what was seen. */
type Fault = { readonly reason: string; readonly seen: string };

const noRefusal = 'no 429 was seen';

/** `error.status` */
export const judgeStatus: Judge = ({ trace, limited, analyses }) => {
  const mislabelled = trace.exchanges.filter(
    (exchange) => exchange.outcome === 'refused' && errorField(exchange, 'code') === rateLimitCode,
  );
  const [first] = mislabelled;
  if (first !== undefined) {
    const seen = `HTTP ${first.status} with code ${rateLimitCode} (${mislabelled.length} answers)`;
    return violated('not-429', evidenceOf('HTTP 429 over the limit', seen, mislabelled));
  }
  if (limited.length > 0) return held(`${limited.length} refusals, all HTTP 429`);
  const full = analyses.find(({ group }) => group.admitted.length >= group.limit);
  return inconclusive(
    full === undefined ? 'no limit was reached' : 'over the limit nothing was refused with a 429',
  );
};

/** `error.shape` */
export const judgeShape: Judge = ({ limited }) =>
  judgeEach(limited, 'JSON with success false and an error object', (exchange) =>
    shapeFault(bodyOf(exchange)),
  );

/** `error.code` */
export const judgeCode: Judge = (subject) =>
  judgeField(subject, 'code', `error.code "${rateLimitCode}"`, (code) => {
    if (code === rateLimitCode) return null;
    return { reason: code === undefined ? 'absent' : 'wrong-code', seen: `error.code ${text(code)}` };
  });

/** `error.message` */
export const judgeMessage: Judge = (subject) =>
  judgeField(subject, 'message', 'error.message is a string', (message) => {
    if (typeof message === 'string') return null;
    return {
      reason: message === undefined ? 'absent' : 'not-a-string',
      seen: `error.message ${text(message)}`,
    };
  });

/** `error.message-text` */
export const judgeMessageText: Judge = (subject) =>
  judgeField(subject, 'message', 'error.message is not empty', (message) =>
    typeof message === 'string' && message.trim() === ''
      ? { reason: 'empty', seen: 'an empty error.message' }
      : null,
  );

/** `error.retry-after`: from 1 to one window, and a second for rounding up. */
export const judgeRetryAfter: Judge = (subject) => {
  const most = Math.ceil(subject.trace.header.windowMs / 1_000) + 1;
  return judgeField(subject, 'retry_after_seconds', `an integer from 1 to ${most}`, (seconds) => {
    const seen = `error.retry_after_seconds ${text(seconds)}`;
    if (seconds === undefined) return { reason: 'absent', seen };
    if (typeof seconds !== 'number' || !Number.isInteger(seconds)) return { reason: 'not-an-integer', seen };
    if (seconds < 1) return { reason: 'zero', seen };
    return seconds > most ? { reason: 'too-long', seen } : null;
  });
};

/** `error.content-type` */
export const judgeContentType: Judge = ({ limited }) =>
  judgeEach(limited, 'a JSON content type', ({ contentType }) => {
    if (contentType !== null && /^application\/([\w.+-]+\+)?json\b/i.test(contentType)) return null;
    return {
      reason: 'not-json',
      seen: contentType === null ? 'no Content-Type' : `Content-Type ${text(contentType)}`,
    };
  });

/** `error.other-shape` */
export const judgeOtherShape: Judge = ({ trace }) => {
  const others = trace.exchanges.filter(
    ({ status, method }) =>
      status !== null && status >= 400 && status < 500 && status !== 429 && method !== 'HEAD',
  );
  if (others.length === 0) {
    return inconclusive(
      'no other error was seen: set requests.otherError to a request that is answered with one',
    );
  }
  return judgeEach(others, 'JSON with success false, error.code and error.message', (exchange) => {
    const body = bodyOf(exchange);
    const fault = shapeFault(body) ?? stringFault(body, 'code') ?? stringFault(body, 'message');
    return fault && { ...fault, seen: `HTTP ${exchange.status}: ${fault.seen}` };
  });
};

/** What keeps a body from being the documented one, apart from the fields inside `error`. */
function shapeFault(body: ParsedBody): Fault | null {
  if (body.kind === 'not-json') return { reason: 'not-json', seen: body.why };
  const success = fieldOf(body, 'success');
  if (success === undefined) return { reason: 'no-success', seen: 'no field success' };
  if (success !== false) return { reason: 'success-not-false', seen: `success ${text(success)}` };
  const error = fieldOf(body, 'error');
  const isObject = typeof error === 'object' && error !== null && !Array.isArray(error);
  return isObject ? null : { reason: 'no-error-object', seen: `error ${text(error)}` };
}

function stringFault(body: ParsedBody, name: string): Fault | null {
  const value = fieldOf(body, 'error', name);
  return typeof value === 'string' ? null : { reason: `no-${name}`, seen: `error.${name} ${text(value)}` };
}

type Examine = (exchange: Exchange) => Fault | null;

/** One verdict over many answers, each looked at by itself; bodies cut off by the trace are left out. */
function judgeEach(answers: readonly Exchange[], expected: string, examine: Examine): Verdict {
  const whole = answers.filter(({ body }) => (body?.length ?? 0) < bodyCharactersMax);
  if (whole.length === 0)
    return inconclusive(answers.length === 0 ? noRefusal : 'all bodies are too long to judge');
  const faulty = whole.flatMap((exchange) => {
    const fault = examine(exchange);
    return fault === null ? [] : [{ exchange, fault }];
  });
  const [first] = faulty;
  if (first === undefined) return held(`${whole.length} answers`);
  const shown = faulty.map(({ exchange }) => exchange);
  const seen = `${first.fault.seen} (${faulty.length} of ${whole.length} answers)`;
  return violated(first.fault.reason, evidenceOf(expected, seen, shown));
}

type ExamineField = (value: unknown) => Fault | null;

/** The same for one field of `error`; bodies without an error object are `error.shape`'s to judge. */
function judgeField({ limited }: Case, name: string, expected: string, examine: ExamineField): Verdict {
  if (limited.length === 0) return inconclusive(noRefusal);
  const shaped = limited.filter((exchange) => typeof fieldOf(bodyOf(exchange), 'error') === 'object');
  if (shaped.length === 0) return inconclusiveBecause('error.shape');
  return judgeEach(shaped, expected, (exchange) => examine(errorField(exchange, name)));
}

function text(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value).slice(0, 80);
}

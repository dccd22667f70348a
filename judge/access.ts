import { errorField } from '../contract/error-body.ts';
import type { Exchange } from '../contract/exchange.ts';
import { headerInteger, type RateLimitHeader, rateLimitHeaderNames } from '../contract/rate-limit-headers.ts';
import { held, inconclusive, notApplicable, observed, violated } from '../contract/verdict.ts';
import type { Judge } from './case.ts';
import { evidenceOf } from './evidence.ts';

/** `auth.bearer` */
export const judgeBearer: Judge = ({ trace, keyed }) => {
  const intruders = withoutKey(trace.exchanges).filter(({ outcome }) => outcome === 'admitted');
  const [first] = intruders;
  if (first !== undefined) {
    return violated(
      'admitted-without-key',
      evidenceOf(
        'no 2xx without a valid key',
        `HTTP ${first.status} with ${first.credential} key (${intruders.length} answers)`,
        intruders,
      ),
    );
  }
  const served = keyed.filter(({ outcome }) => outcome === 'admitted').length;
  if (served === 0) return inconclusive('no request with a valid key was answered 2xx');
  const refused = withoutKey(trace.exchanges).filter(({ outcome }) => outcome === 'refused').length;
  return held(
    refused === 0
      ? `${served} served; not tried without a key`
      : `${served} served, ${refused} without a valid key refused`,
  );
};

/** `auth.rejections` */
export const judgeRejections: Judge = ({ trace }) => {
  const answers = withoutKey(trace.exchanges).filter(({ status }) => status !== null);
  if (answers.length === 0) return notApplicable('no request was sent without a valid key');
  return observed(distinct(answers.map((exchange) => `${exchange.credential}: ${answerText(exchange)}`)));
};

/** `auth.rejections-cost`: between two neighbouring values of a key, only requests without one were sent. */
export const judgeRejectionsCost: Judge = ({ trace }) => {
  const ordered = trace.exchanges.filter(({ scope, driver }) => scope === 'standard' && driver !== 'k6');
  const drops: number[] = [];
  let last: number | null = null;
  let keylessSince = 0;
  for (const exchange of ordered) {
    if (exchange.credential !== 'valid') {
      keylessSince += 1;
      continue;
    }
    const value = exchange.key === trace.header.keys[0] ? headerInteger(exchange, 'remaining') : null;
    if (value === null) continue;
    if (last !== null && keylessSince > 0) drops.push(last - value - 1);
    last = value;
    keylessSince = 0;
  }
  const [drop] = drops;
  if (drop === undefined) return notApplicable('no request without a valid key lay between two of a key');
  return observed(
    drop <= 0
      ? 'nothing of a valid key’s window'
      : `Remaining of a valid key fell by ${drop} more than its own requests`,
  );
};

/** `headers.without-key` */
export const judgeWithoutKeyHeaders: Judge = ({ trace }) => {
  const answers = withoutKey(trace.exchanges).filter(({ status }) => status !== null);
  if (answers.length === 0) return notApplicable('no request was sent without a valid key');
  const names = Object.keys(rateLimitHeaderNames) as readonly RateLimitHeader[];
  const carried = names.filter((name) => answers.some(({ headers }) => headers[name] !== null));
  return observed(
    carried.length === 0 ? 'none' : carried.map((name) => rateLimitHeaderNames[name]).join(', '),
  );
};

/** `error.other-codes` */
export const judgeOtherCodes: Judge = ({ trace }) => {
  const others = trace.exchanges.filter(({ status }) => status !== null && status >= 400 && status !== 429);
  return others.length === 0
    ? notApplicable('no other error was seen')
    : observed(distinct(others.map(answerText)));
};

/** `error.retry-after-header` (RFC 9110 §10.2.3) */
export const judgeRetryAfterHeader: Judge = ({ limited }) => {
  if (limited.length === 0) return inconclusive('no 429 was seen');
  const carrying = limited.filter(({ retryAfter }) => retryAfter !== null);
  if (carrying.length === 0) return observed('none');
  const agreeing = carrying.filter(
    (exchange) => errorField(exchange, 'retry_after_seconds') === Number(exchange.retryAfter),
  );
  return observed(`on ${carrying.length} of ${limited.length} 429s, ${agreeing.length} agree with the body`);
};

/** `version.prefix` */
export const judgeVersion: Judge = ({ keyed }) => {
  const served = keyed.filter(({ outcome }) => outcome === 'admitted');
  if (served.length === 0) return inconclusive('no request was answered 2xx');
  const under = served.filter(({ path }) => /(^|\/)v1(\/|$|\?)/.test(path)).length;
  return observed(`${under} of ${served.length} requests answered 2xx lie under /v1`);
};

/** `headers.date`: Date has whole seconds, so each answer allows an interval of offsets. */
export const judgeDate: Judge = ({ trace }) => {
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  let dated = 0;
  // Many answers carry the same second.
  const parsed = new Map<string, number>();
  for (const { date, receivedMs, sentMs, wallReceivedMs, wallSentMs } of trace.exchanges) {
    if (date === null || receivedMs === null) continue;
    const dateMs = parsed.get(date) ?? Date.parse(date);
    parsed.set(date, dateMs);
    if (Number.isNaN(dateMs)) continue;
    dated += 1;
    least = Math.max(least, dateMs - (wallReceivedMs ?? receivedMs));
    most = Math.min(most, dateMs + 1_000 - (wallSentMs ?? sentMs));
  }
  if (dated === 0) return observed('no Date header');
  if (least > most) return observed('no one offset fits every Date (cached or shifted on the way)');
  return observed(
    `service − client between ${(least / 1_000).toFixed(2)} and ${(most / 1_000).toFixed(2)} s`,
  );
};

function withoutKey(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ credential }) => credential !== 'valid');
}

function answerText(exchange: Exchange): string {
  const { status } = exchange;
  const code = errorField(exchange, 'code');
  return typeof code === 'string' ? `${status} ${code.slice(0, 40)}` : `${status}`;
}

function distinct(texts: readonly string[]): string {
  return [...new Set(texts)].slice(0, 12).join(', ');
}

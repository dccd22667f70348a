import type { Exchange } from '../contract/exchange.ts';
import { headerInteger, type RateLimitHeader, rateLimitHeaderNames } from '../contract/rate-limit-headers.ts';
import { held, inconclusive, violated } from '../contract/verdict.ts';
import { inconclusiveBecause, type Judge } from './case.ts';
import { evidenceOf } from './evidence.ts';

const names = Object.keys(rateLimitHeaderNames) as readonly RateLimitHeader[];

/** `headers.present` */
export const judgePresent: Judge = ({ keyed }) => {
  if (keyed.length === 0) return inconclusive('no request with a valid key was answered');
  const lacking = keyed.filter(({ headers }) => names.some((name) => headers[name] === null));
  const [first] = lacking;
  if (first === undefined) return held(`all three on ${keyed.length} answers`);
  const missing = names.filter((name) => lacking.some(({ headers }) => headers[name] === null));
  return violated(
    `missing-on-${answerKind(first)}`,
    evidenceOf(
      'all three rate-limit headers on every response',
      `${missing.map((name) => rateLimitHeaderNames[name]).join(', ')} missing on ${lacking.length} of ${keyed.length} answers (${kindsText(lacking)})`,
      lacking,
    ),
  );
};

/** `headers.limit` */
export const judgeLimitHeader: Judge = ({ keyed, trace }) => {
  const carrying = keyed.filter(({ headers }) => headers.limit !== null);
  if (carrying.length === 0) return inconclusiveBecause('headers.present');
  const malformed = carrying.filter((exchange) => headerInteger(exchange, 'limit') === null);
  if (malformed.length > 0) return notAnInteger('limit', malformed);
  const wrong = carrying.filter(
    (exchange) => headerInteger(exchange, 'limit') !== trace.header.limits[exchange.scope],
  );
  const [first] = wrong;
  if (first === undefined) return held(`right on ${carrying.length} answers`);
  return violated(
    'wrong-limit',
    evidenceOf(
      `X-RateLimit-Limit ${trace.header.limits[first.scope]} at ${first.scope}`,
      `${first.headers.limit} (${wrong.length} of ${carrying.length} answers differ)`,
      wrong,
    ),
  );
};

/** `headers.remaining-on-429` */
export const judgeRemainingOn429: Judge = ({ limited, analyses }) => {
  if (limited.length === 0) return inconclusive('no 429 was seen');
  if (limited.every(({ headers }) => headers.remaining === null))
    return inconclusiveBecause('headers.present');
  // On a 429 of a cap per second something of the minute may remain.
  const mayBeCapped = new Set(analyses.flatMap((analysis) => [...analysis.mayBeCapped]));
  const carrying = limited.filter((exchange) => headerInteger(exchange, 'remaining') !== null);
  const judged = carrying.filter((exchange) => !mayBeCapped.has(exchange));
  if (carrying.length === 0) return inconclusive('no 429 carries an integer X-RateLimit-Remaining to judge');
  if (judged.length === 0) {
    return inconclusive('every 429 may be a cap’s, which leaves something of the minute (see perSecond)');
  }
  const wrong = judged.filter((exchange) => headerInteger(exchange, 'remaining') !== 0);
  const [first] = wrong;
  if (first === undefined) return held(`0 on ${judged.length} 429s`);
  return violated(
    'not-zero',
    evidenceOf(
      'X-RateLimit-Remaining 0 on a 429',
      `${first.headers.remaining} (${wrong.length} of ${judged.length} 429s are not 0)`,
      wrong,
    ),
  );
};

/** A header that is there but no plain decimal integer, e.g. "-1", "12.0" or "120, 120". */
export function notAnInteger(name: RateLimitHeader, malformed: readonly Exchange[]) {
  return violated(
    'not-an-integer',
    evidenceOf(
      `${rateLimitHeaderNames[name]} is a plain decimal integer`,
      `"${malformed[0]?.headers[name]?.slice(0, 60)}" (${malformed.length} answers)`,
      malformed,
    ),
  );
}

function answerKind({ outcome }: Exchange): 'success' | '429' | 'error' {
  if (outcome === 'limited') return '429';
  return outcome === 'admitted' ? 'success' : 'error';
}

function kindsText(exchanges: readonly Exchange[]): string {
  const counts = new Map<number, number>();
  for (const { status } of exchanges) if (status !== null) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}

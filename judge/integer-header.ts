import { isPromisedOn } from '../contract/document/headers.ts';
import type { Exchange } from '../contract/exchange.ts';
import { howMany } from '../contract/quantities.ts';
import { headerInteger, type RateLimitHeader } from '../contract/rate-limit-headers.ts';
import { resetRules } from '../contract/reset-units.ts';
import { inconclusive, type Verdict, violated } from '../contract/verdict.ts';
import type { Case, Judge } from './case.ts';
import { inconclusiveBecause, nothingKeyed } from './conclude.ts';
import { evidenceOf } from './evidence.ts';
import { those } from './those.ts';

/** Judges the answers that carry a header, each with a plain integer. */
type JudgeCarrying = (carrying: readonly Exchange[], subject: Case) => Verdict;

/**
 * The judge of a header that is a number: violated where a value is none; inconclusive where no answer carries it, which
 * is `headers.present`'s to judge; else `judge` decides.
 * @param read the number in an exchange's header; `null` where it is none.
 */
export function numberHeader(
  name: RateLimitHeader,
  read: (exchange: Exchange, subject: Case) => number | null,
  judge: JudgeCarrying,
): Judge {
  return (subject) => {
    if (subject.keyed.length === 0) return inconclusive(nothingKeyed);
    const isCarried = (exchange: Exchange): boolean =>
      exchange.headers[name] !== null && isPromisedOn(name, exchange.outcome, subject.headersOf(exchange));
    const carrying = those(subject.promised, isCarried);
    if (carrying.length === 0) return inconclusiveBecause('headers.present');
    const malformed = carrying.filter((exchange) => read(exchange, subject) === null);
    return malformed.length > 0 ? notAnInteger(name, malformed, subject) : judge(carrying, subject);
  };
}

/** The judge of a header that is a plain decimal integer. */
export function integerHeader(name: RateLimitHeader, judge: JudgeCarrying): Judge {
  return numberHeader(name, (exchange) => headerInteger(exchange, name), judge);
}

/** A header that is there but no plain decimal integer, e.g. "-1", "12.0" or "120, 120". */
function notAnInteger(
  name: RateLimitHeader,
  malformed: readonly Exchange[],
  { headers, headersOf }: Case,
): Verdict {
  const unit = name === 'reset' ? headers.unit : 'seconds';
  const [first] = malformed;
  const { names } = first === undefined ? headers : headersOf(first);
  return violated(
    'not-an-integer',
    evidenceOf(
      `${names[name]} is a ${resetRules[unit].form}`,
      `"${first?.headers[name]?.slice(0, 60)}" (${howMany(malformed.length, 'answer')})`,
      malformed,
    ),
  );
}

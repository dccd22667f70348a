import { errorField } from '../contract/error-body.ts';
import { numberText } from '../contract/number-text.ts';
import { once } from '../contract/once.ts';
import { shown } from '../contract/shown-json.ts';
import { longestWaitMsIn, longestWindowMsIn } from '../contract/trace-windows.ts';
import { inconclusive, observed, type Verdict } from '../contract/verdict.ts';
import type { Case, Judge } from './case.ts';
import { blamedIn, inconclusiveBecause } from './conclude.ts';
import type { Flaw } from './evidence.ts';
import { judgeField } from './refused-answers.ts';
import { judgeSuffices } from './wait-suffices.ts';

/**
 * `error.retry-after`: an integer of at least 1. The document has no maximum. No reading of it needs more than a window
 * and a second, and what a service adds to spread its clients is of the same order: beyond two windows, and what the document
 * itself has a client wait, the figure is no wait in seconds, but milliseconds, a moment, or a constant.
 */
export const judgeRetryAfter: Judge = once((subject: Case): Verdict => {
  const most = longestWaitSeconds(subject);
  const expected = `an integer from 1 to ${most}`;
  return judgeField(subject, 'retry_after_seconds', expected, (seconds, exchange) => {
    const seen = `error.retry_after_seconds ${shown(seconds)}`;
    if (seconds === undefined) return { reason: 'absent', seen };
    if (typeof seconds !== 'number' || !Number.isInteger(seconds)) return { reason: 'not-an-integer', seen };
    if (seconds < 1) return { reason: 'zero', seen };
    if (seconds > most) return { reason: 'too-long', seen };
    return writtenOtherwise(numberText(exchange, 'retry_after_seconds'));
  });
});

/** Beyond this a figure is no wait, s. */
export function longestWaitSeconds({ trace }: Case): number {
  const windowSeconds = Math.ceil(longestWindowMsIn(trace.header) / 1_000);
  const waitSeconds = Math.ceil(longestWaitMsIn(trace.header) / 1_000);
  return Math.max(2 * windowSeconds, waitSeconds + spareSeconds);
}

/** A parser that knows one kind of number cannot see it; one that reads integers fails (Go, Rust). */
function writtenOtherwise(text: string | null): Flaw | null {
  if (text === null || /^\d+$/.test(text)) return null;
  return { reason: 'not-an-integer', seen: `error.retry_after_seconds is written as ${text.slice(0, 40)}` };
}

/** A place may be held a second longer than its window by counting in whole seconds, and the wait be rounded up. */
const spareSeconds = 2;

/** `error.retry-after-length` */
export const judgeRetryAfterLength: Judge = (subject) => {
  if (judgeRetryAfter(subject).kind === 'violated') return inconclusiveBecause('error.retry-after');
  for (const { group } of subject.analyses) {
    const blamed = blamedIn(subject.analyses, group.scope);
    if (blamed !== null) return inconclusiveBecause(blamed);
  }
  const most = Math.ceil(longestWaitMsIn(subject.trace.header) / 1_000) + spareSeconds;
  return judgeField(subject, 'retry_after_seconds', `at most ${most}`, (seconds) =>
    typeof seconds === 'number' && seconds > most
      ? { reason: 'longer-than-needed', seen: `error.retry_after_seconds ${shown(seconds)}` }
      : null,
  );
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

/** `error.retry-after-suffices` */
export const judgeRetryAfterSuffices: Judge = judgeSuffices({
  place: 'documented',
  name: 'retry_after_seconds',
  clause: 'error.retry-after-suffices',
  usable: { clause: 'error.retry-after', judge: judgeRetryAfter },
});

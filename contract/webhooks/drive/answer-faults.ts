import { isBroken } from '../../unreachable.ts';
import type { Expectation } from './cases/words.ts';
import type { DeliveryLine } from './trace.ts';

/** What is wrong with an answer; `unclear` where it shows nothing about the question. */
export type AnswerFault = {
  readonly kind: 'fault' | 'unclear';
  /** A stable word. */
  readonly reason: string;
  readonly observed: string;
};

/** Whether a valid event was taken: 2xx within the budget. */
export function isAccepted(line: DeliveryLine, budgetMs: number): boolean {
  return answerFault(line, { expects: 'accepted', budgetMs }) === null;
}

/** What is wrong with the answer to a delivery; `null` where the answer is as expected. */
export function answerFault(
  line: DeliveryLine,
  { expects, budgetMs }: { readonly expects: Expectation; readonly budgetMs: number },
): AnswerFault | null {
  const { status } = line;
  if (expects === 'anything') return null;
  if (expects === 'not-accepted') {
    return isSuccess(status) ? fault('accepted', `it was answered ${status}`) : null;
  }
  if (expects === 'refused') return forgeryFault(line);
  if (status === null) return fault('no-answer', noAnswerText(line));
  const wrong = wrongStatus(status, expects);
  if (wrong !== null) return wrong;
  return lateFault(line, budgetMs);
}

function lateFault(line: DeliveryLine, budgetMs: number): AnswerFault | null {
  const tookMs = (answerMs(line) ?? 0) - line.stalledMs;
  return tookMs <= budgetMs
    ? null
    : fault('too-late', `it was answered ${line.status} after ${(tookMs / 1_000).toFixed(1)} s`);
}

/** A forgery is refused by any status but a 2xx: the document gives none. What a 2xx means, its effect alone shows. */
function forgeryFault(line: DeliveryLine): AnswerFault | null {
  const { status, failure } = line;
  if (isSuccess(status)) return fault('accepted', `it was answered ${status}`);
  const shows = 'which shows nothing about the signature';
  if (status === 429) return unclear('limited', `it was answered ${status}, ${shows}`);
  if (status !== null || (failure !== null && isBroken(failure))) return null;
  return unclear('no-answer', `${noAnswerText(line)}, ${shows}`);
}

/** What is wrong with how a forgery was refused; `null` where it was by a 4xx in time, or was not. */
export function refusalFault(line: DeliveryLine, budgetMs: number): AnswerFault | null {
  const { status } = line;
  if (status === null) return fault('no-answer', noAnswerText(line));
  if (isSuccess(status)) return null;
  if (status >= 500) return fault('crashed', `it was answered ${status}`);
  return status < 400 ? fault('not-refused', `it was answered ${status}`) : lateFault(line, budgetMs);
}

function noAnswerText({ failure, resets = 0 }: DeliveryLine): string {
  const times = resets === 0 ? '' : `, and so each of ${resets} times before`;
  return `${failure ?? 'there was no answer'}${times}`;
}

/** How long the answer took, with connecting; `null` where there was none. */
export function answerMs({ sentMs, receivedMs }: DeliveryLine): number | null {
  return receivedMs === null ? null : receivedMs - sentMs;
}

function wrongStatus(
  status: number,
  expects: Exclude<Expectation, 'not-accepted' | 'refused' | 'anything'>,
): AnswerFault | null {
  const observed = `it was answered ${status}`;
  switch (expects) {
    case 'accepted':
      if (isSuccess(status)) return null;
      return fault(status >= 500 ? 'crashed' : 'not-accepted', observed);
    case 'survived':
      return status >= 500 ? fault('crashed', observed) : null;
    default:
      return expects satisfies never;
  }
}

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

function fault(reason: string, observed: string): AnswerFault {
  return { kind: 'fault', reason, observed };
}

function unclear(reason: string, observed: string): AnswerFault {
  return { kind: 'unclear', reason, observed };
}

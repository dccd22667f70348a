import { bounds } from '../contract/bounds.ts';
import type { IetfClauseId } from '../contract/clauses/ietf.ts';
import { costOfAll } from '../contract/document/cost.ts';
import { passedPartsOf } from '../contract/document/document.ts';
import { headersIn } from '../contract/document/scope-headers.ts';
import type { Exchange } from '../contract/exchange.ts';
import { integerParameter, itemsOf, type NamedParameters, saidByFields } from '../contract/ietf-fields.ts';
import { howMany } from '../contract/quantities.ts';
import { headerInteger, parseHeaderInteger } from '../contract/rate-limit-headers.ts';
import { held, inconclusive, violated } from '../contract/verdict.ts';
import type { Case, Judge } from './case.ts';
import { blamedIn, inconclusiveBecause } from './conclude.ts';
import type { Entry } from './entries.ts';
import { evidenceOf, exchangesOf } from './evidence.ts';
import { requestsText } from './promises/in-units.ts';
import { judgeRemaining } from './remaining.ts';
import { surelyWithin } from './surely-within.ts';

/** `headers.policy` */
const judgePolicy: Judge = (subject) => {
  const sent = headersAsSent(subject);
  const carrying = subject.promised.filter(
    (exchange) => isIetf(subject, exchange) && sent(exchange).limit !== null,
  );
  if (carrying.length === 0) return inconclusive('no answer carried RateLimit-Policy');
  const flawed = carrying.flatMap((exchange) => {
    const flaw = flawOf(sent(exchange), secondsOf(subject, exchange));
    return flaw === null ? [] : [{ exchange, flaw }];
  });
  const [first] = flawed;
  if (first === undefined) return held(`on ${howMany(carrying.length, 'answer')}`);
  const seconds = secondsOf(subject, first.exchange).join(' or ');
  return violated(
    'policy',
    evidenceOf(
      `structured fields, with w=${seconds} where w is there`,
      `${first.flaw} (${flawed.length} of ${carrying.length} answers)`,
      flawed.map(({ exchange }) => exchange),
    ),
  );
};

/** Whether what a request was counted by is told in the fields of the draft. */
function isIetf({ trace }: Case, { scope }: Pick<Exchange, 'scope'>): boolean {
  return headersIn(trace.header.deployment.document, scope).headers === 'ietf';
}

/** The fields as they came; the trace that is judged has their figures alone. */
function headersAsSent({ recorded }: Case): (exchange: Exchange) => Exchange['headers'] {
  const byId = new Map(recorded.exchanges.map(({ requestId, headers }) => [requestId, headers]));
  return ({ requestId, headers }) => byId.get(requestId) ?? headers;
}

/** The lengths of window that a policy may name, s. */
function secondsOf({ trace }: Case, { scope }: Exchange): readonly number[] {
  const { header } = trace;
  const { document } = header.deployment;
  const scale = header.windowMs / (1_000 * document.windowSeconds);
  const lengths = passedPartsOf(document, scope).flatMap(({ seconds, wholeSeconds }) => [
    seconds,
    wholeSeconds,
  ]);
  return [...new Set(lengths.flatMap((one) => [Math.floor(one * scale), Math.ceil(one * scale)]))];
}

/** What is wrong with the two fields of an answer; `null` where nothing is. */
function flawOf(raw: Exchange['headers'], seconds: readonly number[]): string | null {
  for (const [name, text, required] of [
    ['RateLimit-Policy', raw.limit, 'q'],
    ['RateLimit', raw.remaining, 'r'],
  ] as const) {
    if (text === null) continue;
    const items = itemsOf(text);
    const shown = text.slice(0, 80);
    if (items === null || items.length === 0) return `${name} is no list: ${shown}`;
    if (items.some((item) => typeof item.name !== 'string')) return `${name} names no string: ${shown}`;
    if (items.some((item) => integerParameter(item, required) === null))
      return `${name} has no integer ${required}: ${shown}`;
    if (items.some((item) => isOther(item, 'w') || isOther(item, 't')))
      return `${name} has a w or t that is no integer: ${shown}`;
  }
  const { window } = saidByFields(raw.limit, raw.remaining);
  return window === null || seconds.includes(Number(window)) ? null : `w=${window}`;
}

function isOther(item: NamedParameters, name: string): boolean {
  return item.parameters.has(name) && integerParameter(item, name) === null;
}

/** `headers.effective-window` */
const judgeEffectiveWindow: Judge = (subject) => {
  const { analyses, stepped } = subject;
  if (judgeRemaining(subject).kind === 'violated') return inconclusiveBecause('headers.remaining');
  let judged = 0;
  for (const { group } of analyses) {
    if (!isIetf(subject, group)) continue;
    const blamed = blamedIn(analyses, group.scope);
    if (blamed !== null) return inconclusiveBecause(blamed);
    const admittedWithin = surelyWithin(group.admitted);
    for (const entry of group.entries) {
      const told = toldBy(entry);
      if (told === null) continue;
      judged += 1;
      const within = admittedWithin(entry.highMs, overMs(entry, told.seconds));
      const [last] = within.slice(-1);
      if (
        last === undefined ||
        costOfAll(exchangesOf(within)) <= told.remaining ||
        stepped(entry.lowMs, last.highMs)
      )
        continue;
      return violated(
        'more-than-r',
        evidenceOf(
          `at most ${told.remaining} of key ${group.key} admitted at ${group.scope} within the ${told.seconds} s after an answer with r=${told.remaining};t=${told.seconds}`,
          `${requestsText(within, group)} were`,
          [entry.exchange, ...exchangesOf(within.slice(0, told.remaining + 1))],
        ),
      );
    }
  }
  return judged === 0 ? inconclusive('no answer carried r and t') : held(howMany(judged, 'answer'));
};

type Told = { readonly remaining: number; readonly seconds: number };

function toldBy({ exchange, highMs }: Entry): Told | null {
  const remaining = headerInteger(exchange, 'remaining');
  const seconds = headerInteger(exchange, 'reset');
  return remaining === null || seconds === null || !Number.isFinite(highMs) ? null : { remaining, seconds };
}

/** When t is over at the earliest that an answer names, by the fastest clock. */
function overMs({ lowMs }: Entry, seconds: number): number {
  return lowMs + ((seconds - 1) * 1_000) / (1 + bounds.clockRate) - bounds.clockResolutionMs;
}

/** `headers.retry-after-beyond` */
const judgeRetryAfterBeyond: Judge = (subject) => {
  const both = subject.limited.flatMap((exchange) => {
    if (!isIetf(subject, exchange)) return [];
    const wait = exchange.retryAfter === null ? null : parseHeaderInteger(exchange.retryAfter);
    const seconds = headerInteger(exchange, 'reset');
    return wait === null || seconds === null ? [] : [{ exchange, wait, seconds }];
  });
  if (both.length === 0) return inconclusive('no answer carried both Retry-After in seconds and t');
  const early = both.filter(({ wait, seconds }) => wait < seconds);
  const [first] = early;
  if (first === undefined) return held(`on ${howMany(both.length, 'answer')}`);
  return violated(
    'before-t',
    evidenceOf(
      `Retry-After ${first.seconds} or more`,
      `${first.wait}, with t=${first.seconds} (${early.length} of ${both.length} answers)`,
      early.map(({ exchange }) => exchange),
    ),
  );
};

/** The judge of each clause of `contract/clauses/ietf.ts`. */
export const ietfJudges: Readonly<Record<IetfClauseId, Judge>> = {
  'headers.policy': judgePolicy,
  'headers.effective-window': judgeEffectiveWindow,
  'headers.retry-after-beyond': judgeRetryAfterBeyond,
};

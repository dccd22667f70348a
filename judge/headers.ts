import type { HeaderClauseId } from '../contract/clauses/headers.ts';
import { type Document, partsOf } from '../contract/document/document.ts';
import { promisedHeaders } from '../contract/document/headers.ts';
import { allHeadersOf, lacksAny, missingOn } from '../contract/document/scope-headers.ts';
import { outerOf } from '../contract/document/within.ts';
import type { Exchange } from '../contract/exchange.ts';
import { grouped, howMany } from '../contract/quantities.ts';
import { headerInteger, type RateLimitHeader, rateLimitHeaderNames } from '../contract/rate-limit-headers.ts';
import type { Scope } from '../contract/scopes.ts';
import type { TraceHeader } from '../contract/trace-header.ts';
import { held, inconclusive, notApplicable, observed, violated } from '../contract/verdict.ts';
import type { Judge } from './case.ts';
import { nothingKeyed } from './conclude.ts';
import { evidenceOf } from './evidence.ts';
import { integerHeader } from './integer-header.ts';
import { judgeRemaining } from './remaining.ts';
import { judgeRemainingOn429 } from './remaining-on-429.ts';
import { judgeReset } from './reset.ts';
import { judgeResetMeaning } from './reset-meaning.ts';

const names = Object.keys(rateLimitHeaderNames) as readonly RateLimitHeader[];

/** `headers.present` */
const judgePresent: Judge = ({ trace, keyed, promised, headersOf, untaken }) => {
  if (keyed.length === 0) return inconclusive(nothingKeyed);
  const { all, everywhere } = wantedText(trace.header.deployment.document);
  if (promised.length === 0) return inconclusive(`no answer was seen on which ${all} are promised`);
  const lacking = promised.filter((exchange) => lacksAny(exchange, headersOf));
  const [first] = lacking;
  if (first === undefined) {
    const also =
      untaken.size === 0 ? '' : `; ${grouped(untaken.size)} that do not take the key are not judged`;
    return held(`${all} on ${howMany(promised.length, 'answer')}${also}`);
  }
  const missing = [...new Set(lacking.flatMap((exchange) => missingOn(exchange, headersOf)))];
  return violated(
    `missing-on-${answerKind(first)}`,
    evidenceOf(
      everywhere,
      `${missing.join(', ')} missing on ${lacking.length} of ${promised.length} answers (${kindsText(lacking)})`,
      lacking,
    ),
  );
};

/** All headers that a document promises, and on which answers, as a sentence has them. */
function wantedText(document: Document): { readonly all: string; readonly everywhere: string } {
  const [only, another] = allHeadersOf(document);
  if (only === undefined || another !== undefined) {
    return { all: 'those of its scope', everywhere: 'the headers of its scope on every response' };
  }
  const { names: named } = promisedHeaders(only);
  const wanted = names.flatMap((name) => named[name] ?? []);
  if (wanted.length === names.length)
    return { all: 'all three', everywhere: 'all three rate-limit headers on every response' };
  const all = wanted.join(' and ');
  return { all, everywhere: `${all} on every response` };
}

/**
 * What `X-RateLimit-Limit` may say in a scope: of several limits an answer may tell any, those of an outer scope among them; of a bucket what
 * it holds, or how much it gets back in its window.
 */
export function toldLimits(
  { limits, deployment }: Pick<TraceHeader, 'limits' | 'deployment'>,
  scope: Scope,
): readonly (number | undefined)[] {
  const { document } = deployment;
  const [first, ...others] = partsOf(document, scope);
  const refilled = first.promise.kind === 'token-bucket' ? [first.perWindow] : [];
  const further = others.flatMap(({ limit, perWindow }) => [perWindow, limit]);
  const outer = outerOf(document, scope);
  const ofOuter = outer === null ? [] : toldLimits({ limits, deployment }, outer);
  return [...new Set([limits[scope], ...refilled, ...further, ...ofOuter])];
}

/** `headers.limit` */
const judgeLimitHeader = integerHeader('limit', (carrying, { trace, headersOf }) => {
  const allowed = new Map(
    [...new Set(carrying.map(({ scope }) => scope))].map((scope) => [scope, toldLimits(trace.header, scope)]),
  );
  const wrong = carrying.filter(
    (exchange) => !allowed.get(exchange.scope)?.includes(headerInteger(exchange, 'limit') ?? undefined),
  );
  const [first] = wrong;
  if (first === undefined) return held(`right on ${howMany(carrying.length, 'answer')}`);
  return violated(
    'wrong-limit',
    evidenceOf(
      `${headersOf(first).names.limit} ${toldLimits(trace.header, first.scope).join(' or ')} at ${first.scope}`,
      `${first.headers.limit} (${wrong.length} of ${carrying.length} answers differ)`,
      wrong,
    ),
  );
});

/** `headers.without-key` */
const judgeWithoutKeyHeaders: Judge = ({ keyless, headers: { names: named } }) => {
  const answers = keyless.filter(({ status }) => status !== null);
  if (answers.length === 0) return notApplicable('no request was sent without a valid key');
  const carried = names.filter((name) => answers.some(({ headers }) => headers[name] !== null));
  return observed(carried.length === 0 ? 'none' : carried.map((name) => named[name]).join(', '));
};

/** `headers.date` */
const judgeDate: Judge = ({ trace }) => {
  const offset = dateOffset(trace.exchanges);
  if (offset === null) return observed('no Date header');
  const { least, most } = offset;
  if (least > most) return observed('no one offset fits every Date (cached or shifted on the way)');
  return observed(
    `service − client between ${(least / 1_000).toFixed(2)} and ${(most / 1_000).toFixed(2)} s`,
  );
};

/** How far a service's clock is ahead of ours, ms. Where `least` is above `most`, no one offset fits every answer. */
export type DateOffset = { readonly least: number; readonly most: number };

/** From the Date headers of answers: Date has whole seconds, so each allows an interval. `null` where there is none. */
export function dateOffset(exchanges: readonly Exchange[]): DateOffset | null {
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  // Many answers carry the same second.
  const parsed = new Map<string, number>();
  let before: string | null = null;
  let dateMs = Number.NaN;
  for (const { date, receivedMs, sentMs, wallReceivedMs, wallSentMs } of exchanges) {
    if (date === null || receivedMs === null) continue;
    if (date !== before) {
      before = date;
      dateMs = parsed.get(date) ?? Date.parse(date);
      parsed.set(date, dateMs);
    }
    if (Number.isNaN(dateMs)) continue;
    least = Math.max(least, dateMs - (wallReceivedMs ?? receivedMs));
    most = Math.min(most, dateMs + 1_000 - (wallSentMs ?? sentMs));
  }
  return least === Number.NEGATIVE_INFINITY ? null : { least, most };
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

/** The judge of each clause of `contract/clauses/headers.ts`. */
export const headerJudges: Readonly<Record<HeaderClauseId, Judge>> = {
  'headers.present': judgePresent,
  'headers.limit': judgeLimitHeader,
  'headers.remaining': judgeRemaining,
  'headers.remaining-on-429': judgeRemainingOn429,
  'headers.reset': judgeReset,
  'headers.reset-meaning': judgeResetMeaning,
  'headers.without-key': judgeWithoutKeyHeaders,
  'headers.date': judgeDate,
};

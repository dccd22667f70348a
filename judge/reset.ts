import { bounds } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { greatestOf, leastOf } from '../contract/extremes.ts';
import { howMany } from '../contract/quantities.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import { momentIn, type ResetUnit, resetIn, resetRules } from '../contract/reset-units.ts';
import { longestWaitMsIn, longestWindowMsIn } from '../contract/trace-windows.ts';
import { held, inconclusive, type Verdict, violated } from '../contract/verdict.ts';
import type { Case } from './case.ts';
import { wideningOf } from './clock-widening.ts';
import { inconclusiveBecause, longestBlamedMs } from './conclude.ts';
import { evidenceOf } from './evidence.ts';
import { numberHeader } from './integer-header.ts';

/**
 * `headers.reset`: violated only if a value lies, by no offset within the deployment's `clockSkewSecondsMax` between the
 * service's clock and ours, between now (rounded down) and one window from now (rounded up, and one), or the wait that the
 * document has a refused client wait, where that is longer. One node's values
 * should fit one offset together. Where they don't, several nodes may answer under its address, or its clock was
 * stepped: Date is no proof of either, since proxies shift it.
 */
export const judgeReset = numberHeader('reset', readReset, (carrying, subject) => {
  const found = sourcesOf(carrying).map((values) => judgeSource(values, subject));
  const flaw = found.find((verdict) => verdict?.kind === 'violated') ?? found.find((one) => one !== null);
  if (flaw) return flaw;
  const isNumber = resetRules[subject.headers.unit].form === resetRules.seconds.form;
  const fractions = carrying.filter(
    (exchange) => isNumber && headerInteger(exchange, 'reset') === null,
  ).length;
  const { header } = subject.trace;
  const waitMs = longestWaitMsIn(header);
  const until = waitMs > longestWindowMsIn(header) ? `${waitMs / 1_000} s` : 'one window';
  const text = `${howMany(carrying.length, 'value')} between now and ${until} from now`;
  return held(fractions === 0 ? text : `${text}; ${fractions} with a fraction of a second`);
});

/** What each address gave by each of our clocks. */
function sourcesOf(carrying: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const [first] = carrying;
  const isOfFirst = ({ clock, node }: Exchange): boolean => clock === first?.clock && node === first.node;
  if (carrying.every(isOfFirst)) return [carrying];
  return [...Map.groupBy(carrying, ({ clock, node }) => `${node} ${clock}`).values()];
}

/** The verdict on the values that one address gave by one of our clocks; `null` where they fit one offset. */
function judgeSource(
  values: readonly Exchange[],
  { trace, stepped, analyses, headers }: Case,
): Verdict | null {
  const { deployment } = trace.header;
  const windowMs = longestWaitMsIn(trace.header);
  // The setting is about the first clock; another one may be off by more.
  const widenMs = wideningOf(trace)(values[0]?.clock ?? '');
  const { unit } = headers;
  // Seconds to go are told by no clock.
  const isTimed = resetRules[unit].origin === 'epoch';
  const skewSeconds = isTimed ? deployment.clockSkewSecondsMax + widenMs / 1_000 : 0;
  const within = ({ atLeastSeconds, atMostSeconds }: OffsetRange): boolean =>
    Math.max(atLeastSeconds, -skewSeconds) <= Math.min(atMostSeconds, skewSeconds);
  const range = offsetsThatFit(values, windowMs, unit);
  if (within(range)) return null;
  // A longer window is answered for by its own clause: then a Reset that says how long it is says the truth.
  const longerMs = longestBlamedMs(analyses);
  if (longerMs > windowMs && within(offsetsThatFit(values, longerMs, unit)))
    return inconclusiveBecause('window.length');
  const fromMs = leastOf(values.map(({ sentMs }) => sentMs));
  const toMs = greatestOf(values.map(({ receivedMs, sentMs }) => receivedMs ?? sentMs));
  if (stepped(fromMs, toMs))
    return inconclusive('the clock of this machine jumped during the run: run it again');
  const impossible = values.filter((value) => !within(offsetsThatFit([value], windowMs, unit)));
  if (impossible.length > 0) {
    const worst = offsetsThatFit(impossible, windowMs, unit);
    return misplaced(worst, impossible, { windowMs, skewSeconds, headers });
  }
  const apartSeconds = (range.atLeastSeconds - range.atMostSeconds).toFixed(1);
  return inconclusive(
    `no one clock fits all values of ${headers.names.reset}: they are ${apartSeconds} s or more apart. Either nodes with ` +
      'different clocks answer under one address (give each node’s address), or the service’s clock was stepped, or ' +
      'Reset is wrong',
  );
}

function readReset(exchange: Exchange, { headers }: Case): number | null {
  return resetIn(headers.unit, exchange);
}

type OffsetRange = {
  readonly atLeastSeconds: number;
  readonly atLeastBy: Exchange;
  readonly atMostSeconds: number;
  readonly atMostBy: Exchange;
};

/**
 * Offsets (service − client, seconds) under which each Reset lies in `[⌊now⌋, ⌈now + W⌉ + 1]`. `now` is somewhere in
 * the exchange's interval; over the span of the run the clocks may also drift apart within their stated rate.
 */
function offsetsThatFit(exchanges: readonly Exchange[], windowMs: number, unit: ResetUnit): OffsetRange {
  const [first] = exchanges;
  if (first === undefined) throw new Error('no exchange to fit an offset to');
  const originMs = wallSent(first);
  const windowSeconds = windowMs / 1_000;
  let range: OffsetRange = {
    atLeastSeconds: Number.NEGATIVE_INFINITY,
    atLeastBy: first,
    atMostSeconds: Number.POSITIVE_INFINITY,
    atMostBy: first,
  };
  for (const exchange of exchanges) {
    const reset = resetIn(unit, exchange) ?? 0;
    const drift =
      (Math.abs(wallSent(exchange) - originMs) * bounds.clockRate + bounds.clockResolutionMs) / 1_000;
    const atMost = reset + 1 - momentIn(unit, wallSent(exchange)) + drift;
    const atLeast =
      reset - 2 - windowSeconds * (1 + bounds.clockRate) - momentIn(unit, wallReceived(exchange)) - drift;
    if (atMost < range.atMostSeconds) range = { ...range, atMostSeconds: atMost, atMostBy: exchange };
    if (atLeast > range.atLeastSeconds) range = { ...range, atLeastSeconds: atLeast, atLeastBy: exchange };
  }
  return range;
}

function wallSent(exchange: Exchange): number {
  return exchange.wallSentMs ?? exchange.sentMs;
}

function wallReceived(exchange: Exchange): number {
  return exchange.wallReceivedMs ?? exchange.receivedMs ?? exchange.sentMs;
}

type Promised = Pick<Case, 'headers'> & { readonly windowMs: number; readonly skewSeconds: number };

function misplaced(
  range: OffsetRange,
  shown: readonly Exchange[],
  { windowMs, skewSeconds, headers: { names, unit } }: Promised,
): Verdict {
  const late = range.atLeastSeconds > skewSeconds;
  const blamed = late ? range.atLeastBy : range.atMostBy;
  const raw = blamed.headers.reset ?? '';
  const reset = resetIn(unit, blamed) ?? 0;
  const sentSeconds = momentIn(unit, wallSent(blamed));
  const allowed = resetRules[unit].origin === 'epoch' ? ` (clock offset up to ${skewSeconds} s allowed)` : '';
  const expected = `${resetRules[unit].words} from now to ${windowMs / 1_000} s from now${allowed}`;
  const kind = kindOf(reset, late, { nowSeconds: sentSeconds, unit });
  return violated(kind.reason, evidenceOf(expected, `${names.reset} ${raw}: ${kind.text}`, shown));
}

/** What a misplaced value most likely is. */
function kindOf(
  reset: number,
  late: boolean,
  { nowSeconds, unit }: { readonly nowSeconds: number; readonly unit: ResetUnit },
): { readonly reason: string; readonly text: string } {
  if (unit === 'epoch-seconds' && reset > nowSeconds * 100)
    return { reason: 'milliseconds', text: 'that is Unix time in milliseconds' };
  if (unit === 'epoch-seconds' && reset < nowSeconds / 100)
    return { reason: 'delta', text: 'that is a number of seconds, not a point in time' };
  const apart = Math.abs(reset - nowSeconds).toFixed(1);
  return late
    ? { reason: 'beyond-window', text: `${apart} s ahead, more than a window` }
    : { reason: 'past', text: `${apart} s from now: no clock offset fits all values` };
}

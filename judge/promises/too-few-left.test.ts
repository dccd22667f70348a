import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { caseOf } from '../case.ts';
import type { ClockSteps } from '../clock-steps.ts';
import { admitted, type Given, limited, originMs, traceOfDocument } from '../testing/traces.ts';
import { tooFewLeft } from './too-few-left.ts';

type Setting = {
  readonly media: Readonly<Record<string, unknown>> & { readonly limit?: number };
  readonly document?: Readonly<Record<string, unknown>>;
  readonly deployment?: Readonly<Record<string, unknown>>;
  readonly stepped?: ClockSteps;
};

/** When each admission that leaves too few of 4 in a minute was sent, s after the first; what it says is left, and at least is. */
function tooFew(
  exchanges: readonly Exchange[],
  { media, document = {}, deployment = {}, stepped = () => false }: Setting,
) {
  const scopes = { media: { title: 'media', limit: 4, ...media } };
  const limits = { media: scopes.media.limit };
  const trace = traceOfDocument(exchanges, { ...document, scopes }, { deployment, limits });
  const [analysis] = caseOf(trace).analyses;
  if (analysis === undefined) throw new Error('nothing is said of media uploads');
  return tooFewLeft(analysis, { deployment: trace.header.deployment, stepped }).map(
    ({ entry, value, allowed }) => [(entry.exchange.sentMs - originMs) / 1_000, value, allowed.lowest],
  );
}

type Taking = Given & { readonly tookMs?: number };

const answered =
  (make: typeof admitted) =>
  (seconds: number, remaining: number | null, { tookMs = 1, ...given }: Taking = {}): Exchange => {
    const ms = Math.round(1_000 * seconds);
    return make(ms, ms + tookMs, { remaining: remaining === null ? null : String(remaining), ...given });
  };
const left = answered(admitted);
const refused = answered(limited);

describe('in a window that begins anew', () => {
  const fixed = { media: { promise: 'fixed' } };
  /** Refused at 10 s; admitted at 20 s, with so many left, and two more soon after. */
  const seen = (remaining: number, given: Taking = {}) => [
    refused(10, 0),
    left(20, remaining, given),
    left(21, null),
    left(22, null),
  ];

  it('as many are left as pass in it afterwards', () => {
    expect(tooFew(seen(2), fixed)).toEqual([]);
    expect(tooFew(seen(1), fixed)).toEqual([[20, 1, 2]]);
    expect(tooFew(seen(0), fixed)).toEqual([[20, 0, 2]]);
    expect(tooFew([...seen(2).slice(0, 3), left(22, 0, { cost: 2 })], fixed)).toEqual([[20, 2, 3]]);
  });

  it('only what was sent after its answer passed afterwards', () => {
    expect(tooFew(seen(1, { tookMs: 1_000 }), fixed)).toEqual([]);
    expect(tooFew(seen(1, { tookMs: 999 }), fixed)).toEqual([[20, 1, 2]]);
  });

  it('that window is known to be another one by a refusal before it, until as late as it may last', () => {
    expect(tooFew(seen(1).slice(1), fixed)).toEqual([]);
    expect(tooFew([left(5, null), ...seen(1).slice(1)], fixed)).toEqual([]);
    const until = (seconds: number) =>
      tooFew([refused(10, 0), left(20, 0), left(seconds, null, { tookMs: 0 })], fixed);
    // A minute after the refusal, less 24 ms and 1 ms of resolution.
    expect(until(69.974)).toEqual([[20, 0, 1]]);
    expect(until(69.975)).toEqual([]);
    expect(tooFew([refused(10, 0, { tookMs: 10_000 }), left(20, 0), left(21, null)], fixed)).toEqual([]);
    // Of those that were answered by then, whatever the order of their answers, the one that was sent last.
    const slow = [refused(5, 0), refused(6, 0, { tookMs: 24_000 }), refused(7, 0), left(10, 0)];
    expect(tooFew([...slow, left(66, null)], fixed)).toEqual([[10, 0, 1]]);
    // Of two refusals, the one that was sent last.
    const twice = [refused(10, 0), refused(15, 0), left(20, 0), left(71, null)];
    expect(tooFew(twice, fixed)).toEqual([[20, 0, 1]]);
  });

  it('a dear request may be refused while there is room for others', () => {
    const costs = (cost: number) => [refused(10, 0, { cost }), left(20, 0), left(21, null)];
    expect(tooFew(costs(1), fixed)).toEqual([[20, 0, 1]]);
    expect(tooFew(costs(2), fixed)).toEqual([]);
  });

  it('an outage that looks like a refusal, and a jump of the clock, show nothing', () => {
    const outage = { refusal: { status: 503 }, headers: { remaining: 'Left', on: 'admitted' } };
    expect(tooFew(seen(0), { ...fixed, document: outage })).toEqual([]);
    const asked: number[][] = [];
    const stepped = (fromMs: number, toMs: number): boolean => {
      asked.push([fromMs - originMs, toMs - originMs]);
      return true;
    };
    expect(tooFew(seen(0), { ...fixed, stepped })).toEqual([]);
    expect(asked[0]).toEqual([10_000, 69_975]);
  });
});

describe('in a bucket', () => {
  const bucket = { media: { promise: 'token-bucket', limit: 60 } };
  const burst = (count: number) => Array.from({ length: count }, () => left(0.1, null, { tookMs: 0 }));

  it('as much is left as is taken afterwards, but for what came back, and may come a second late', () => {
    // A token a second: one came back at most in that second and a tenth.
    expect(tooFew([left(0, 8, { tookMs: 0 }), ...burst(10)], bucket)).toEqual([]);
    expect(tooFew([left(0, 7, { tookMs: 0 }), ...burst(10)], bucket)).toEqual([[0, 7, 8]]);
  });

  it('of all moments the one tells that shows most', () => {
    const later = left(30, null);
    expect(tooFew([left(0, 7, { tookMs: 0 }), ...burst(10), later], bucket)).toEqual([[0, 7, 8]]);
    expect(tooFew([left(0, 7, { tookMs: 0 }), later, later], bucket)).toEqual([]);
    expect(tooFew([...burst(10), left(1, 0)], bucket)).toEqual([]);
  });
});

describe('of whatever kind', () => {
  const kinds = ['fixed', 'token-bucket'].map((promise) => ({ media: { promise } }));
  /** One soon, and another one when all from before the run is over, which is a minute and more later. */
  const seen = (remaining: number, seconds = 62) => [left(0, null), left(seconds, remaining)];

  it('no more is used than was asked for in as long as the window', () => {
    for (const kind of kinds) {
      expect(tooFew(seen(3), kind)).toEqual([]);
      expect(tooFew(seen(2), kind)).toEqual([[62, 2, 3]]);
      expect(tooFew(seen(2, 60), kind)).toEqual([]);
    }
  });

  it('others may have used it where the key is not ours alone', () => {
    for (const kind of kinds)
      expect(tooFew(seen(2), { ...kind, deployment: { exclusiveKeys: false } })).toEqual([]);
  });

  it('and it may be anything where bounds alone are promised, or nothing is said', () => {
    for (const promise of ['at-most', 'at-least', 'unsaid'])
      expect(tooFew(seen(0), { media: { promise } })).toEqual([]);
  });

  it('of several it may be what any of them leaves', () => {
    const several = (limit: number, windowSeconds: number) => ({
      media: { promise: 'rolling', also: [{ limit, windowSeconds, promise: 'fixed' }] },
    });
    expect(tooFew(seen(2), several(5, 10))).toEqual([[62, 2, 3]]);
    expect(tooFew(seen(1), several(2, 10))).toEqual([]);
    expect(tooFew(seen(0), several(2, 10))).toEqual([[62, 0, 1]]);
    // Nobody knows what was used of a day.
    expect(tooFew(seen(0), several(5, 86_400))).toEqual([]);
  });

  it('a jump of the clock shows nothing', () => {
    for (const kind of kinds) expect(tooFew(seen(2), { ...kind, stepped: () => true })).toEqual([]);
  });
});

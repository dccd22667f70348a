import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { contradictionBy, promisedIn } from '../testing/proved.ts';
import { admitted, limited, traceOf } from '../testing/traces.ts';
import { proveFirstRequest } from './first-request.ts';

const windowSeconds = 10;
const limit = 2;

/** What contradicts windows of 10 s in which so many are admitted; `null` where nothing does. */
function contradictionOf(exchanges: readonly Exchange[], { units = limit, exclusiveKeys = true } = {}) {
  const trace = traceOf(exchanges, {
    limits: { media: units },
    windowMs: 1_000 * windowSeconds,
    deployment: { exclusiveKeys },
  });
  return contradictionBy(proveFirstRequest, promisedIn(trace));
}

const at = (seconds: number, answer: (sentMs: number, receivedMs: number) => Exchange = admitted): Exchange =>
  answer(1_000 * seconds, 1_000 * seconds);

/** One request at a time, answered at once, at whole seconds of their own. */
type Sent = { readonly second: number; readonly isLimited: boolean };

const histories = fc
  .uniqueArray(fc.record({ second: fc.integer({ min: 0, max: 40 }), isLimited: fc.boolean() }), {
    minLength: 2,
    maxLength: 12,
    selector: ({ second }) => second,
  })
  .map((all) => all.toSorted((left, right) => left.second - right.second));

/** A window from the second of its first request on; one from before the run may have been filled by others. */
type Window = { readonly from: number; readonly end: number; readonly isFromBefore: boolean };

/** Whether windows that go on from this one explain the rest. A request at the very end of one may be of it, or begin the next. */
function explains(
  window: Window | null,
  before: Window | null,
  [one, ...rest]: readonly Sent[],
  all: readonly Sent[],
): boolean {
  if (one === undefined) return true;
  const { second, isLimited } = one;
  const admittedIn = (from: number, until: number): number =>
    all.filter((each) => !each.isLimited && each.second >= from && each.second < until).length;
  if (isLimited) {
    // A window may be held a second longer.
    const isFull = [window, before].some(
      (held) =>
        held !== null &&
        second <= held.end + 1 &&
        (held.isFromBefore || admittedIn(held.from, second) >= limit),
    );
    return isFull && explains(window, before, rest, all);
  }
  const isOfThis =
    window !== null &&
    second <= window.end &&
    admittedIn(window.from, second) < limit &&
    explains(window, before, rest, all);
  const begins = { from: second, end: second + windowSeconds, isFromBefore: false };
  return isOfThis || ((window === null || second >= window.end) && explains(begins, window, rest, all));
}

function someWindowsExplain(sent: readonly Sent[]): boolean {
  const [first] = sent;
  if (first === undefined) return true;
  const ends = Array.from({ length: 2 * windowSeconds + 1 }, (_, half) => first.second + half / 2);
  const fromBefore = ends.map((end) => ({ from: first.second, end, isFromBefore: true }));
  return [null, ...fromBefore].some((window) => explains(window, null, sent, sent));
}

describe('windows that begin with a request', () => {
  it('are not contradicted where some row of them explains everything', () => {
    const seen = { all: 0, explained: 0, refused: 0 };
    fc.assert(
      fc.property(histories, (sent) => {
        const found = contradictionOf(
          sent.map(({ second, isLimited }) => at(second, isLimited ? limited : admitted)),
        );
        seen.all += 1;
        if (!someWindowsExplain(sent)) return;
        seen.explained += 1;
        seen.refused += sent.some(({ isLimited }) => isLimited) ? 1 : 0;
        expect(found).toBe(null);
      }),
      { numRuns: 2_000, seed: 3 },
    );
    expect(seen.refused / seen.all).toBeGreaterThan(0.1);
  });

  it('explain a 429 by one that is held a second longer, and those after it by the next one', () => {
    const held = (second: number) => [at(0), at(1), at(second, limited), at(12), at(13), at(14, limited)];
    expect(contradictionOf(held(11))).toBe(null);
    expect(contradictionOf(held(11.1))).toMatchObject({ kind: 'wrongful-429' });
  });

  it('explain whatever a window from before the run may have refused, for as long as one lasts', () => {
    const refusedAt = (second: number) => contradictionOf([at(0), at(second, limited)]);
    expect(refusedAt(11)).toBe(null);
    expect(refusedAt(11.1)).toMatchObject({ kind: 'wrongful-429' });
  });

  it('explain no 429 where nothing was admitted for longer than one lasts', () => {
    expect(contradictionOf([at(0, limited), at(11, limited)])).toBe(null);
    expect(contradictionOf([at(0, limited), at(12, limited)])).toMatchObject({ kind: 'wrongful-429' });
  });

  it('explain any 429 of a key that others may use', () => {
    expect(contradictionOf([at(0), at(1), at(30, limited)], { exclusiveKeys: false })).toBe(null);
  });

  it('explain those 429s alone that are asked about, whatever number other drivers gave theirs', () => {
    const asked = limited(42_000, 42_000, { index: 7 });
    const sent = [at(0), at(1), limited(30_000, 30_000, { index: 7 }), at(40), at(41), asked];
    const promised = promisedIn(traceOf(sent, { limits: { media: limit }, windowMs: 1_000 * windowSeconds }));
    const refusals = promised.refusals.filter(({ exchange }) => exchange === asked);
    expect(refusals).toHaveLength(1);
    expect(contradictionBy(proveFirstRequest, { ...promised, refusals })).toBe(null);
  });

  it('are contradicted by more than the limit, whenever the first of them ended', () => {
    const sent = [at(0), at(20), at(21), at(22), at(23, limited)];
    const found = contradictionOf(sent.toReversed());
    expect(found).toMatchObject({
      kind: 'over-admission',
      expected: '2 requests of a key admitted in each window of 10.000 s, which begins with its first one',
      observed: 'key A at media: wherever its windows begin, one of them admitted more than 2',
    });
    expect(found?.by).toEqual(sent.slice(0, 4));
  });

  it('are contradicted by the first 429 that none of them explains', () => {
    const refused = [at(30, limited), at(32, limited)];
    const sent = [at(0), at(1), ...refused, at(40)];
    const found = contradictionOf(sent);
    expect(found).toMatchObject({
      kind: 'wrongful-429',
      observed:
        'key A at media: wherever its windows begin, this or another 429 came in one that cannot have been full',
    });
    expect(found?.by).toEqual(sent.filter((one) => one !== refused[1]));
  });

  it('are contradicted too where the first of them can only have ended within a burst', () => {
    const ms = [0, 500, 502.5, 505, 507.5, 510];
    expect(contradictionOf(ms.map((one) => at(one / 1_000)))).toMatchObject({ kind: 'over-admission' });
    expect(contradictionOf(ms.slice(0, 5).map((one) => at(one / 1_000)))).toBe(null);
  });

  it('are not contradicted where nothing is to be explained', () => {
    const promised = promisedIn(traceOf([at(0)], { limits: { media: limit } }));
    const nothing = { entries: [], explaining: [], admitted: [], mayCount: [] };
    expect(proveFirstRequest({ ...promised, group: { ...promised.group, ...nothing } })).toBe(null);
  });

  it('hold as much as their requests cost', () => {
    const dear = (sentMs: number, receivedMs: number) => limited(sentMs, receivedMs, { cost: 2 });
    const refusedIn = (units: number) => contradictionOf([at(0), at(20), at(21, dear)], { units });
    expect(refusedIn(2)).toBe(null);
    expect(refusedIn(4)).toMatchObject({ kind: 'wrongful-429' });
  });
});

it('is contradicted where the windows that explain a 429 would have let too much pass', () => {
  const unsure = (sentMs: number, receivedMs: number) => admitted(sentMs, receivedMs, { status: 503 });
  // What is unsure may have begun a window; or the next one did, five seconds later.
  const either = [at(0), at(30, unsure), at(35), at(36), at(42)];
  const kindOf = (sent: readonly Exchange[]) => contradictionOf(sent, { units: 3 })?.kind ?? null;
  expect(kindOf([...either, at(44, limited)])).toBe(null);
  expect(kindOf([...either, at(43)])).toBe(null);
  expect(kindOf([...either, at(43), at(44, limited)])).toBe('wrongful-429');
});

import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import type { Analysis } from '../analysis.ts';
import { caseOf } from '../case.ts';
import type { ClockSteps } from '../clock-steps.ts';
import { admitted, type Given, limited, originMs, traceOfDocument } from '../testing/traces.ts';
import { freeOnPromisedRefusals, misfitsOfPromise } from './remaining.ts';

type Limits = Readonly<Record<string, unknown>>;

/** What key A did with media uploads: 4 in a window of a minute, of the kind that is given. */
function analysisOf(exchanges: readonly Exchange[], media: Limits): Analysis {
  const scopes = { media: { title: 'media', limit: 4, ...media } };
  const [analysis] = caseOf(traceOfDocument(exchanges, { scopes })).analyses;
  if (analysis === undefined) throw new Error('nothing is said of media uploads');
  return analysis;
}

const deploymentOf = (exchanges: readonly Exchange[]) => traceOfDocument(exchanges, {}).header.deployment;

type Misfits = ReturnType<typeof misfitsOfPromise>;

/** When each of them was sent, s after the first; what it says is left, and at most may be. */
const shown = (misfits: Misfits) =>
  misfits.map(({ entry, value, allowed }) => [
    (entry.exchange.sentMs - originMs) / 1_000,
    value,
    allowed.highest,
  ]);

const never: ClockSteps = () => false;
const misfits = (exchanges: readonly Exchange[], media: Limits, stepped = never) =>
  shown(misfitsOfPromise(analysisOf(exchanges, media), { deployment: deploymentOf(exchanges), stepped }));

/** Answered at once, unless said otherwise. */
const left = (
  seconds: number,
  remaining: number,
  given: Given & { readonly tookMs?: number } = {},
): Exchange => {
  const { tookMs = 0, ...fields } = given;
  const ms = Math.round(1_000 * seconds);
  return admitted(ms, ms + tookMs, { remaining: String(remaining), ...fields });
};

const bucket = { promise: 'token-bucket' };
const fixed = { promise: 'fixed' };

describe('what is left after a request that was counted', () => {
  it('is less than the limit by what it costs, of whatever kind the limit is', () => {
    for (const promise of ['rolling', 'fixed', 'token-bucket', 'at-most', 'unsaid']) {
      expect(misfits([left(0, 3)], { promise })).toEqual([]);
      expect(misfits([left(0, 4), left(0, 3, { cost: 2 })], { promise })).toEqual([
        [0, 4, 3],
        [0, 3, 2],
      ]);
    }
  });

  it('may be more where a limit is guaranteed alone', () => {
    expect(misfits([left(0, 9)], { promise: 'at-least' })).toEqual([]);
  });

  it('may be of any of several limits', () => {
    const also = (limit: number, promise = 'fixed') => ({ also: [{ limit, windowSeconds: 10, promise }] });
    expect(misfits([left(0, 8), left(1, 9)], also(9))).toEqual([[1, 9, 8]]);
    expect(misfits([left(0, 3), left(0.1, 2), left(0.2, 3), left(0.3, 2), left(0.4, 3)], also(2))).toEqual(
      [],
    );
    expect(misfits([left(0, 9)], also(2, 'at-least'))).toEqual([]);
  });

  it('is that of the only limit, where requests cost more than 1', () => {
    const costly = [left(0, 2, { cost: 2 }), left(1, 2, { cost: 2 })];
    expect(misfits(costly, { promise: 'rolling', cost: 2 })).toEqual([[1, 2, 1]]);
  });

  it('is told by answers that say it alone', () => {
    expect(misfits([left(0, 0), admitted(1_000, 1_000, { remaining: null }), left(2, 4)], fixed)).toEqual([
      [2, 4, 3],
    ]);
  });
});

describe('what is left of a rolling window', () => {
  it('is no more than the limit less what was certainly counted in it', () => {
    const rolling = { promise: 'rolling' };
    expect(misfits([left(0, 3), left(1, 2), left(2, 2)], rolling)).toEqual([[2, 2, 1]]);
    expect(misfits([left(0, 3), left(1, 2), left(2, 2)], rolling, () => true)).toEqual([]);
  });

  it('is no more than what the scopes within leave, whose own figures may be of their own limits', () => {
    const scopes = {
      login: { title: 'login', limit: 4, paths: ['/login'], within: 'media' },
      media: { title: 'media', limit: 5 },
    };
    const login = { scope: 'login', path: '/login' };
    const sent = [left(0, 3, login), left(1, 2, login), left(2, 2), left(3, 2), left(4, 1, login)];
    const limits = { login: 4, media: 5 };
    const { analyses } = caseOf(traceOfDocument(sent, { scopes }, { limits }));
    const found = analyses.map((one) => [
      one.group.scope,
      shown(misfitsOfPromise(one, { deployment: deploymentOf(sent), stepped: never })),
    ]);
    expect(found).toEqual([
      ['login', []],
      ['media', [[3, 2, 1]]],
    ]);
  });
});

describe('what is left of a token bucket', () => {
  it('falls by what a request costs, but for what came back, and for a token that was in parts', () => {
    expect(misfits([left(0, 0), left(1, 0)], bucket)).toEqual([]);
    expect(misfits([left(0, 0), left(1, 1)], bucket)).toEqual([[1, 1, 0]]);
    expect(misfits([left(0, 3), left(1, 3, { cost: 1 }), left(2, 3)], bucket)).toEqual([]);
    expect(misfits([left(0, 2), left(1, 2, { cost: 2 })], bucket)).toEqual([[1, 2, 1]]);
  });

  it('is one more for each token that may have come back, by clocks that differ as much as they may', () => {
    // A token in 15 s, less what clocks may differ by: 6 ms, and 1 ms of resolution.
    expect(misfits([left(0, 0), left(14.994, 1)], bucket)).toEqual([]);
    expect(misfits([left(0, 0), left(14.993, 1)], bucket)).toEqual([[14.993, 1, 0]]);
  });

  it('is compared with the last answer that had come when a request was sent', () => {
    const slow = left(0, 0, { tookMs: 2_000 });
    expect(misfits([left(0, 2), slow, left(1, 2)], bucket)).toEqual([]);
    expect(misfits([left(0, 2), slow, left(2, 2)], bucket)).toEqual([]);
    expect(misfits([left(0, 2), slow, left(2.001, 2)], bucket)).toEqual([[2.001, 2, 0]]);
    expect(misfits([slow, left(0, 2), left(3, 1)], bucket)).toEqual([[3, 1, 0]]);
  });

  it('shows nothing across a jump of the clock', () => {
    const asked: number[][] = [];
    const stepped = (fromMs: number, toMs: number): boolean => {
      asked.push([fromMs - originMs, toMs - originMs]);
      return true;
    };
    expect(misfits([left(0, 0), left(1, 1)], bucket, stepped)).toEqual([]);
    expect(asked).toEqual([[0, 1_000]]);
  });
});

describe('what is left of a fixed window', () => {
  it('rises once where a window begins, and not a second time within the same', () => {
    expect(misfits([left(0, 1), left(1, 3), left(2, 2)], fixed)).toEqual([]);
    expect(misfits([left(0, 1), left(1, 3), left(2, 3)], fixed)).toEqual([]);
    expect(misfits([left(0, 1), left(1, 3), left(2, 2), left(3, 1)], fixed)).toEqual([]);
    expect(misfits([left(0, 1), left(1, 3), left(2, 2), left(3, 3)], fixed)).toEqual([[3, 3, 1]]);
    expect(misfits([left(0, 1), left(1, 3), left(2, 2), left(3, 3)], fixed, () => true)).toEqual([]);
  });

  it('is not less than what passes after it in the same window, as a refusal before it tells', () => {
    const seen = (remaining: number) => [
      limited(10_000, 10_001, { remaining: '0' }),
      left(20, remaining),
      left(21, 0, { cost: 2 }),
    ];
    expect(misfits(seen(2), fixed)).toEqual([]);
    expect(misfits(seen(1), fixed)).toEqual([[20, 1, 3]]);
  });

  it('was too little before a request that was admitted all the same', () => {
    expect(
      misfits(
        [0, 1, 2, 3].map((seconds) => left(seconds, 0)),
        fixed,
      ),
    ).toEqual([[2, 0, 1]]);
  });

  it('rises again in the next window, which is as long as clocks may show it', () => {
    const twice = (seconds: number) => misfits([left(0, 1), left(1, 3), left(2, 1), left(seconds, 3)], fixed);
    // 24 ms less than a minute, and 1 ms of resolution.
    expect([twice(59.975), twice(59.974)]).toEqual([[], [[59.974, 3, 0]]]);
  });

  it('rises twice only where the one rise was over before the other began', () => {
    const first = [left(0, 1), left(1, 3)];
    expect(misfits([...first, left(1, 1), left(2, 2)], fixed)).toEqual([]);
    expect(misfits([...first, left(1.001, 1), left(2, 2)], fixed)).toEqual([[2, 2, 0]]);
  });
});

describe('what is left on a 429', () => {
  const free = (exchanges: readonly Exchange[], media: Limits) =>
    shown(freeOnPromisedRefusals(analysisOf(exchanges, media)));
  const turned = (seconds: number, remaining: number, given: Given & { readonly tookMs?: number } = {}) => {
    const { tookMs = 0, ...fields } = given;
    const ms = Math.round(1_000 * seconds);
    return limited(ms, ms + tookMs, { remaining: String(remaining), ...fields });
  };

  it('of a bucket is what a request costs, and what came back while it was answered', () => {
    expect(free([turned(0, 1)], bucket)).toEqual([]);
    expect(free([turned(0, 2)], bucket)).toEqual([[0, 2, 1]]);
    expect(free([turned(0, 2, { tookMs: 14_994 })], bucket)).toEqual([]);
    expect(free([turned(0, 2, { tookMs: 14_993 })], bucket)).toEqual([[0, 2, 1]]);
    expect(free([turned(0, 3, { cost: 3 })], bucket)).toEqual([]);
    expect(free([turned(0, 4, { cost: 3 })], bucket)).toEqual([[0, 4, 3]]);
  });

  it('of a window that begins anew is enough once, and not twice within one', () => {
    for (const promise of ['fixed', 'unsaid']) {
      const twice = (seconds: number) => free([turned(0, 1), turned(seconds, 2)], { promise });
      expect([twice(59.975), twice(59.974)]).toEqual([[], [[59.974, 2, 0]]]);
      expect(twice(0)).toEqual([]);
      expect(free([turned(0, 0), turned(1, 1)], { promise })).toEqual([]);
      const dear = (remaining: number) => turned(remaining, remaining, { cost: 3 });
      expect(free([dear(3), dear(4)], { promise })).toEqual([[4, 4, 2]]);
      expect(free([dear(2), dear(4)], { promise })).toEqual([]);
    }
  });

  it('of other limits shows nothing', () => {
    expect(free([turned(0, 4), turned(1, 4)], { promise: 'at-most' })).toEqual([]);
  });

  it('shows nothing of dear requests where the limit is blamed, since it may count other costs', () => {
    const wrongful = [left(0, 3), turned(200, 4), turned(201, 4)];
    expect(free(wrongful, fixed)).toEqual([[201, 4, 0]]);
    const dear = [left(0, 3), turned(200, 4, { cost: 2 }), turned(201, 4, { cost: 2 })];
    expect(free(dear, fixed)).toEqual([]);
  });
});

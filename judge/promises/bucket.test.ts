import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { contradictionBy, promisedIn } from '../testing/proved.ts';
import { admitted, indeterminate, limited, originMs, times, traceOf } from '../testing/traces.ts';
import { proveBucket } from './bucket.ts';

/** What contradicts a bucket of 4 that gets one token in 15 s; `null` where nothing does. */
function contradictionOf(exchanges: readonly Exchange[]) {
  return contradictionBy(proveBucket, promisedIn(traceOf(exchanges, { limits: { media: 4 } })));
}

const kindOf = (exchanges: readonly Exchange[]) => contradictionOf(exchanges)?.kind ?? null;

const emptied = times(4, (at) => admitted(at, 5 + at));

describe('more than a bucket holds', () => {
  it('is one more before its token can have come back, by clocks that differ as much as they may', () => {
    // 0.001 of a token less than one, at a rate of 1.0004, and a millisecond of the service's clock.
    const fifth = (ms: number) => kindOf([...times(4, () => admitted(0, 5)), admitted(ms - 10, ms)]);
    expect([fifth(14_978), fifth(14_979)]).toEqual(['over-admission', null]);
  });

  it('is so at one moment too', () => {
    const atOnce = (count: number) => kindOf(times(count, () => admitted(1_000, 1_000)));
    expect([atOnce(4), atOnce(5)]).toEqual([null, 'over-admission']);
  });

  it('is shown by the requests from the first to the last of those that are the most, as they were sent', () => {
    const [early, late] = [admitted(0, 5), admitted(900_000, 900_005)];
    const burst = [admitted(100_005, 100_006), ...times(3, () => admitted(100_000, 100_020))];
    const [fifth, slow] = [admitted(101_000, 101_300), admitted(100_500, 120_000)];
    const found = contradictionOf([late, fifth, slow, ...burst, early]);
    expect(found).toMatchObject({
      expected: 'at most 4 requests at once, and one more for each 15.000 s',
      observed: '5 of key A at media admitted within 1.300 s',
    });
    expect(found?.by).toEqual([...burst.slice(1), burst[0], fifth]);
  });

  it('is nothing that was on its way at the time, and may have been counted later', () => {
    const slow = times(3, () => admitted(0, 60_000));
    const quick = (count: number) => times(count, () => admitted(1_000, 1_005));
    expect(kindOf([...slow, ...quick(4)])).toBe(null);
    expect(contradictionOf([...slow, ...quick(5)])?.by.map(({ sentMs }) => sentMs - originMs)).toEqual(
      Array.from({ length: 5 }, () => 1_000),
    );
  });

  it('is nothing by a wall clock that nothing was compared with: all may have been at any time', () => {
    const setting = {
      limits: { media: 4 },
      clocks: [{ id: 'simulation', kind: 'wall' as const, offsetMsMax: 0 }],
    };
    const untied = times(9, () => admitted(0, 5, { wallSentMs: null, wallReceivedMs: null }));
    expect(contradictionBy(proveBucket, promisedIn(traceOf(untied, setting)))).toBe(null);
  });

  it('is the most that there is of it', () => {
    const twoMore = times(6, () => admitted(200_000, 200_005));
    const found = contradictionOf([...times(5, () => admitted(0, 5)), ...twoMore]);
    expect(found?.by).toEqual(twoMore);
  });
});

describe('a 429 of a bucket', () => {
  it('is wrongful once a token has come back, by clocks that differ as much as they may', () => {
    const refusedAt = (ms: number) => kindOf([...emptied, limited(ms, ms + 10)]);
    // 15 s at a rate of 1 / 1.0004, and a millisecond of the service's clock, after the answer to the last that took one.
    expect([refusedAt(15_014), refusedAt(15_015)]).toEqual([null, 'wrongful-429']);
  });

  it('is so whenever it comes, by what came since the bucket was empty once', () => {
    const again = times(4, (at) => admitted(600_000 + at, 600_010 + at));
    const late = [admitted(700_000, 700_005), limited(640_000, 640_005)];
    const refusal = late[1] as Exchange;
    const found = contradictionOf([...late, ...again, ...emptied]);
    expect(found).toMatchObject({
      kind: 'wrongful-429',
      expected: 'a request is admitted while the bucket of 4, which gets one token each 15.000 s, holds one',
      observed: 'a 429 for key A at media when it held at least 2.7',
    });
    expect(found?.by).toEqual([emptied[3], ...again, refusal]);
  });

  it('is so too where nothing, or one request alone, was admitted before', () => {
    const alone = (...before: readonly Exchange[]) => kindOf([...before, limited(15_025, 15_030)]);
    expect(alone(limited(0, 5))).toBe('wrongful-429');
    expect(alone(admitted(0, 5))).toBe('wrongful-429');
    expect(alone(admitted(0, 5), admitted(10, 25))).toBe(null);
  });

  it('is the first of several as they were sent, shown with all that may have been counted before it', () => {
    const [first, second] = [limited(31_000, 31_010), limited(32_000, 32_010)];
    const meanwhile = admitted(31_010, 31_020);
    expect(contradictionOf([second, meanwhile, ...emptied, first])?.by).toEqual([
      emptied[3],
      first,
      meanwhile,
    ]);
  });

  it('is explained by a request that may have taken the token meanwhile', () => {
    const refusal = limited(16_000, 16_010);
    const meanwhile = (exchange: Exchange) => kindOf([...emptied, exchange, refusal]);
    expect(meanwhile(indeterminate(14_000))).toBe(null);
    expect(meanwhile(indeterminate(16_010))).toBe(null);
    expect(meanwhile(indeterminate(16_011))).toBe('wrongful-429');
    expect(meanwhile(admitted(15_500, 15_510))).toBe(null);
  });

  it('is explained by one that was on its way all the time', () => {
    const later = times(4, () => admitted(1_000, 1_005));
    expect(kindOf([admitted(0, 60_000), ...later, limited(16_100, 16_110)])).toBe(null);
  });

  it('is held against the bucket as it was last full, too', () => {
    const filledAgain = [...emptied, ...times(4, () => admitted(300_000, 300_010))];
    // Four thousandths of a token may be lost to as many requests.
    const refusedAt = (ms: number) => kindOf([...filledAgain, limited(ms, ms + 10)]);
    expect([refusedAt(315_077), refusedAt(315_078)]).toEqual([null, 'wrongful-429']);
    const between = [...emptied, admitted(200_000, 200_010), ...filledAgain.slice(4)];
    expect(kindOf([...between, limited(300_100, 300_110)])).toBe(null);
  });

  it('is explained by what may have been taken from the full bucket one after another, however long it had been full', () => {
    const unknown = (count: number) =>
      times(count, (at) => admitted(600_000 + 100 * at, 600_001 + 100 * at, { status: 503 }));
    const refusedAfter = (count: number) =>
      kindOf([...emptied, ...unknown(count), limited(601_000, 601_001)]);
    expect([refusedAfter(3), refusedAfter(4)]).toEqual(['wrongful-429', null]);
  });

  it('is held against what was answered first, in whatever order it was sent', () => {
    const [slow, ...quick] = [admitted(300_000, 330_000), ...times(3, () => admitted(300_001, 300_005))];
    expect(kindOf([...emptied, slow as Exchange, ...quick, limited(315_500, 315_510)])).toBe('wrongful-429');
  });

  it('may have come before others that emptied the bucket', () => {
    const two = (ms: number) => times(2, () => admitted(ms, ms + 1));
    expect(kindOf([...two(0), limited(5, 6), ...two(10)])).toBe(null);
  });

  it('is explained by an answer of another kind, which may have taken a token, unless it was over before the last that did', () => {
    const neither = (sentMs: number, receivedMs: number) =>
      kindOf([
        ...times(3, () => admitted(0, 5)),
        admitted(sentMs, receivedMs, { status: 404, outcome: 'refused' }),
        admitted(20, 25),
        limited(15_050, 15_060),
      ]);
    expect(neither(10, 19)).toBe('wrongful-429');
    expect([neither(10, 20), neither(18, 24), neither(18, 30)]).toEqual([null, null, null]);
  });

  it('needs as many tokens as the request costs', () => {
    const dear = (ms: number) => contradictionOf([...emptied, limited(ms, ms + 10, { cost: 3 })]);
    expect(dear(45_020)).toBe(null);
    expect(dear(45_040)?.expected).toBe(
      'a request is admitted while the bucket of 4, which gets one token each 15.000 s, holds the 3 that it costs',
    );
  });
});

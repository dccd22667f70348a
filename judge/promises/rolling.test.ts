import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { contradictionBy, promisedIn } from '../testing/proved.ts';
import { admitted, limited, times, traceOf } from '../testing/traces.ts';
import type { Prover } from './prover.ts';
import { proveAtLeast, proveAtMost, proveRolling } from './rolling.ts';

/** What contradicts 4 in any minute; `null` where nothing does. */
function contradictionOf(prove: Prover, exchanges: readonly Exchange[]) {
  return contradictionBy(prove, promisedIn(traceOf(exchanges, { limits: { media: 4 } })));
}

const kindOf = (prove: Prover, exchanges: readonly Exchange[]) =>
  contradictionOf(prove, exchanges)?.kind ?? null;
const each = [proveRolling, proveAtMost, proveAtLeast] as const;
const kinds = (exchanges: readonly Exchange[]) => each.map((prove) => kindOf(prove, exchanges));

const many = (count: number, ms: number) => times(count, () => admitted(ms, ms));
const none = [null, null, null];

describe('a rolling window, a bound from above, and a guarantee', () => {
  it('are contradicted by one more than the limit, but for the guarantee', () => {
    // 24 ms less than a minute, and 1 ms of resolution.
    const fifth = (ms: number) => kinds([...many(4, 0), ...many(1, ms)]);
    expect([fifth(59_974), fifth(59_975)]).toEqual([['over-admission', 'over-admission', null], none]);
    const found = contradictionOf(proveAtMost, [...many(1, -200_000), ...many(4, 0), ...many(1, 30_000)]);
    expect(found).toMatchObject({
      expected: 'at most 4 requests of a key admitted in any 60.000 s',
      observed: '5 of key A at media admitted within 30.000 s',
    });
    expect(found?.by).toHaveLength(5);
  });

  it('are contradicted by a 429 of who made fewer, but for the bound from above', () => {
    const refused = (...before: readonly Exchange[]) =>
      kinds([admitted(0, 0), ...before, limited(200_000, 200_000)]);
    expect(refused(...many(4, 150_000))).toEqual(none);
    expect(refused(...many(3, 150_000))).toEqual(['wrongful-429', null, 'wrongful-429']);
    // Requests that were refused may have counted.
    const turned = times(4, () => limited(112_000, 112_000));
    const again = (ms: number) => kinds([admitted(0, 0), ...many(4, 110_000), ...turned, limited(ms, ms)]);
    expect(again(172_500)).toEqual(none);
    expect(again(173_500)).toEqual(['wrongful-429', null, 'wrongful-429']);
    // A limiter of whole seconds may hold a place a second longer.
    expect(refused(...many(4, 139_000))).toEqual(none);
    expect(refused(...many(4, 138_950))).toEqual(['wrongful-429', null, 'wrongful-429']);
  });

  it('are contradicted by 429s at once of who made fewer, which came before one another in no order', () => {
    const crowd = (before: number, count: number) =>
      kinds([admitted(0, 0), ...many(before, 150_000), ...times(count, () => limited(150_010, 150_015))]);
    expect(crowd(4, 4)).toEqual(none);
    expect(crowd(3, 4)).toEqual(['wrongful-429', null, 'wrongful-429']);
    expect(
      contradictionOf(proveAtLeast, [
        admitted(0, 0),
        ...many(3, 150_000),
        ...times(4, () => limited(150_010, 150_015)),
      ]),
    ).toMatchObject({
      expected: 'a request is served if its key has made fewer than 4 in the 60.000 s before it',
      observed:
        '4 429s for key A at media at once: whichever of them came first had at most 3 requests in the 61.000 s before it',
    });
  });

  it('say of 429s at once what came before any of them, and the most before one', () => {
    const refused = (from: number, to: number) =>
      limited(150_000 + from, 150_000 + to, { requestId: `${from}` });
    const found = contradictionOf(proveAtLeast, [
      admitted(0, 0),
      admitted(150_000, 150_002, { requestId: 'before all' }),
      ...[refused(3, 9), refused(4, 20), refused(5, 25), refused(6, 9)],
      admitted(150_010, 150_012, { requestId: 'before some' }),
    ]);
    expect(found?.observed).toBe(
      '4 429s for key A at media at once: whichever of them came first had at most 2 requests in the 61.000 s before it',
    );
    expect(found?.by.map(({ requestId }) => requestId)).toEqual([
      'before all',
      'before some',
      '3',
      '4',
      '5',
      '6',
    ]);
  });

  it('say what requests cost where they cost more', () => {
    const dear = { cost: 2 } as const;
    const crowd = [
      admitted(0, 0),
      admitted(150_000, 150_000, dear),
      ...times(2, () => limited(150_010, 150_015, dear)),
    ];
    expect(contradictionOf(proveAtLeast, crowd)?.observed).toBe(
      '2 429s for key A at media at once: whichever of them came first had at most 2 units (1 request) in the 61.000 s before it',
    );
    expect(contradictionOf(proveAtLeast, crowd.slice(0, -1))?.observed).toBe(
      'a 429 for key A at media with 2 units (1 request) in the 61.000 s before it',
    );
  });

  it('are not contradicted by a 429 that earlier use of the key explains', () => {
    const refusedAt = (ms: number) => kinds([admitted(0, 0), limited(ms, ms)]);
    expect([refusedAt(61_024), refusedAt(61_026)]).toEqual([none, ['wrongful-429', null, 'wrongful-429']]);
  });

  it('say apart what was refused before a 429, where that does not count', () => {
    const refusals = times(5, (at) => limited(150_000 + at * 1_000, 150_000 + at * 1_000));
    // That admission shows that rejections do not count.
    const sent = [...many(4, 0), admitted(145_000, 145_000), ...refusals, admitted(160_000, 160_000)];
    expect(contradictionOf(proveRolling, sent)).toMatchObject({
      kind: 'wrongful-429',
      expected: 'a request is served if its key has made fewer than 4 in the 60.000 s before it',
      observed: 'a 429 for key A at media with 1 request in the 61.000 s before it, and 4 that were refused',
    });
  });

  it('are shown by all that was sent in the window before a 429, and a second more', () => {
    const within = [admitted(139_100, 139_100), ...many(2, 150_000)];
    const refusal = limited(200_000, 200_000);
    const outside = [admitted(0, 0), admitted(138_900, 138_900), admitted(201_000, 201_000)];
    const found = contradictionOf(proveAtLeast, [...outside, ...within, refusal]);
    expect(found).toMatchObject({
      expected: 'a request is served if its key has made fewer than 4 in the 60.000 s before it',
      observed: 'a 429 for key A at media with 3 requests in the 61.000 s before it',
    });
    expect(found?.by).toEqual([...within, refusal]);
  });
});

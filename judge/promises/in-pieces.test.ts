import { describe, expect, it, test } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { contradictionBy, promisedIn } from '../testing/proved.ts';
import { admitted, indeterminate, limited, originMs, traceOf } from '../testing/traces.ts';
import { withoutAnyRefusal } from '../without-refusals.ts';
import { piecesOf } from './in-pieces.ts';
import { proverOf, provingOf } from './provers.ts';

const windowMs = 1_000;
const firstRequest = { kind: 'fixed', aligned: 'first-request' } as const;

const promisedFor = (sent: readonly Exchange[], limit = 1) =>
  promisedIn(traceOf(sent, { limits: { media: limit }, windowMs }));

/** One admission in each window of a second, and a 429 half a second after it. */
function windows(count: number, fromMs = 0): readonly Exchange[] {
  return Array.from({ length: count }).flatMap((_, at) => {
    const ms = fromMs + at * 1_100;
    return [admitted(ms, ms + 1), limited(ms + 500, ms + 501)];
  });
}

const whole = windows(1_000);

describe('a long trace', () => {
  const pieces = piecesOf(promisedFor(whole));

  it('has a piece for each 300 windows, which asks about the 429s in them', () => {
    const asked = pieces.map(({ promised: { refusals } }) => refusals.length);
    expect(asked).toEqual([273, 273, 273, 181]);
    const refused = whole.filter(({ outcome }) => outcome === 'limited');
    expect(pieces.flatMap(({ promised }) => promised.refusals.map(({ exchange }) => exchange))).toEqual(
      refused,
    );
  });

  it('begins each with what came 20 times as long before as a window may be held', () => {
    const [first, second] = pieces.map(({ promised: { begunMs, group } }) => ({
      begunMs: begunMs - originMs,
      sentMs: group.explaining.map(({ exchange }) => exchange.sentMs - originMs),
    }));
    expect(first?.begunMs).toBe(0);
    expect(first?.sentMs.at(-1)).toBe(299_700);
    expect(second?.begunMs).toBe(260_300);
    expect([second?.sentMs[0], second?.sentMs.at(-1)]).toEqual([260_700, 600_000]);
  });
});

it('has in each piece what is its own of the key’s requests, and of those that may explain its 429s', () => {
  const promised = promisedFor(whole);
  const { group } = promised;
  const pieces = piecesOf({ ...promised, group: { ...group, entries: group.admitted } });
  expect(pieces).toHaveLength(4);
  for (const { promised: piece } of pieces) {
    const { entries, admitted: own, mayCount, limited: refused, explaining } = piece.group;
    expect(entries).toEqual(explaining.filter(({ exchange }) => exchange.outcome === 'admitted'));
    expect(entries.length).toBeLessThan(explaining.length);
    expect([own, mayCount, refused]).toEqual([entries, entries, []]);
  }
});

it('is one piece where it is short', () => {
  const promised = promisedFor(windows(309));
  const [only, another] = piecesOf(promised);
  expect([only?.promised, another]).toEqual([promised, undefined]);
  expect(piecesOf(promisedFor(windows(310)))).toHaveLength(2);
});

test('what is on its way as a piece begins may have counted since, and stands for itself in what is shown', () => {
  const lost = indeterminate(100_000);
  const [, second] = piecesOf(promisedFor([...whole, lost]));
  const [unsure] = second?.promised.group.explaining ?? [];
  expect(unsure).toMatchObject({ lowMs: originMs + 260_300, exchange: { ...lost, outcome: 'refused' } });
  expect(unsure && second?.wholeOf(unsure).exchange).toBe(lost);
});

it('has what was sent while its last 429 was on its way', () => {
  const slow = limited(299_000, 340_000);
  const [first] = piecesOf(promisedFor([...whole, slow]));
  const sentMs = first?.promised.group.explaining.map(({ lowMs }) => lowMs - originMs) ?? [];
  expect(Math.max(...sentMs)).toBe(339_900);
});

test.each([
  { kind: 'fixed', aligned: 'first-request' },
  { kind: 'fixed', aligned: 'clock' },
  { kind: 'fixed', aligned: 'unsaid' },
  { kind: 'unsaid' },
] as const)('a 429 that nothing explains is found after however many windows: %j', (promise) => {
  const found = (sent: readonly Exchange[]) => contradictionBy(proverOf(promise), promisedFor(sent));
  const long = windows(2_000);
  const laterMs = 2_000 * 1_100;
  expect(found(long)).toBe(null);
  for (const ms of [4_000, 1_000_000]) {
    const wrong = limited(laterMs + ms, laterMs + ms + 1);
    const contradiction = found([...long, wrong]);
    expect(contradiction).toMatchObject({ kind: 'wrongful-429' });
    expect(contradiction?.by).toContain(wrong);
  }
  const burst = [1, 2, 3, 4].map((ms) => admitted(laterMs + 10 * ms, laterMs + 10 * ms + 1));
  expect(found([...long, ...burst])).toMatchObject({ kind: 'over-admission' });
});

test('nobody can have filled a window from before a later piece', () => {
  const kindOf = (laterMs: number) => {
    const sent = [admitted(0, 1), limited(100, 101), admitted(laterMs, laterMs + 1)];
    const promised = promisedFor([...sent, limited(laterMs + 100, laterMs + 101)], 2);
    return contradictionBy(proverOf(firstRequest), promised)?.kind ?? null;
  };
  expect([kindOf(200), kindOf(100_000), kindOf(1_000_000)]).toEqual([null, 'wrongful-429', 'wrongful-429']);
});

test('a later piece may begin with what did not count, or did', () => {
  const fromMs = 1_000_000;
  const unsure = admitted(fromMs, fromMs + 1, { status: 503 });
  const sent = [500, 1_200, 1_600, 1_700].map((ms) => admitted(fromMs + ms, fromMs + ms + 1));
  const refused = [1_400, 1_800].map((ms) => limited(fromMs + ms, fromMs + ms + 1));
  const promised = promisedFor([admitted(0, 1), unsure, ...sent, ...refused], 2);
  expect(piecesOf(promised)).toHaveLength(2);
  expect(contradictionBy(proverOf(firstRequest), promised)).toBe(null);
  const none = { ...promised, group: withoutAnyRefusal(promised.group) };
  expect(
    provingOf(firstRequest)
      .explained(none)
      .map(({ exchange }) => exchange),
  ).toEqual(refused);
});

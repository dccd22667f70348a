import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settledAfterMs, windowMsAtMost } from '../contract/bounds.ts';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import { groupsOf } from './entries.ts';
import { holdingOf, refusalsOfOwn } from './granularity.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, type Given, limited, originMs, type Setting, times, traceOf } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

function verdictOf(clause: ClauseId, exchanges: readonly Exchange[], setting: Setting = {}) {
  return verdictOn(clause, traceOf(exchanges, setting));
}

const first = [...times(30, () => admitted(0, 5)), limited(100, 105), limited(59_900, 59_905)];

describe('a place that is held longer than its minute, and less than a second longer', () => {
  test('is seen as soon as nothing from before the run explains the 429', () => {
    const trace = [...first, limited(60_300, 60_305), admitted(60_400, 60_405)];
    expect(verdictOf('window.granularity', trace)).toMatchObject({
      kind: 'violated',
      reason: 'whole-seconds',
      evidence: {
        observed: expect.stringMatching(/60\.27\d s.*whole seconds.*too long by less than a second/),
      },
    });
    expect(verdictOf('window.length', trace)?.kind).not.toBe('violated');
  });

  test('is not seen across a jump of the clock', () => {
    const jumped = [limited(60_300, 60_305), admitted(60_400, 60_405)].map((one) => ({
      ...one,
      wallSentMs: one.sentMs + 700,
      wallReceivedMs: one.sentMs + 705,
    }));
    expect(verdictOf('window.granularity', [...first, ...jumped])).toMatchObject({
      kind: 'inconclusive',
      reason: 'the clock of this machine jumped during the run: run it again',
    });
  });

  test('is seen though the clock jumped later', () => {
    const later = limited(200_000, 200_005);
    const jumped = { ...later, wallSentMs: later.sentMs + 700, wallReceivedMs: later.sentMs + 705 };
    const full = times(30, () => admitted(199_000, 199_005));
    const trace = [...first, limited(60_300, 60_305), admitted(60_400, 60_405), ...full, jumped];
    expect(verdictOf('window.granularity', trace)).toMatchObject({ reason: 'whole-seconds' });
  });

  const limits = { standard: 4, messages: 4, media: 4 };
  const filled = (given: Given = {}) => times(4, (at) => admitted(at * 510, at * 510 + 5, given));
  const again = (given: Given = {}) => [
    ...times(4, (at) => admitted(130_000 + at * 510, 130_005 + at * 510, given)),
    limited(134_000, 134_005, given),
  ];

  test('is none where rejections that count hold it so long', () => {
    const trace = [
      ...filled(),
      ...times(4, () => limited(5_000, 5_005)),
      limited(60_300, 60_305),
      admitted(65_100, 65_105),
      ...again(),
    ];
    expect(verdictOf('window.granularity', trace, { limits })).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining('known too loosely'),
    });
    const alone = trace.filter(({ sentMs }) => sentMs !== trace[4]?.sentMs);
    expect(verdictOf('window.granularity', alone, { limits })).toMatchObject({ kind: 'violated' });
  });

  test('is not seen where rejections that count explain all but what lies across a jump of the clock', () => {
    const trace = (aheadMs: number) => {
      const ahead = (make: typeof admitted, ms: number) =>
        make(ms, ms + 5, {
          wallSentMs: originMs + ms + aheadMs,
          wallReceivedMs: originMs + ms + 5 + aheadMs,
        });
      return [
        ...times(4, () => admitted(0, 5)),
        ...times(4, () => limited(5_000, 5_005)),
        limited(60_300, 60_305),
        admitted(65_100, 65_105),
        ...times(4, () => admitted(190_000, 190_005)),
        limited(190_100, 190_105),
        ahead(limited, 250_300),
        ahead(admitted, 250_400),
      ];
    };
    expect(verdictOf('window.granularity', trace(0), { limits })).toMatchObject({ reason: 'whole-seconds' });
    expect(verdictOf('window.granularity', trace(700), { limits })).toMatchObject({
      kind: 'inconclusive',
      reason: 'the clock of this machine jumped during the run: run it again',
    });
  });

  test('is none where a cap per second may have refused it', () => {
    const standard: Given = { scope: 'standard', path: '/v1/contacts' };
    const trace = [
      ...filled(standard),
      limited(5_000, 5_005, standard),
      limited(59_900, 59_905, standard),
      limited(60_600, 60_605, standard),
      admitted(60_700, 60_705, standard),
      ...again(standard),
    ];
    const kind = (perSecond: string) =>
      verdictOf('window.granularity', trace, { limits, deployment: { perSecond } });
    expect(kind('average')).toMatchObject({ kind: 'violated', reason: 'whole-seconds' });
    expect(kind('cap')).toMatchObject({ kind: 'held' });
  });

  test('a 429 within the uncertainty of the clocks is no such thing', () => {
    expect(verdictOf('window.granularity', [...first, limited(60_025, 60_030)])?.kind).not.toBe('violated');
  });

  /** Both fillings are held for 60.75 s and not for 60.78 s; the second began `fractionMs` later in its second. */
  const heldAtBoth = (fractionMs: number, againMs: number) => {
    const fromMs = 121_000 + fractionMs;
    return [
      ...first,
      limited(60_750, 60_755),
      admitted(60_775, 60_780),
      ...times(30, () => admitted(fromMs, fromMs + 5)),
      limited(fromMs + 100, fromMs + 105),
      limited(fromMs + againMs, fromMs + againMs + 5),
      admitted(fromMs + againMs + 25, fromMs + againMs + 30),
    ];
  };

  test('is a window that is too long where two fractions of a second show the same length', () => {
    expect(verdictOf('window.length', heldAtBoth(500, 60_750))).toMatchObject({
      kind: 'violated',
      reason: 'too-long',
      evidence: { observed: expect.stringContaining('with at most 0 requests in the 60.000 s before it') },
    });
  });

  test('is whole seconds where both leave at the same fraction of a second', () => {
    const trace = heldAtBoth(500, 60_250);
    expect(verdictOf('window.length', trace)?.kind).not.toBe('violated');
    expect(verdictOf('window.granularity', trace)).toMatchObject({ reason: 'whole-seconds' });
  });
});

/** When 12 of 30 places are taken, ms, each at a phase of its own of a second and of its parts. */
const takenMs = [1_301, 1_424, 1_558, 1_652, 1_816, 2_007, 2_108, 2_213, 2_329, 2_446, 2_619, 2_789];

/** A run that asks for each of these places in such steps around its return; `heldUntil` says when it comes back. */
function asked(heldUntil: (ms: number) => number, stepMs: number): readonly Exchange[] {
  const leaving: number[] = [];
  const at = (ms: number): Exchange => {
    const isFree = leaving.filter((freeMs) => freeMs > ms).length < 30;
    if (isFree) leaving.push(heldUntil(ms));
    return isFree ? admitted(ms - 0.5, ms + 0.5) : limited(ms - 0.5, ms + 0.5);
  };
  const filling = [...takenMs.map(at), ...times(18, () => at(3_000)), at(3_100)];
  const returning = takenMs.flatMap((ms) => {
    const trace: Exchange[] = [];
    for (let askedMs = ms + 60_020; trace.at(-1)?.outcome !== 'admitted'; askedMs += stepMs)
      trace.push(at(askedMs));
    return trace;
  });
  return [...filling, ...returning];
}

/** The end of the part of a second that a moment lies in. */
const partEnd = (ms: number, parts: number, phaseMs: number): number =>
  (Math.floor(((ms - phaseMs) * parts) / 1_000) + 1) * (1_000 / parts) + phaseMs;

describe('places that were taken at many fractions of a second', () => {
  test.each([50, 70, 100, 500, 900])('and were all held %i ms too long show a window too long', (lateMs) => {
    const trace = asked((ms) => ms + 60_000 + lateMs, lateMs / 16);
    expect(verdictOf('window.length', trace)).toMatchObject({ kind: 'violated', reason: 'too-long' });
  });

  test('is proved by a 429 with room in the window before it', () => {
    expect(
      verdictOf(
        'window.length',
        asked((ms) => ms + 60_500, 30),
      ),
    ).toMatchObject({
      evidence: {
        observed: expect.stringMatching(/^a 429 .* with at most 2\d requests in the 60\.000 s before it/),
      },
    });
  });

  test('show nothing within the uncertainty of the clocks', () => {
    const trace = asked((ms) => ms + 60_025, 3);
    expect(verdictOf('window.length', trace)?.kind).not.toBe('violated');
    expect(verdictOf('window.granularity', trace)?.kind).not.toBe('violated');
  });

  test.each([1, 2, 3, 7, 9, 11, 12, 15, 30, 60])('and were held until 1/%i s ended conform', (parts) => {
    for (const phaseMs of [0, 3.7, 11, 370]) {
      const trace = asked((ms) => 60_000 + partEnd(ms, parts, phaseMs), 3 + 60 / parts);
      expect(verdictOf('window.length', trace)?.kind).not.toBe('violated');
      expect(verdictOf('limits.media', trace)?.kind).not.toBe('violated');
    }
  });
});

test('200 places that were all held 34 ms too long, at as many fractions of a second, may be counted in finer parts', () => {
  const at = (ms: number, make: typeof admitted) => make(ms - 0.05, ms + 0.05);
  const takenAtMs = times(200, (index) => at(index * 5, admitted));
  const returning = Array.from({ length: 200 }, (_, index) => index * 5 + 60_034).flatMap((freeMs) => [
    at(freeMs - 0.4, limited),
    at(freeMs, admitted),
  ]);
  const limits = { standard: 200, messages: 200, media: 200 };
  const { clauses } = judgeTrace(traceOf([...takenAtMs, at(1_100, limited), ...returning], { limits }));
  expect(clauses.find(({ clause }) => clause === 'window.length')?.verdict.kind).not.toBe('violated');
});

test('a clock that is as slow as it may be, and reads whole milliseconds, counts in seconds all the same', () => {
  // By its own clock, ms after it began; a second of it ends at 70 ms.
  const rate = 1 - 0.0004;
  const at = (ms: number, make: typeof admitted) => make(ms / rate - 0.01, ms / rate + 0.01);
  const exchanges = [
    at(0, admitted),
    at(70.05, admitted),
    at(70.06, admitted),
    at(3_000, limited),
    at(60_069.95, limited),
    at(60_070.05, admitted),
    at(61_069.95, limited),
    at(61_070.05, admitted),
  ];
  const limits = { standard: 3, messages: 3, media: 3 };
  const { clauses } = judgeTrace(traceOf(exchanges, { limits }));
  const violated = clauses.filter(({ verdict }) => verdict.kind === 'violated').map(({ clause }) => clause);
  expect(violated.filter((clause) => /^(limits|window)\./.test(clause))).toEqual(['window.granularity']);
});

describe('a refusal alone', () => {
  const filled = times(30, () => admitted(0, 5));
  const holdingAt = (atMs: number) => {
    const [group] = groupsOf(traceOf([...filled, limited(atMs, atMs + 5)]));
    if (group === undefined) throw new Error('no group');
    return {
      holding: holdingOf(group, 'not-counted', group.limited),
      isOwn: refusalsOfOwn(group).length === 1,
    };
  };

  test('is the group’s own once whoever used the key before has left an exact window', () => {
    const leftMs = settledAfterMs(60_000) - 1_000;
    expect([leftMs - 1, leftMs].map((ms) => holdingAt(ms).isOwn)).toEqual([false, true]);
  });

  test('is exact until the first place has certainly been left', () => {
    const leftMs = 5 + windowMsAtMost(60_000);
    expect([leftMs, leftMs + 1].map((ms) => holdingAt(ms).holding)).toEqual(['exact', 'in-parts']);
  });
});

test('where rejections count, the place of one that is free again tells where a part ended', () => {
  const exchanges = [
    admitted(0, 1),
    // No part ends in the first 900 ms of a second …
    limited(60_900, 60_901),
    admitted(120_950, 120_951),
    // … but one does between its 200th and its 501st, if this rejection took a place.
    limited(121_200, 121_201),
    admitted(181_500, 181_501),
  ];
  const [group] = groupsOf(traceOf(exchanges, { limits: { standard: 1, messages: 1, media: 1 } }));
  if (group === undefined) throw new Error('no group');
  const [first] = group.limited;
  expect(holdingOf(group, 'counted', group.limited)).toBe('none');
  expect(holdingOf(group, 'not-counted', first === undefined ? [] : [first])).toBe('in-parts');
});

/** Moments between requests, ms, with many around an expiry. */
const gapMs = fc.constantFrom(0, 1, 40, 333, 900, 10_000, 30_000, 59_500, 59_990, 60_004, 60_200, 60_950);

test('property: no log that counts in parts of a second is too long, whatever their phase and the clock', () => {
  const setting = fc.record({
    parts: fc.integer({ min: 1, max: 120 }),
    phaseMs: fc.integer({ min: 0, max: 999 }),
    rate: fc.constantFrom(-0.0004, 0, 0.0004),
    truncates: fc.boolean(),
    gaps: fc.array(gapMs, { minLength: 20, maxLength: 60 }),
    networkMs: fc.constantFrom(0.5, 20),
  });
  fc.assert(
    fc.property(setting, ({ parts, phaseMs, rate, truncates, gaps, networkMs }) => {
      const leaving: number[] = [];
      let nowMs = 0;
      const trace = gaps.map((gap) => {
        nowMs += gap + networkMs;
        const exactMs = nowMs * (1 + rate);
        const serverMs = truncates ? Math.floor(exactMs) : exactMs;
        const held = leaving.filter((ms) => ms > serverMs).length;
        const interval = [nowMs - networkMs / 2, nowMs + networkMs / 2] as const;
        if (held >= 3) return limited(...interval);
        leaving.push(partEnd(serverMs, parts, phaseMs) + 60_000);
        return admitted(...interval);
      });
      const { clauses } = judgeTrace(traceOf(trace, { limits: { standard: 3, messages: 3, media: 3 } }));
      const violated = clauses.filter(({ verdict }) => verdict.kind === 'violated');
      const ids = violated.map(({ clause }) => clause).filter((id) => /^(limits|window)\./.test(id));
      expect(ids.filter((id) => id !== 'window.granularity')).toEqual([]);
    }),
    { numRuns: 1_000, seed: 23 },
  );
});

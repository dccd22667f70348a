import { describe, expect, it } from 'vitest';
import type { Hints, Wanted } from './fit.ts';
import type { Grid } from './grid.ts';
import { fitGrids, type GridClass, middle } from './grid-search.ts';
import { inSteps, observe } from './observations.ts';
import { limitPlausibility, windowPlausibility } from './plausibility.ts';
import { admitted, unanswered } from './testing/observed.ts';

const infinite = Number.POSITIVE_INFINITY;

/** One request, so long after a whole minute. */
const seenAt = (afterMs: number, receivedMs: number | null = afterMs) =>
  observe([
    {
      sentMs: 1_760_000_040_000 + afterMs,
      receivedMs: receivedMs === null ? null : 1_760_000_040_000 + receivedMs,
      outcome: 'admitted',
    },
  ]);

/** Limiters of thirty that are contradicted as often as a test says. */
const subject = (contradictions: (grid: Grid) => number, more: Partial<GridClass> = {}): GridClass => ({
  wallClock: 'fixed-window-wall-clock',
  otherPhase: 'fixed-window-phase',
  bracket: { lowMs: 10_000, highMs: 20_000 },
  explain: (grid) => ({
    limit: 30,
    contradictedBy: Array.from({ length: contradictions(grid) }, (_, at) => at),
  }),
  lengths: () => [{ lowMs: 41_000, highMs: 43_000 }],
  spacing: 'even',
  tried: 10,
  begunPrior: 0.04,
  wanted: 'nearest',
  ...more,
});

const near = (ms: number, wantedMs: number, byMs: number) => (Math.abs(ms - wantedMs) <= byMs ? 0 : 1);

/** What a search finds on a grid that neither the wall clock nor the first request begins. */
const phases = (of: GridClass, hints: Hints = {}, seen = seenAt(7_777, null)) =>
  fitGrids(seen, of, hints).filter(
    ({ algorithm, contradictedBy }) => algorithm === of.otherPhase && contradictedBy.length === 0,
  );

describe('boundaries of any phase', () => {
  it('are tried evenly, in the middle of the span that each stands for', () => {
    const tried: number[] = [];
    const of = subject(({ boundaryMs }) => {
      tried.push(boundaryMs);
      return 5;
    });
    fitGrids(seenAt(7_777), of, {});
    expect([...new Set(tried)].slice(0, 10)).toEqual([
      19_500, 18_500, 17_500, 16_500, 15_500, 14_500, 13_500, 12_500, 11_500, 10_500,
    ]);
  });

  it('are tried closer and closer to the end where that is likelier', () => {
    const tried: number[] = [];
    const of = subject(
      ({ boundaryMs }) => {
        tried.push(boundaryMs);
        return 5;
      },
      { spacing: 'late' },
    );
    fitGrids(seenAt(7_777), of, {});
    expect([...new Set(tried)].slice(0, 3)).toEqual([19_950, 19_750, 19_350]);
  });

  it('are looked at more closely where they explain most', () => {
    // Between 18.5 and 19.5 s nothing explains all, but at 18.875 s something does.
    const [found] = phases(subject(({ boundaryMs }) => near(boundaryMs, 18_875, 100)));
    expect(found?.boundary).toEqual({ lowMs: 18_750, highMs: 19_000 });
    const weight = windowPlausibility({ lowMs: 41_000, highMs: 43_000 }, {}) * limitPlausibility(30, {});
    // 18.875 s is met from either side of it.
    expect(found?.plausibility).toBeCloseTo(2 * 0.3 * (250 / 42_000) * weight, 12);
  });

  it('are looked at more closely on both sides of each', () => {
    const tried = new Set<number>();
    const of = subject(({ boundaryMs }) => {
      tried.add(boundaryMs);
      return near(boundaryMs, 18_500, 10);
    });
    fitGrids(seenAt(7_777, null), of, {});
    const closer = [...tried].filter((ms) => ms % 1_000 !== 500 && ms % 125 === 0 && ms < 19_900);
    expect(closer).toEqual([17_625, 17_875, 18_125, 18_375, 18_625, 18_875, 19_125, 19_375]);
  });

  it.each([
    ['at once', 0, 18_500],
    ['nearby alone', 1, 18_875],
    ['near a place that contradicts three', 3, 18_875],
  ])('are found %s where nothing else is wanted than what explains all', (_, count, atMs) => {
    const contradictions = ({ boundaryMs }: Grid) =>
      count * near(boundaryMs, atMs, 100) + 4 * near(boundaryMs, atMs, 600);
    const explaining = fitGrids(seenAt(7_777), subject(contradictions, { wanted: 'explaining' }), {});
    expect(explaining).toEqual(phases(subject(contradictions), {}, seenAt(7_777)));
    expect(explaining).not.toEqual([]);
  });

  it.each([1, 3, 5])('are no fits where all contradict %i, and nothing else is wanted', (count) => {
    expect(
      fitGrids(
        seenAt(7_777),
        subject(() => count, { wanted: 'explaining' }),
        {},
      ),
    ).toEqual([]);
  });

  it('are looked at no closer where they explain hardly anything', () => {
    const looked = (contradictions: number) => {
      const tried = new Set<number>();
      fitGrids(
        seenAt(7_777),
        subject(({ boundaryMs }) => {
          tried.add(boundaryMs);
          return contradictions;
        }),
        {},
      );
      return tried.size;
    };
    expect(looked(3)).toBeGreaterThan(35);
    // Around no more than four.
    expect(looked(3)).toBeLessThan(75);
    expect(looked(4)).toBeLessThan(35);
    expect(looked(5)).toBeLessThan(35);
  });

  it('that explain as much are one fit, with all their lengths, named by the likeliest', () => {
    const of = subject(({ boundaryMs }) => near(boundaryMs, 15_000, 1_600), {
      lengths: (boundaryMs) => [
        { lowMs: 43_000 + boundaryMs / 1_000, highMs: 44_000 },
        { lowMs: 44_500, highMs: 45_500 },
      ],
    });
    const [found] = phases(of);
    expect(found).toMatchObject({ limit: 30, lengthMs: 45_000 });
    expect(found?.window.highMs).toBe(45_500);
    expect(found?.window.lowMs).toBeGreaterThan(43_013);
    expect(found?.window.lowMs).toBeLessThan(43_014);
    expect(found?.boundary?.lowMs).toBeLessThan(13_600);
    expect(found?.boundary?.highMs).toBeGreaterThan(16_400);
  });

  it('of another limit weigh too, and are not named', () => {
    const of = subject(() => 0, {
      explain: ({ boundaryMs }) => ({ limit: boundaryMs < 15_000 ? 31 : 30, contradictedBy: [] }),
    });
    const [found] = phases(of);
    expect(found?.limit).toBe(30);
    expect(found?.boundary?.lowMs).toBe(15_000);
    const late = subject(() => 0, {
      explain: ({ boundaryMs }) => ({ limit: boundaryMs < 15_000 ? 30 : 31, contradictedBy: [] }),
    });
    expect(phases(late)[0]?.limit).toBe(30);
  });

  it('of a clock that goes in steps lie on these, and nowhere between', () => {
    const seen = inSteps(observe([unanswered(0), admitted(30_000)]), {
      stepMs: 3_000,
      phase: { lowMs: 500, highMs: 500 },
    });
    const tried = new Set<number>();
    const of = subject(({ boundaryMs, windowMs }) => {
      if (windowMs === 42_000) tried.add(boundaryMs);
      return 5;
    });
    fitGrids(seen, of, {});
    expect([...tried].slice(0, 3)).toEqual([12_500, 15_500, 18_500]);
    tried.clear();
    const some = phases(
      subject(({ boundaryMs, windowMs }) => {
        if (windowMs === 42_000) tried.add(boundaryMs);
        return near(boundaryMs, 15_500, 10);
      }),
      {},
      seen,
    );
    // Nothing between two steps is looked at more closely; a boundary of the wall clock lies there too.
    expect(tried).toEqual(new Set([12_500, 15_500, 18_500, 15_000]));
    expect(some[0]?.boundary).toEqual({ lowMs: 14_000, highMs: 17_000 });
  });

  it('of a clock that goes in steps are all of its steps, unless these are too many', () => {
    const steps = (stepMs: number, phaseMs: number, highMs = 20_000) => {
      const tried = new Set<number>();
      const of = subject(
        ({ boundaryMs, windowMs }) => {
          if (windowMs === 42_000) tried.add(boundaryMs);
          return 5;
        },
        { bracket: { lowMs: 10_000, highMs } },
      );
      const phase = { lowMs: phaseMs, highMs: phaseMs };
      fitGrids(inSteps(observe([unanswered(0), admitted(30_000)]), { stepMs, phase }), of, {});
      return [...tried];
    };
    expect(steps(3_000, 1_300)).toEqual([10_300, 13_300, 16_300, 19_300, 15_000]);
    // More than 400 are looked at as any others are: ten. The wall clock has one more in either.
    expect(steps(25, 0, 19_999)).toHaveLength(401);
    expect(steps(25, 0)).toHaveLength(11);
  });
});

describe('windows of a usual length', () => {
  it('may begin with the wall clock', () => {
    // Seven seconds after the minute: 13 s later a third of a minute is over, and nothing else within the bracket is usual.
    const of = subject(({ boundaryMs, windowMs }) => (windowMs === 20_000 && boundaryMs === 13_000 ? 0 : 1));
    const [found] = fitGrids(seenAt(7_000), of, {});
    expect(found).toMatchObject({
      algorithm: 'fixed-window-wall-clock',
      limit: 30,
      lengthMs: 20_000,
      boundary: { lowMs: 13_000, highMs: 13_000 },
      window: { lowMs: 20_000, highMs: 20_000 },
      contradictedBy: [],
    });
    expect(found?.plausibility).toBeCloseTo(
      windowPlausibility({ lowMs: 20_000, highMs: 20_000 }, {}) * limitPlausibility(30, {}),
      12,
    );
  });

  it('may be of any other length that this boundary explains as well', () => {
    const of = subject(({ boundaryMs }) => (boundaryMs === 13_000 ? 0 : 1));
    const [found] = fitGrids(seenAt(7_000), of, {});
    expect(found?.algorithm).toBe('fixed-window-wall-clock');
    expect(found?.window.highMs).toBe(43_000);
  });

  it('may begin with the first request', () => {
    const of = subject(({ boundaryMs, windowMs }) => (windowMs === 15_000 && boundaryMs === 15_000 ? 0 : 1));
    const begun = fitGrids(seenAt(7_000), of, {}).find(
      ({ algorithm, contradictedBy }) => algorithm === 'fixed-window-phase' && contradictedBy.length === 0,
    );
    expect(begun).toMatchObject({ limit: 30, lengthMs: 15_000, boundary: { lowMs: 15_000, highMs: 15_000 } });
    expect(begun?.plausibility).toBeCloseTo(
      0.04 * windowPlausibility({ lowMs: 15_000, highMs: 15_000 }, {}) * limitPlausibility(30, {}),
      12,
    );
  });

  it('that begin with the first request weigh once each, whenever it was decided', () => {
    const weights = (lengthsMs: readonly number[]) => {
      const of = subject(({ windowMs }) => (lengthsMs.includes(windowMs) ? 0 : 1), { lengths: () => [] });
      return fitGrids(seenAt(7_000, 7_400), of, {})
        .filter(({ algorithm }) => algorithm === 'fixed-window-phase')
        .map(({ plausibility }) => plausibility);
    };
    const weight = (ms: number) =>
      0.04 * windowPlausibility({ lowMs: ms, highMs: ms }, {}) * limitPlausibility(30, {});
    expect(weights([15_000])).toEqual([expect.closeTo(weight(15_000), 12)]);
    expect(weights([12_000, 15_000])).toEqual([expect.closeTo(weight(12_000) + weight(15_000), 12)]);
  });

  it('go on from there, and begin whenever it was decided', () => {
    const boundaries = new Map<number, Set<number>>();
    const of = subject(({ boundaryMs, windowMs }) => {
      boundaries.set(windowMs, (boundaries.get(windowMs) ?? new Set()).add(boundaryMs));
      return 5;
    });
    fitGrids(seenAt(7_777, 8_777), of, {});
    expect([...(boundaries.get(6_000) ?? [])]).toEqual(expect.arrayContaining([11_999, 12_499.5, 13_000]));
    expect([...(boundaries.get(15_000) ?? [])]).toEqual(expect.arrayContaining([14_999, 15_499.5, 16_000]));
    expect([...(boundaries.get(10_000) ?? [])]).toContain(11_000);
    boundaries.clear();
    fitGrids(seenAt(7_777, 12_777), of, {});
    expect([...(boundaries.get(15_000) ?? [])]).toContain(20_000);
    boundaries.clear();
    fitGrids(seenAt(7_777, null), of, {});
    expect([...(boundaries.get(15_000) ?? [])]).not.toContain(14_999);
  });
});

describe('windows that a timer may end late', () => {
  const of = (lowMs: number) =>
    subject(({ boundaryMs }) => near(boundaryMs, 15_000, 5_000), {
      lengths: () => [{ lowMs, highMs: lowMs + 100 }],
      timerLateMs: 350,
    });

  it('may be as much shorter, where that is a usual length', () => {
    expect(phases(of(45_200))[0]).toMatchObject({
      lengthMs: 45_000,
      window: { lowMs: 45_000, highMs: 45_300 },
    });
    expect(phases(of(45_380))[0]?.window.lowMs).toBe(45_380);
  });

  it('are not where they have a usual length as they are', () => {
    expect(phases(of(44_950))[0]?.window.lowMs).toBe(44_950);
  });
});

it('the middle of a span without an end is beyond all that was seen', () => {
  expect(middle({ lowMs: 10, highMs: 20 })).toBe(15);
  expect(middle({ lowMs: 10, highMs: infinite })).toBe(21);
});

/** Where boundaries are tried, and how often it is asked whether they can be ruled out. */
function triedWith(wanted: Wanted, isRuledOut: (lowMs: number, highMs: number) => boolean, tried: number) {
  const moments = new Set<number>();
  let asked = 0;
  fitGrids(
    seenAt(0),
    subject(() => 9, {
      tried,
      wanted,
      lengths: (boundaryMs) => {
        moments.add(boundaryMs);
        return [];
      },
      isHopeless: ({ lowMs, highMs }) => {
        asked += 1;
        return isRuledOut(lowMs, highMs);
      },
    }),
    {},
  );
  return { moments: [...moments], asked };
}

it('tries no boundary that is ruled out, together with its neighbours or alone', () => {
  const { moments } = triedWith('explaining', (lowMs, highMs) => highMs < 13_000 || lowMs > 13_500, 100);
  expect(moments.map((ms) => Math.round(ms)).sort()).toEqual([13_050, 13_150, 13_250, 13_350, 13_450]);
});

it('tries all of them where it wants what comes nearest', () => {
  const { moments, asked } = triedWith('nearest', () => true, 100);
  // And that of the wall clock.
  expect([moments.length, asked]).toEqual([101, 0]);
});

it('asks seldom where next to none can be ruled out', () => {
  const { moments, asked } = triedWith('explaining', () => false, 400);
  expect(moments).toHaveLength(400);
  expect(asked).toBeLessThan(40);
});

it('asks no more of others once four boundaries come as near as any', () => {
  const most: number[] = [];
  const near = subject(() => 2, {
    tried: 20,
    wanted: 'explaining',
    lengths: () => [{ lowMs: 41_500, highMs: 42_500 }],
  });
  fitGrids(
    seenAt(0),
    {
      ...near,
      explain: (grid, giveUpAt) => {
        if (grid.windowMs === 42_000) most.push(giveUpAt);
        return near.explain(grid, giveUpAt);
      },
    },
    {},
  );
  expect(most.slice(0, 20)).toEqual([3, 2, 2, 2, ...Array.from({ length: 16 }, () => 1)]);
});

/** Requests a second apart, for as long as a test says. */
const lasting = (count: number) =>
  observe(Array.from({ length: count }, (_, at) => admitted(1_760_000_040_000 + 1_000 * at)));

/** Windows of a minute with a boundary within a millisecond: no boundary is tried there. */
const narrow = (more: Partial<GridClass> = {}) => {
  const isNear = (ms: number): boolean => Math.abs((ms % 60_000) - 33_333) <= 1;
  return subject(({ boundaryMs, windowMs }) => Number(!isNear(boundaryMs) || windowMs !== 60_000), {
    wanted: 'explaining',
    isHopeless: ({ lowMs, highMs }, _giveUpAt, lengths) =>
      lengths !== undefined && (lengths.lowMs !== 60_000 || highMs < 33_332 || lowMs > 33_334),
    ...more,
  });
};

describe('a boundary in a long trace', () => {
  it('is looked for in narrower and narrower spans', () => {
    const [found, ...others] = phases(narrow(), {}, lasting(2_000));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ limit: 30, lengthMs: 60_000, window: { lowMs: 60_000, highMs: 60_000 } });
    const { lowMs, highMs } = found?.boundary ?? { lowMs: 0, highMs: 0 };
    expect(Math.abs(lowMs - 33_332)).toBeLessThan(1);
    expect(Math.abs(highMs - 33_334)).toBeLessThan(1);
    const width = highMs - lowMs;
    const weight = windowPlausibility({ lowMs: 60_000, highMs: 60_000 }, {}) * limitPlausibility(30, {});
    expect(found?.plausibility).toBeCloseTo(0.3 * (width / 60_000) * weight, 12);
  });

  it('is not looked for in fewer requests or windows, nor where what comes nearest is wanted', () => {
    expect(phases(narrow(), {}, lasting(1_999))).toEqual([]);
    expect(phases(narrow({ wanted: 'nearest' }), {}, lasting(2_000))).toEqual([]);
    const brief = observe(Array.from({ length: 2_000 }, (_, at) => admitted(1_760_000_040_000 + 100 * at)));
    expect(phases(narrow(), {}, brief)).toEqual([]);
  });

  it('is given up where nothing can be ruled out', () => {
    let asked = 0;
    const vague = narrow({
      explain: () => ({ limit: 30, contradictedBy: [0] }),
      isHopeless: () => {
        asked += 1;
        return false;
      },
    });
    expect(phases(vague, {}, lasting(2_000))).toEqual([]);
    expect(asked).toBeLessThan(20 * 200);
  });
});

import { describe, expect, it, test } from 'vitest';
import { outcomes } from '../../contract/outcome.ts';
import { dotsMax, marksMax, stepsMax } from '../../contract/picture-bounds.ts';
import { picturesSchema } from '../../contract/pictures.ts';
import type { Trace } from '../../contract/trace.ts';
import { groupsOf } from '../entries.ts';
import { identifyGroups } from '../identify/identify-groups.ts';
import { judgeTrace } from '../judge-trace.ts';
import { admitted, indeterminate, limited, originMs, times, traceOf } from '../testing/traces.ts';
import { picturesOf, sharedOut } from './pictures.ts';

const pictures = (trace: Trace) =>
  picturesOf({ trace, groups: groupsOf(trace), judgement: judgeTrace(trace), identified: [] }).pictures;

const timeline = (trace: Trace) => {
  const [first] = pictures(trace).timelines;
  return first!;
};

describe('marks of a timeline', () => {
  it('say what each answer said, and what the trace implies', () => {
    const reset = String(originMs / 1_000 + 60);
    const { marks, purposes, exchangesPerMark } = timeline(
      traceOf([
        admitted(0, 10, { remaining: '29', reset, purpose: 'fill' }),
        admitted(20_000, 20_010, { remaining: '27', reset, purpose: '<b>', requestId: 'late' }),
        indeterminate(30_000, { limit: null, remaining: null, reset: null }),
      ]),
    );
    expect(exchangesPerMark).toBe(1);
    expect(marks.receivedMs).toEqual([10, 20_010, null]);
    expect(marks.outcome.map((at) => outcomes[at])).toEqual(['admitted', 'admitted', 'indeterminate']);
    expect(marks.purpose.map((at) => purposes[at])).toEqual(['fill', '<b>', 'probe']);
    expect(marks.requestId[1]).toBe('late');
    expect(marks.remaining).toEqual([29, 27, null]);
    expect([marks.remainingLow[1], marks.remainingHigh[1]]).toEqual([28, 28]);
    expect(marks.resetAheadSeconds).toEqual([60, 40, null]);
    expect(marks.firstBackSeconds.slice(0, 2)).toEqual([60, 40]);
    expect(marks.allBackSeconds.slice(0, 2)).toEqual([60, 60]);
  });

  it('stand for several where there are many, losing none and showing the worst', () => {
    const sent = times(marksMax * 3 - 20, (n) => {
      const make = n % 3 === 0 ? limited : admitted;
      return make(n * 20, n * 20 + 5, { remaining: n === 1_000 ? '300' : '0' });
    });
    const { marks, exchangesPerMark } = timeline(traceOf(sent));
    expect(exchangesPerMark).toBe(3);
    expect(marks.sentMs.length).toBeLessThanOrEqual(marksMax);
    expect(marks.sentMs.length).toBeGreaterThan(marksMax / 2);
    expect(marks.count.reduce((sum, count) => sum + count, 0)).toBe(sent.length);
    expect(Math.max(...marks.count)).toBe(exchangesPerMark);
    expect(marks.remaining).toContain(300);
    expect(marks.sentMs).toEqual(marks.sentMs.toSorted((left, right) => left - right));
  });
});

it('have no requests whose clock may be off by anything: they have no place in time', () => {
  const drawn = pictures(
    traceOf([
      admitted(0, 10, { key: 'A' }),
      admitted(20, 30, { key: 'B', clock: 'of nobody knows whom' }),
      limited(40, 50, { key: 'B' }),
    ]),
  );
  expect(drawn.timelines.map(({ key }) => key)).toEqual(['A']);
  expect(drawn.timelinesLeftOut).toBe(1);
  expect(picturesSchema.parse(JSON.parse(JSON.stringify(drawn)))).toEqual(drawn);
});

it('are bounded for all keys together, and leave out those that tell least', () => {
  const sent = Array.from({ length: 40 }, (_, key) =>
    times(300, (n) => {
      const given = { key: `K${key}`, driver: 'k6' as const };
      return n < 300 - key ? admitted(n * 10, n * 10 + 5, given) : limited(n * 10, n * 10 + 5, given);
    }),
  ).flat();
  const { timelines, timelinesLeftOut } = pictures(
    traceOf([...sent, admitted(0, 5, { key: 'A' }), admitted(9, 15, { key: 'A', driver: 'k6' })]),
  );
  expect(timelines.map(({ key }) => key)).toEqual([
    ...Array.from({ length: 11 }, (_, n) => `K${n + 29}`),
    'A',
  ]);
  expect(timelinesLeftOut).toBe(29);
  const rows = (of: (one: (typeof timelines)[number]) => readonly unknown[]) =>
    timelines.reduce((sum, one) => sum + of(one).length, 0);
  expect(rows(({ marks }) => marks.sentMs)).toBeLessThanOrEqual(marksMax);
  expect(rows(({ inWindow }) => inWindow.atMs)).toBeLessThanOrEqual(stepsMax);
});

describe('bursts', () => {
  it('keep the slowest answers, and give exact quantiles whatever is shown', () => {
    const burst = times(2_000, (n) =>
      (n < 30 ? admitted : limited)(n / 10, n / 10 + (n === 777 ? 900 : 10), { driver: 'k6', key: 'B' }),
    );
    const load = {
      kind: 'load',
      scenario: 'media-burst',
      state: 'complete',
      reason: null,
      key: 'B',
      scope: 'media',
      requestsSent: 2_000,
    } as const;
    const [picture] = pictures({ ...traceOf(burst), loads: [load, { ...load, scenario: 'another' }] }).bursts;
    expect(picture!.sent).toBe(2_000);
    expect(picture!.arrivalMs).toBe(199.9);
    expect(picture!.latencyMs.admitted).toEqual({ count: 30, p50: 10, p90: 10, p99: 10, max: 10 });
    expect(picture!.latencyMs.limited).toEqual({ count: 1_970, p50: 10, p90: 10, p99: 10, max: 900 });
    expect(picture!.dots.sentMs.length).toBeLessThanOrEqual(dotsMax);
    expect(picture!.dots.latencyMs).toContain(900);
  });
});

describe('what cannot be drawn', () => {
  const load = {
    kind: 'load',
    scenario: 'media-burst',
    state: 'complete',
    reason: null,
    key: 'A',
    scope: 'media',
    requestsSent: 1,
  } as const;
  const trace = traceOf([admitted(0, 5), admitted(0, 5, { key: 'B' }), limited(9, 10, { key: 'B' })]);

  it('costs that picture alone, and is said', () => {
    const broken = (): never => {
      throw new Error('broken');
    };
    const groups = groupsOf(trace).map((group) =>
      group.key === 'A' ? Object.defineProperty({ ...group }, 'limit', { get: broken }) : group,
    );
    const drawn = picturesOf({
      trace: { ...trace, exchanges: null as never, loads: [load] },
      groups,
      judgement: judgeTrace(trace),
      identified: null as never,
    });
    expect(drawn.pictures).toMatchObject({ timelines: [{ key: 'B' }], returns: [], bursts: [] });
    expect(drawn.pictures.timelinesLeftOut).toBe(1);
    expect(drawn.failures.map((one) => one.split(' (')[0])).toEqual([
      'the requests of key A at media could not be drawn',
      'how capacity of key B came back at media could not be drawn',
      'the load scenario media-burst could not be drawn',
    ]);
  });
});

test('rejections are counted as the judgement of that key and scope has it', () => {
  const trace = traceOf([
    admitted(0, 5),
    limited(10, 15),
    admitted(20, 25, { remaining: '28' }),
    admitted(0, 5, { scope: 'standard' }),
    admitted(0, 5, { key: 'B' }),
  ]);
  const judgement = judgeTrace(trace);
  const [first] = judgement.groups;
  const groups = [
    { ...first!, key: 'A', scope: 'media' as const, rejections: 'counted' as const },
    { ...first!, key: 'A', scope: 'standard' as const, rejections: 'not-counted' as const },
  ];
  const { timelines } = picturesOf({
    trace,
    groups: groupsOf(trace),
    judgement: { ...judgement, groups },
    identified: [],
  }).pictures;
  expect(timelines.map(({ key, scope, rejectionsCount }) => [key, scope, rejectionsCount])).toEqual([
    ['A', 'media', true],
    ['A', 'standard', false],
    ['B', 'media', false],
  ]);
  expect(timelines[0]).toMatchObject({
    limit: 30,
    endMs: 25,
    inWindow: { certain: [0, 1, 1, 2, 2, 3] },
    marks: { remainingHigh: [29, 29, 27] },
  });
});

test('pictures fit their schema, which refuses columns of different lengths', () => {
  const trace = traceOf([
    ...times(31, (n) => (n < 30 ? admitted : limited)(n, n + 1)),
    admitted(70_000, 70_001),
  ]);
  const groups = groupsOf(trace);
  const identified = identifyGroups(groups);
  const { pictures: all } = picturesOf({ trace, groups, judgement: judgeTrace(trace), identified });
  expect(all.returns).toHaveLength(1);
  expect(picturesSchema.parse(all)).toEqual(all);
  const [first] = all.timelines;
  const broken = { ...all, timelines: [{ ...first!, marks: { ...first!.marks, sentMs: [] } }] };
  expect(() => picturesSchema.parse(broken)).toThrow(/different lengths/);
});

test('a group of a thousand requests is drawn in full', () => {
  const { inWindow, marks } = timeline(traceOf(times(1_000, (n) => admitted(n * 10, n * 10 + 5))));
  expect(inWindow.atMs).toHaveLength(2_000);
  expect(marks.sentMs).toHaveLength(1_000);
});

test('who wishes for little gets it, and the others share the rest evenly', () => {
  expect(sharedOut(100, [90, 10, 80])).toEqual([45, 10, 45]);
  expect(sharedOut(100, [30, 10, 20])).toEqual([30, 10, 20]);
  expect(sharedOut(7, [5, 5, 5])).toEqual([2, 2, 3]);
  expect(sharedOut(5, [])).toEqual([]);
});

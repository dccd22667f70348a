import { describe, expect, it, test } from 'vitest';
import { outcomes } from '../../contract/outcome.ts';
import { dotsMax, marksMax, picturesSchema, stepsMax } from '../../contract/pictures.ts';
import type { Trace } from '../../contract/trace.ts';
import { groupsOf } from '../entries.ts';
import { returnCurves } from '../identify/return-curves.ts';
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

it('are bounded for all keys together, and leave out those that tell least', () => {
  const sent = Array.from({ length: 40 }, (_, key) =>
    times(300, (n) => {
      const given = { key: `K${key}`, driver: 'k6' as const };
      return n < 300 - key ? admitted(n * 10, n * 10 + 5, given) : limited(n * 10, n * 10 + 5, given);
    }),
  ).flat();
  const { timelines, timelinesLeftOut } = pictures(traceOf([...sent, admitted(0, 5, { key: 'A' })]));
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

/** A probe of a limiter that admits 30 in any minute, answered 4 ms after sending. */
const rolling = (() => {
  const row = (count: number, from: number, step: number): number[] =>
    Array.from({ length: count }, (_, n) => from + n * step);
  const sending = [
    ...row(5, 0, 1),
    ...row(40, 3_000, 1),
    ...row(9, 10_000, 5_000),
    ...row(3, 59_900, 200),
    ...row(40, 64_500, 1),
  ];
  const counted: number[] = [];
  return sending.map((ms) => {
    const inWindow = counted.filter((at) => at > ms + 2 - 60_000).length;
    if (inWindow >= 30) return limited(ms, ms + 4);
    counted.push(ms + 2);
    return admitted(ms, ms + 4);
  });
})();

describe('how capacity returns', () => {
  const trace = traceOf(rolling);
  const identified = {
    algorithm: ['sliding-log' as const, 'unidentified' as const],
    limit: 30,
    windowSeconds: { value: 60, low: 59.9, high: 60.1 },
    phaseSeconds: null,
    granularitySeconds: null,
    rejectionsCount: false,
    perSecondCap: null,
    shorterWindow: null,
    contradictions: 0,
    remarks: [],
    nearest: null,
    tied: [],
    notRuledOut: [],
    requests: rolling.length,
    seconds: 65,
    scope: 'media' as const,
    key: 'A',
  };
  const [returned] = returnCurves(groupsOf(trace), [identified]);

  it('is what the identified limiter would have done, and not what others would', () => {
    const { models, observed } = returned!;
    const ends = new Map(models.map(({ algorithm, curve }) => [algorithm, curve.admitted.at(-1)]));
    expect(models.filter(({ isIdentified }) => isIdentified).map(({ algorithm }) => algorithm)).toEqual([
      'sliding-log',
    ]);
    expect(models.find(({ isIdentified }) => isIdentified)?.curve).toEqual(observed);
    for (const other of ['token-bucket', 'two-bucket'] as const) {
      expect(ends.get(other), other).not.toBe(observed.admitted.at(-1));
    }
  });

  it('is drawn with the documented figures where no limiter can have the identified ones', () => {
    const none = { ...identified, limit: 0, windowSeconds: { value: 0, low: 0, high: 0.1 } };
    expect(returnCurves(groupsOf(trace), [none])).toMatchObject([{ limit: 30, windowMs: 60_000 }]);
  });

  it('is left out where nothing was identified, and fits the schema where it was', () => {
    expect(returnCurves(groupsOf(trace), [])).toEqual([]);
    const all = { ...pictures(trace), returns: [returned!] };
    expect(picturesSchema.parse(all)).toEqual(all);
    const [first] = all.timelines;
    const broken = { ...all, timelines: [{ ...first!, marks: { ...first!.marks, sentMs: [] } }] };
    expect(() => picturesSchema.parse(broken)).toThrow(/different lengths/);
  });
});

test('who wishes for little gets it, and the others share the rest evenly', () => {
  expect(sharedOut(100, [90, 10, 80])).toEqual([45, 10, 45]);
  expect(sharedOut(100, [30, 10, 20])).toEqual([30, 10, 20]);
  expect(sharedOut(7, [5, 5, 5])).toEqual([2, 2, 3]);
  expect(sharedOut(5, [])).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { identifyStep, sinceAnchor } from '../../checks/identify/schedule.ts';
import { evidenceOf } from '../../checks/identify/second-look.ts';
import type { Unknown } from '../../checks/identify/unknown.ts';
import { describe as described } from '../../judge/identify/describe.ts';
import { identify } from '../../judge/identify/identify.ts';
import { extendOnReject } from '../../limiters/extend-on-reject.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { subWindowLog } from '../../limiters/sub-window-log.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { suddenStatus } from '../../run/identify/unrefused.ts';
import { seeded } from '../../run/seeded.ts';
import { type IdentifyRun, simulateIdentify } from '../simulation/identify-run.ts';

const startMs = 1_760_000_010_450;

const target: Unknown = {
  request: { scope: 'standard', route: 'main', key: null, credential: 'absent' },
  limit: null,
  windowMs: 60_000,
  windows: 'auto',
  windowMsMax: 300_000,
  unlimitedAfter: 500,
};

function run(admits: IdentifyRun['admits'], given: Partial<Unknown> = {}, fromMs = startMs) {
  const latencyMs = (random: () => number) => 1 + 4 * random();
  return simulateIdentify({
    target: { ...target, ...given },
    admits,
    latencyMs,
    random: seeded(7),
    startMs: fromMs,
  });
}

const admitsOf = (limiter: Parameters<typeof openWindow>[0]) => {
  const window = openWindow(limiter);
  return (nowMs: number) => window.decide(nowMs).admitted;
};

const spanMs = (trace: ReturnType<typeof run>) => (trace.at(-1)?.sentMs ?? 0) - (trace[0]?.sentMs ?? 0);

/** Requests wait for their turn, and beyond so many of them are refused (nginx's limit_req without nodelay). */
function queueing({ gapMs, waiting }: { readonly gapMs: number; readonly waiting: number }) {
  let turnMs = Number.NEGATIVE_INFINITY;
  return (nowMs: number) => {
    const nextMs = Math.max(nowMs, turnMs + gapMs);
    const admitted = nextMs - nowMs <= waiting * gapMs;
    if (admitted) turnMs = nextMs;
    return { admitted, delayMs: admitted ? nextMs - nowMs : 0 };
  };
}

/** Each request is worked on for a while, and so many at once (nginx's limit_conn, HAProxy's conn_cur). */
function atOnce({ limit, workMs }: { readonly limit: number; readonly workMs: number }) {
  let ends: readonly number[] = [];
  return (nowMs: number) => {
    ends = ends.filter((ms) => ms > nowMs);
    const admitted = ends.length < limit;
    if (admitted) ends = [...ends, nowMs + workMs];
    return { admitted, delayMs: admitted ? workMs : 0 };
  };
}

const outcomesOf = (trace: ReturnType<typeof run>, name: string) =>
  trace.filter(({ purpose }) => purpose === name).map(({ outcome }) => outcome);

describe('the probe of an unknown limiter', () => {
  it('takes little more than a window for a rolling one', () => {
    const trace = run(admitsOf(slidingLog({ limit: 120, windowMs: 60_000 })));
    expect(spanMs(trace)).toBeLessThan(1.2 * 60_000);
    expect(trace.length).toBeLessThan(2.5 * 120 + 60);
  });

  it.each([30, 120, 300])(
    'refuses fewer than %i before the first return: a log that counts refusals opens again',
    (limit) => {
      const trace = run(admitsOf(slidingLogCountingRejections({ limit, windowMs: 60_000 })));
      const back = trace.findIndex(({ purpose, outcome }) => purpose === 'rung' && outcome === 'admitted');
      expect(back).toBeGreaterThan(-1);
      expect(trace.slice(0, back).filter(({ outcome }) => outcome === 'limited').length).toBeLessThan(limit);
    },
  );

  it.each([0, 20_000, 40_000, 56_000, 59_900])(
    'keeps the boundary of the wall clock out of the first burst, begun %i ms into the minute',
    (offsetMs) => {
      const trace = run(
        admitsOf(slidingLog({ limit: 30, windowMs: 60_000 })),
        {},
        1_760_000_040_000 + offsetMs,
      );
      const opening = trace.filter(({ purpose }) => purpose === 'anchor' || purpose === 'saturate');
      const minutes = new Set(opening.map(({ sentMs }) => Math.floor(sentMs / 60_000)));
      expect(minutes.size).toBe(1);
    },
  );

  it.each([
    [30, 140_000],
    [120, 80_000],
    [300, 80_000],
  ])('tells sub-windows by their separate returns (limit %i, within %i ms)', (limit, withinMs) => {
    for (const offsetMs of [0, 7_000, 13_000, 48_000]) {
      const limiter = subWindowLog({ limit, windowMs: 60_000 }, { subWindowMs: 10_000 });
      const trace = run(admitsOf(limiter), {}, 1_760_000_040_000 + offsetMs);
      const subWindows = trace
        .filter(({ purpose }) => purpose === 'anchor' || purpose === 'saturate')
        .map(({ sentMs }) => Math.floor(sentMs / 10_000));
      expect(new Set(subWindows).size).toBe(2);
      expect(spanMs(trace)).toBeLessThan(withinMs);
      const found = described(identify(evidenceOf(trace), { windowMs: 60_000 }));
      expect([found.algorithm, found.limit]).toEqual(['sub-window-log', limit]);
    }
  });

  it.each([30, 120, 300])('tells sub-windows of 15 s in 45 s (limit %i)', (limit) => {
    for (const offsetMs of [0, 7_000, 13_000, 48_000]) {
      const limiter = subWindowLog({ limit, windowMs: 45_000 }, { subWindowMs: 15_000 });
      const trace = run(admitsOf(limiter), { windowMs: 45_000 }, 1_760_000_040_000 + offsetMs);
      const found = described(identify(evidenceOf(trace), { windowMs: 45_000 }));
      expect([found.algorithm, found.limit]).toEqual(['sub-window-log', limit]);
    }
  });

  it('waits where the first request is refused, and begins again', () => {
    const window = openWindow(slidingLog({ limit: 30, windowMs: 60_000 }));
    for (let at = 0; at < 30; at += 1) window.decide(startMs - 5_000 + at);
    const trace = run((nowMs) => window.decide(nowMs).admitted);
    const anchors = trace.filter(({ purpose }) => purpose === 'anchor');
    expect(anchors.map(({ outcome }) => outcome)).toEqual(['limited', 'admitted']);
    expect((anchors[1]?.sentMs ?? 0) - (anchors[0]?.sentMs ?? 0)).toBeGreaterThan(60_000);
    expect(sinceAnchor(trace)[0]).toBe(anchors[1]);
  });

  it('waits where the headers tell of earlier requests', () => {
    const soFar = run(() => true, { unlimitedAfter: 1 }).slice(0, 1);
    const [anchor] = soFar;
    const busy = anchor && { ...anchor, headers: { limit: '30', remaining: '12', reset: null } };
    const step = identifyStep(target, busy === undefined ? [] : [busy], startMs + 1_000);
    expect(step).toMatchObject({ kind: 'wait', why: 'in use: waiting until it is idle' });
  });

  it('ends where nothing is refused, and where nothing is admitted any more', () => {
    expect(run(() => true).length).toBeLessThan(500 + 80);
    let left = 40;
    const closed = run(() => {
      left -= 1;
      return left >= 0;
    });
    expect(spanMs(closed)).toBeLessThan(310_000);
    expect(closed.length).toBeLessThan(200);
  });

  it.each([30, 120, 300])('is never cut short by the refusals of a limit of %i themselves', (limit) => {
    const trace = run(admitsOf(slidingLog({ limit, windowMs: 60_000 })));
    const stoppedAt = trace.findIndex((_, at) => suddenStatus(trace.slice(0, at + 1)) !== null);
    expect(stoppedAt).toBe(-1);
  });

  it.each([
    { gapMs: 2_000, waiting: 20 },
    { gapMs: 500, waiting: 20 },
    { gapMs: 500, waiting: 119 },
    { gapMs: 200, waiting: 10_000 },
  ])('is soon done with requests that wait $gapMs ms for each other, $waiting of them', (queue) => {
    const trace = run(queueing(queue));
    expect(trace.length).toBeLessThan(120);
    // Each of them has to wait for those before it.
    expect(spanMs(trace)).toBeLessThan(3_000 + 30 * queue.gapMs);
    const refused = outcomesOf(trace, 'queue').filter((outcome) => outcome === 'limited').length;
    expect(refused).toBe(Math.max(0, 64 - queue.waiting));
  });

  it.each([1, 4, 20, 40])(
    'shows that %i requests pass at once, and any number one after another',
    (limit) => {
      const trace = run(atOnce({ limit, workMs: 80 }));
      expect(outcomesOf(trace, 'alone').every((outcome) => outcome === 'admitted')).toBe(true);
      expect(outcomesOf(trace, 'alone').length).toBeGreaterThanOrEqual(limit);
      expect(outcomesOf(trace, 'together')).toContain('limited');
      expect(spanMs(trace)).toBeLessThan(30_000);
    },
  );

  it.each([
    ['nothing is refused', () => true],
    ['a window is long', admitsOf(fixedWindowFirstRequest({ limit: 60, windowMs: 3_600_000 }))],
    ['a queue drains slowly', queueing({ gapMs: 30_000, waiting: 1_000 })],
  ])('ends at its bounds where %s', (_what, admits) => {
    const trace = run(admits, { requestsMax: 90, spanMsMax: 100_000, windowMs: null });
    expect(trace.length).toBeLessThanOrEqual(90);
    expect(spanMs(trace)).toBeLessThanOrEqual(100_000);
  });

  it.each([30, 120, 300])(
    'asks a block that each refusal begins anew (limit %i) after ever longer silences',
    (limit) => {
      const rate = { limit, windowMs: 60_000 };
      const trace = run(admitsOf(extendOnReject(rate, { extendedBy: 'rejection' })), { windowMs: null });
      expect(trace.some(({ purpose, outcome }) => purpose === 'rung' && outcome === 'admitted')).toBe(true);
      expect(spanMs(trace)).toBeLessThan(290_000);
    },
  );

  it.each([
    ['from the first request', fixedWindowFirstRequest({ limit: 120, windowMs: 60_000 }), 3.4],
    ['that rolls', slidingLog({ limit: 120, windowMs: 60_000 }), 1.2],
  ] as const)(
    'watches a window %s no longer than it takes, if nobody expected it',
    (_what, limiter, windows) => {
      expect(spanMs(run(admitsOf(limiter), { windowMs: null }))).toBeLessThan(windows * 60_000);
    },
  );

  it.each([60_000, null])('finds small buckets where %s ms were expected', (windowMs) => {
    for (const [perSecond, burst] of [
      [3, 3],
      [5, 10],
      [10, 10],
    ] as const) {
      const trace = run(admitsOf(tokenBucket({ limit: perSecond, windowMs: 1_000 }, { burst })), {
        windowMs,
      });
      const found = described(identify(evidenceOf(trace), { windowMs: windowMs ?? undefined }));
      expect([found.algorithm, found.limit]).toEqual(['token-bucket', burst]);
      expect((found.limit ?? 0) / (found.windowSeconds?.value ?? 1)).toBeCloseTo(perSecond, 1);
    }
  });

  it('asks a hundred a second no longer than an endpoint without a limit', () => {
    const trace = run(admitsOf(tokenBucket({ limit: 100, windowMs: 1_000 })), { windowMs: null });
    expect(trace.length).toBeLessThan(2 * 500 + 100);
  });

  it.each(['down', 'nearest', 'up'] as const)(
    'bounds the length of a two-bucket counter that rounds %s',
    (rounding) => {
      for (const phaseMs of [0, 7_000, 21_000, 33_000, 47_000, 55_000]) {
        const limiter = twoBucket({ limit: 30, windowMs: 60_000 }, { phaseMs, rounding });
        const { window } = identify(evidenceOf(run(admitsOf(limiter))), { windowMs: 60_000 }).fits[0] ?? {};
        expect((window?.highMs ?? Number.POSITIVE_INFINITY) / (window?.lowMs ?? 1)).toBeLessThan(4);
      }
    },
  );

  it('finds a window that nobody expected', () => {
    const trace = run(admitsOf(slidingLog({ limit: 120, windowMs: 10_000 })), { windowMs: null });
    expect(trace.some(({ purpose, outcome }) => purpose === 'rung' && outcome === 'admitted')).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { type ObservedRequest, observe } from './observations.ts';
import { fitQueue } from './queue-fit.ts';
import { admitted, limited, refused, unanswered } from './testing/observed.ts';

/** A request without others, which shows how long the service itself takes: one millisecond longer than it seems. */
const alone = (tookMs: number, sentMs = -100_000): ObservedRequest => admitted(sentMs, sentMs + tookMs);

/** So many requests sent at once, answered one after the other. */
const spaced = (count: number, gapMs: number, fromMs = 0): ObservedRequest[] =>
  Array.from({ length: count }, (_, at) => admitted(fromMs, fromMs + (at + 1) * gapMs));

const fitOf = (trace: readonly ObservedRequest[], hints = {}) => fitQueue(observe(trace), hints);

describe('answers in a row', () => {
  it('show a queue from the seventh on', () => {
    expect(fitOf([alone(4), ...spaced(7, 500)])).toMatchObject({
      algorithm: 'leaky-bucket-queue',
      limit: 120,
      lengthMs: 60_000,
      contradictedBy: [],
    });
    expect(fitOf([alone(4), ...spaced(6, 500)])).toBeNull();
  });

  it('show none where there is no row', () => {
    expect(fitOf([alone(4)])).toBeNull();
    expect(fitOf([alone(4), alone(4, 0), alone(4, 9_000)])).toBeNull();
  });

  it('show how long a gap is, as far as each may be off', () => {
    const gapMs = 500;
    const gaps = 20;
    const spanMs = gaps * gapMs;
    const offMs = 0.25 * gapMs + 400e-6 * spanMs;
    const after = [15_500, 20_500, 20_510].map((ms) => admitted(0, ms));
    for (const more of [[], after]) {
      const window = fitOf([alone(4), ...spaced(gaps + 1, gapMs), ...more])?.window;
      expect(window?.lowMs).toBeCloseTo((120 * (spanMs - offMs)) / gaps, 6);
      expect(window?.highMs).toBeCloseTo((120 * (spanMs + offMs)) / gaps, 6);
    }
  });

  it('show the gap of the longest row', () => {
    expect(fitOf([alone(4), ...spaced(9, 500), ...spaced(8, 2_000, 50_000)])?.limit).toBe(120);
    expect(fitOf([alone(4), ...spaced(8, 500), ...spaced(9, 2_000, 50_000)])?.limit).toBe(30);
    expect(fitOf([alone(4), ...spaced(8, 500), ...spaced(8, 2_000, 50_000)])?.limit).toBe(120);
    // In one row too.
    const slower = Array.from({ length: 7 }, (_, at) => admitted(0, 6_000 + 2_000 * at));
    expect(fitOf([alone(4), ...spaced(8, 500), ...slower, admitted(0, 40_000)])?.limit).toBe(120);
  });

  it('need not be even from the first on, nor to the last', () => {
    const row = spaced(9, 500);
    const before = [40, 90, 100].map((ms) => admitted(0, ms));
    const after = [6_900, 7_000, 9_400].map((ms) => admitted(0, ms));
    for (const trace of [
      [...before, ...row],
      [...row, ...after],
      [...before, ...row, ...after],
    ])
      expect(fitOf([alone(4), ...trace])?.limit).toBe(120);
  });

  it('may be late by a quarter of a gap, and no more', () => {
    const late = (ms: number) =>
      spaced(9, 500).map((one, at) => (at === 4 ? { ...one, receivedMs: 2_500 + ms } : one));
    expect(fitOf([alone(4), ...late(120)])?.limit).toBe(120);
    expect(fitOf([alone(4), ...late(300)])).toBeNull();
    // The one gap that is longest by most says how far the others may be off.
    const window = fitOf([alone(4), ...late(180)])?.window;
    expect(window?.lowMs).toBeCloseTo((120 * (4_000 - 180 - 1.6)) / 8, 6);
    // The last one too.
    const last = spaced(9, 500).map((one, at) => (at === 8 ? { ...one, receivedMs: 4_680 } : one));
    const mostOffMs = 680 - 4_180 / 8 + 400e-6 * 4_180;
    const { limit = 0, window: shown } = fitOf([alone(4), ...last]) ?? {};
    expect(shown?.lowMs).toBeCloseTo((limit * (4_180 - mostOffMs)) / 8, 6);
  });

  it('may be late by as much as a request took that was alone', () => {
    const late = spaced(9, 500).map((one, at) => (at === 4 ? { ...one, receivedMs: 2_760 } : one));
    expect(fitOf([alone(4), ...late])).toBeNull();
    expect(fitOf([alone(4), alone(300, -50_000), ...late])?.limit).toBe(120);
  });

  it('are no row where all came within what each may be off', () => {
    expect(fitOf([alone(1), ...spaced(7, 16)])).toBeNull();
    expect(fitOf([alone(1), ...spaced(7, 17.5)])).not.toBeNull();
    expect(fitOf([alone(1), ...spaced(9, 16)])).not.toBeNull();
  });

  it('are no row where most had not been sent before the answer before theirs', () => {
    const later = (pauseMs: number) =>
      Array.from({ length: 20 }, (_, at) => admitted(500 * at + pauseMs, 500 * at + 500));
    const oneByOne = later(10);
    expect(fitOf([alone(4), ...oneByOne])).toBeNull();
    expect(fitOf([alone(4), ...later(1)])).toBeNull();
    expect(fitOf([alone(4), ...later(0)])?.limit).toBe(120);
    // Six that waited, then one by one.
    const few = [...spaced(6, 500), ...oneByOne.slice(6)];
    expect(fitOf([alone(4), ...few])?.limit ?? null).toBeNull();
    expect(fitOf([alone(4), ...spaced(7, 500), ...oneByOne.slice(7)])?.limit).toBe(120);
  });

  it('are another row where a request was sent long after the answer before it', () => {
    const later = (pauseMs: number) => spaced(4, 500, 2_000 + pauseMs);
    expect(fitOf([alone(4), ...spaced(4, 500), ...later(0)])?.limit).toBe(120);
    expect(fitOf([alone(4), ...spaced(4, 500), ...later(600)])).toBeNull();
  });

  it('leave out what was not admitted, or not answered', () => {
    const row = spaced(9, 500);
    const beside = [refused(0, 1_700), limited(0, 2_100), unanswered(0)];
    expect(fitOf([alone(4), ...row, ...beside])?.limit).toBe(120);
  });
});

describe('a service that is slow by itself', () => {
  it('is no queue, unless each gap is longer by more than answers vary', () => {
    expect(fitOf([alone(450), ...spaced(20, 500)])).toBeNull();
    expect(fitOf([alone(350), ...spaced(20, 500)])?.limit).toBe(120);
    expect(fitOf([alone(400), ...spaced(9, 500)])).toBeNull();
  });

  it('is no queue where it is quick, unless each gap is half as long again as an answer', () => {
    expect(fitOf([alone(13), ...spaced(20, 20)])).toBeNull();
    expect(fitOf([alone(11), ...spaced(20, 20)])).not.toBeNull();
  });

  it('is known by its quickest answer to a request without others', () => {
    expect(fitOf([alone(490), alone(4, -50_000), ...spaced(20, 500)])?.limit).toBe(120);
    // Neither refusals, nor what came beside another, nor what followed one closely.
    const quick = [limited(-90_000, -89_996), refused(-80_000, -79_996), unanswered(900_000)];
    const beside = [admitted(-70_000, -69_000), admitted(-69_500, -69_496)];
    const close = [admitted(-60_000, -59_000), admitted(-58_999, -58_990)];
    expect(fitOf([alone(490), ...quick, ...beside, ...close, ...spaced(20, 500)])).toBeNull();
  });

  it('is known by a request that neither follows another closely, nor is followed before its answer', () => {
    const sentAfter = (ms: number) => [admitted(-60_000, -59_000), admitted(ms - 59_000, ms - 58_996)];
    expect(fitOf([alone(490), ...sentAfter(6), ...spaced(20, 500)])).not.toBeNull();
    expect(fitOf([alone(490), ...sentAfter(5), ...spaced(20, 500)])).toBeNull();
    const sentBefore = (ms: number) => [admitted(-60_000, -59_996), admitted(ms - 59_996, -59_000)];
    expect(fitOf([alone(490), ...sentBefore(1), ...spaced(20, 500)])).not.toBeNull();
    expect(fitOf([alone(490), ...sentBefore(0), ...spaced(20, 500)])).toBeNull();
  });

  it('is taken to be any where no request was alone', () => {
    expect(fitOf(spaced(20, 500))).toBeNull();
  });
});

describe('the rate of a queue', () => {
  it('is that of the window that is expected', () => {
    expect(fitOf([alone(4), ...spaced(20, 500)], { windowMs: 10_000 })).toMatchObject({
      limit: 20,
      lengthMs: 10_000,
    });
  });

  it('is the roundest in a minute, or what is expected', () => {
    expect(fitOf([alone(4), ...spaced(20, 604)])).toMatchObject({ limit: 100, lengthMs: 60_000 });
    expect(fitOf([alone(4), ...spaced(20, 604)], { limit: 99 })).toMatchObject({
      limit: 99,
      lengthMs: 60_000,
    });
  });

  it('is the lower of two that are as round', () => {
    expect(fitOf([alone(313), ...spaced(7, 548)])).toMatchObject({ limit: 100, lengthMs: 60_000 });
  });

  it('is one in each gap where no number of them makes a minute', () => {
    const fit = fitOf([alone(4), ...spaced(12, 90_000)]);
    expect(fit?.limit).toBe(1);
    expect(fit?.lengthMs).toBeCloseTo(90_000, 6);
    expect(fit?.window.lowMs).toBeLessThan(90_000);
    expect(fit?.window.highMs).toBeGreaterThan(90_000);
    // Between 137 and 138 a minute, of which so many answers in a row leave neither.
    const odd = fitOf([alone(4), ...spaced(301, 437)]);
    expect(odd?.limit).toBe(1);
    expect(odd?.lengthMs).toBeCloseTo(437, 6);
  });
});

it('is contradicted by a refusal while nobody waits', () => {
  const trace = [
    alone(4),
    ...spaced(9, 500),
    limited(1_000, 1_004),
    admitted(20_000, 20_004),
    limited(30_000, 30_004),
  ];
  expect(fitOf(trace)?.contradictedBy).toEqual([12]);
});

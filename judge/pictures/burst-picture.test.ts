import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { outcomes } from '../../contract/outcome.ts';
import { dotsMax } from '../../contract/picture-bounds.ts';
import type { LoadLine } from '../../contract/trace-lines.ts';
import { admitted, indeterminate, limited, times, traceOf } from '../testing/traces.ts';
import { burstPicture } from './burst-picture.ts';

const line: LoadLine = {
  kind: 'load',
  scenario: 'media-burst',
  state: 'complete',
  reason: null,
  key: 'B',
  scope: 'media',
  requestsSent: 10,
};

const ofLoad = { scenario: line.scenario, key: 'B', driver: 'k6' } as const;

const pictured = (exchanges: readonly Exchange[]) => {
  const [first] = burstPicture(traceOf(exchanges), line);
  return first!;
};

describe('a scenario of the load suite as it arrived', () => {
  it('is its own requests with a valid key, in the order of sending', () => {
    const picture = pictured([
      limited(30, 35.678, ofLoad),
      admitted(10, 12, ofLoad),
      admitted(20.123_4, 24.123_4, ofLoad),
      indeterminate(40, ofLoad),
      admitted(0, 1, { ...ofLoad, credential: 'unknown' }),
      admitted(5, 6, { key: 'B' }),
    ]);
    expect(picture).toEqual({
      scenario: 'media-burst',
      sent: 4,
      arrivalMs: 30,
      latencyMs: {
        admitted: { count: 2, p50: 2, p90: 4, p99: 4, max: 4 },
        limited: { count: 1, p50: 5.68, p90: 5.68, p99: 5.68, max: 5.68 },
      },
      dots: {
        sentMs: [0, 10.12, 20],
        latencyMs: [2, 4, 5.68],
        outcome: ['admitted', 'admitted', 'limited'].map((one) => outcomes.indexOf(one as never)),
      },
    });
  });

  it('is nothing where it sent nothing', () => {
    expect(burstPicture(traceOf([admitted(0, 1, { key: 'B' })]), line)).toEqual([]);
  });

  it('has no quantiles of an outcome that no answer had', () => {
    expect(pictured([indeterminate(0, ofLoad), admitted(1, 3, ofLoad)]).latencyMs.limited).toBeNull();
    expect(pictured([indeterminate(0, { ...ofLoad, outcome: 'admitted' })]).latencyMs.admitted).toBeNull();
  });

  it('has exact quantiles', () => {
    const sent = times(200, (n) => admitted(n, n + 200 - n / 2, ofLoad));
    expect(pictured(sent).latencyMs.admitted).toEqual({ count: 200, p50: 150, p90: 190, p99: 199, max: 200 });
  });
});

describe('dots', () => {
  it('are as many as there are answers while these are few', () => {
    const most = dotsMax - outcomes.length;
    const sent = times(most + 1, (n) => admitted(n, n + 5, ofLoad));
    expect(pictured(sent.slice(1)).dots.sentMs).toHaveLength(most);
    expect(pictured(sent).dots.sentMs).toHaveLength(Math.ceil((most + 1) / 2));
  });

  it('are evenly spread where there are many, with the slowest of each outcome', () => {
    const slow: Readonly<Record<number, number>> = { 500: 900, 502: 900, 776: 800 };
    const sent = times(1_000, (n) => (n < 600 ? limited : admitted)(n, n + (slow[n] ?? 10), ofLoad));
    const { dots } = pictured(sent);
    const spread = Array.from({ length: 334 }, (_, n) => 3 * n);
    expect(dots.sentMs).toEqual([...spread, 500, 776].toSorted((left, right) => left - right));
    expect(Math.max(...dots.latencyMs)).toBe(900);
  });
});

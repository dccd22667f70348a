import { expect, test } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { dateOffset } from './headers.ts';

const startMs = Date.parse('2026-01-02T03:04:05.000Z');

/** An answer that came within ms after the start, and says this Date. */
const answered = (sentMs: number, receivedMs: number | null, date: string | null): Exchange =>
  ({
    date,
    sentMs: 5 + sentMs,
    receivedMs: receivedMs === null ? null : 5 + receivedMs,
    wallSentMs: startMs + sentMs,
    wallReceivedMs: receivedMs === null ? null : startMs + receivedMs,
  }) as Exchange;

const at = (seconds: number) => new Date(startMs + seconds * 1_000).toUTCString();

test('one Date allows a second and the time of the exchange', () => {
  expect(dateOffset([answered(100, 120, at(0))])).toEqual({ least: -120, most: 900 });
});

test('a Date that has just changed tells more', () => {
  const answers = [answered(900, 910, at(0)), answered(1_020, 1_030, at(1)), answered(50, null, null)];
  expect(dateOffset(answers)).toEqual({ least: -30, most: 100 });
});

test('a clock that is ahead shows', () => {
  expect(dateOffset([answered(0, 10, at(7))])).toEqual({ least: 6_990, most: 8_000 });
});

test('Dates that no one offset explains are an empty interval', () => {
  const { least, most } = dateOffset([answered(0, 10, at(9)), answered(50, 60, at(0))]) ?? {
    least: 0,
    most: 0,
  };
  expect(least).toBeGreaterThan(most);
});

test('without a Date that can be read nothing is known', () => {
  expect(dateOffset([])).toBeNull();
  expect(dateOffset([answered(0, 10, null), answered(0, 10, 'soon')])).toBeNull();
});

import { expect, test } from 'vitest';
import { grouped, hours, howMany, howManyAre, milliseconds, seconds } from './quantities.ts';

test('a time in seconds has as many decimals as are asked for', () => {
  expect([seconds(60_002.4), seconds(1_250, 1), seconds(0)]).toEqual(['60.002 s', '1.3 s', '0.000 s']);
});

test('a time in milliseconds has a decimal below 10 ms alone', () => {
  expect([0.04, 9.94, 10, 1_204.4].map(milliseconds)).toEqual(['0.0 ms', '9.9 ms', '10 ms', '1,204 ms']);
});

test('a time in hours has three figures, and no more decimals than it needs', () => {
  const ms = (h: number): number => h * 3_600_000;
  expect([ms(30), ms(5 / 3), ms(24.0001), ms(8_333.3), ms(744_000_000)].map(hours)).toEqual([
    ...['30 h', '1.67 h', '24 h', '8,330 h', '744,000,000 h'],
  ]);
});

test('a number is grouped by threes, whatever the language of the machine', () => {
  const written = {
    0: 0,
    7: 7,
    '-100': -100,
    '1,000': 1_000,
    '-13,521,000': -13_521_000,
    '1,234.5': 1_234.5,
  };
  expect(Object.values(written).map(grouped)).toEqual(Object.keys(written));
});

test('one of something is called so', () => {
  expect([1, 2].map((count) => howMany(count, 'delivery'))).toEqual(['1 delivery', '2 deliveries']);
  expect([1, 2].map((count) => howManyAre(count, 'request'))).toEqual(['1 request is', '2 requests are']);
  expect(['key', '429', 'type'].map((noun) => howMany(2, noun))).toEqual(['2 keys', '2 429s', '2 types']);
  expect([0, 1, 2, 1_000].map((count) => howMany(count, 'request'))).toEqual([
    ...['0 requests', '1 request', '2 requests', '1,000 requests'],
  ]);
});

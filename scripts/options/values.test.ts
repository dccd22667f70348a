import { describe, expect, it } from 'vitest';
import {
  countOf,
  list,
  millisecondsOf,
  numberAbove0,
  percentOf,
  portOf,
  repeated,
  secondsOf,
  textLike,
  wholeNumber,
  wholeNumbers,
} from './values.ts';

const pods = wholeNumber({ min: 1, max: 100 });
const jobs = wholeNumber({ min: 1, max: 100, why: 'more change nothing' });
const rate = numberAbove0({ of: 'messages a second', max: 300 });
const statuses = wholeNumbers({ min: 300, max: 599, example: '503' });
const name = textLike(/^[a-z]+$/, 'It has lower-case letters.');

describe('values of options', () => {
  it.each([
    ['the least', pods, '1', 1],
    ['the most', pods, '100', 100],
    ['any free port', portOf, '0', 0],
    ['a whole number of milliseconds', millisecondsOf, '0', 0],
    ['seconds with decimals', secondsOf, '0.5', 0.5],
    ['the fastest rate', rate, '300', 300],
    ['a percentage without its sign', percentOf, '1.5', 1.5],
    ['a percentage with its sign', percentOf, '0%', 0],
  ])('%s is taken', (_what, parse, value, number) => {
    expect(parse(value)).toBe(number);
  });

  it.each([
    ['less than the least', pods, '0', 'It must be a whole number from 1 to 100.'],
    ['more than the most', pods, '101', 'It must be a whole number from 1 to 100.'],
    ['a zero in front', pods, '07', 'It must be a whole number from 1 to 100.'],
    ['decimals', pods, '1.5', 'It must be a whole number from 1 to 100.'],
    ['a power of ten', pods, '1e1', 'It must be a whole number from 1 to 100.'],
    ['nothing', pods, '', 'It must be a whole number from 1 to 100.'],
    ['too many for any use', jobs, '101', 'It must be a whole number from 1 to 100: more change nothing.'],
    ['none', countOf, '0', 'It must be a whole number from 1 to 9999999.'],
    ['a port that is none', portOf, '65536', 'It must be a whole number from 0 to 65535.'],
    [
      'a negative time',
      millisecondsOf,
      '-1',
      'It must be a whole number of milliseconds from 0 to 999999, e.g. 500.',
    ],
    ['no time', secondsOf, '0', 'It must be a number of seconds above 0, e.g. 5.'],
    ['an endless time', secondsOf, 'Infinity', 'It must be a number of seconds above 0, e.g. 5.'],
    ['a time in words', secondsOf, 'soon', 'It must be a number of seconds above 0, e.g. 5.'],
    ['an empty time', secondsOf, ' ', 'It must be a number of seconds above 0, e.g. 5.'],
    ['too fast', rate, '301', 'It must be a number of messages a second above 0, at most 300.'],
    ['more than half', percentOf, '51', 'It must be a percentage from 0 to 50.'],
    ['an empty percentage', percentOf, ' ', 'It must be a percentage from 0 to 50.'],
    ['text of another form', name, 'A', 'It has lower-case letters.'],
  ])('%s is refused: %o', (_what, parse, value, message) => {
    expect(() => parse(value)).toThrow(message);
  });

  it('are added to those before, split where commas or spaces may stand', () => {
    expect(list('a,b  c', ['z'])).toEqual(['z', 'a', 'b', 'c']);
    expect(repeated('a, b', ['z'])).toEqual(['z', 'a, b']);
    expect(statuses('503,429', [500])).toEqual([500, 503, 429]);
    expect(() => list(' , ', undefined)).toThrow('It is empty.');
    expect(() => statuses('503,200', undefined)).toThrow(
      'It must be whole numbers from 300 to 599, e.g. 503.',
    );
  });
});

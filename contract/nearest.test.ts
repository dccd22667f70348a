import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from './nearest.ts';

describe('nearest', () => {
  it.each([
    ['limits.standrd', ['limits.standard']],
    ['remaining', ['headers.remaining', 'headers.remaining-on-429']],
    ['limist.media', ['limits.media']],
    ['zzz', []],
  ])('%s is close to %o', (word, close) => {
    expect(
      nearest(word, ['limits.standard', 'limits.media', 'headers.remaining', 'headers.remaining-on-429']),
    ).toEqual(close);
  });

  it.each([
    ['nope', 'nodes'],
    ['ab', 'bc'],
    ['ab', 'ca'],
    ['un', 'undo'],
    ['e', 'serve'],
    ['', 'run'],
  ])('%s is not close to %s', (word, other) => {
    expect(nearest(word, [other])).toEqual([]);
  });

  it.each([
    ['ab', 'ax'],
    ['bacd', 'abcd'],
    ['abcdef', 'abcd'],
    ['med', 'limits.media'],
    ['LIMITS.MEDIA', 'limits.media'],
  ])('%s is close to %s', (word, other) => {
    expect(nearest(word, [other])).toEqual([other]);
  });

  it('names the closest first, and no more than are asked for', () => {
    const known = ['axcdyf', 'abcdfe', 'abcdef', 'abcdxf'];
    expect(nearest('abcdef', known)).toEqual(['abcdef', 'abcdfe', 'abcdxf']);
    expect(nearest('abcdef', known, 1)).toEqual(['abcdef']);
  });

  it('ends a sentence either way', () => {
    expect(didYouMean('sevre', ['serve', 'run'])).toBe('; did you mean serve?');
    expect(didYouMean('zzz', ['serve', 'run'])).toBe('.');
  });
});

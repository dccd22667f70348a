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
    ['e', 'serve'],
    ['', 'run'],
  ])('%s is not close to %s', (word, other) => {
    expect(nearest(word, [other])).toEqual([]);
  });

  it('ends a sentence either way', () => {
    expect(didYouMean('sevre', ['serve', 'run'])).toBe('; did you mean serve?');
    expect(didYouMean('zzz', ['serve', 'run'])).toBe('.');
  });
});

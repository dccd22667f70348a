import { expect, it } from 'vitest';
import { parameterIn, withoutParameter } from './query.ts';

it.each([
  ['/x', null],
  ['/key=1&key=2', null],
  ['/x?', null],
  ['/x?other=1&keys=2', null],
  ['/x?key', ''],
  ['/x?key=', ''],
  ['/x?a=1&key=b&key=c', 'b'],
  ['/x?k%65y=a%2Fb+c', 'a/b c'],
])('the parameter of %s is %j', (target, value) => {
  expect(parameterIn(target, 'key')).toBe(value);
});

it.each([
  ['/x?a=1', '/x?a=1'],
  ['/x?key=secret', '/x?key=(withheld)'],
  ['/x?a=1&key=secret&b=2&keys=3', '/x?a=1&key=(withheld)&b=2&keys=3'],
  ['/x?key=secret&key=secret', '/x?key=(withheld)&key=(withheld)'],
  ['/x?k%65y=secret&b', '/x?k%65y=(withheld)&b'],
  ['/x?key=', '/x?key=(withheld)'],
])('%s without it is %s', (target, shown) => {
  expect(withoutParameter(target, 'key')).toBe(shown);
});

import { expect, test } from 'vitest';
import { clauses } from '../../contract/clauses/registry.ts';
import { scenarios } from './scenarios.ts';

test('every scenario has a clause that decides, and the reverse', () => {
  const wanted = clauses.filter(({ needs, level }) => needs === 'load' && level === 'must');
  expect(scenarios.map(({ clause }) => clause)).toEqual(wanted.map(({ id }) => id));
});

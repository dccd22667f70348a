import { expect, test } from 'vitest';
import { burstClause } from '../../contract/clauses/load.ts';
import { clauses } from '../../contract/clauses/registry.ts';
import { scenarios } from './scenarios.ts';

test('every scenario has a clause that decides, and the reverse', () => {
  const wanted = clauses.filter(({ needs, level }) => needs === 'load' && level === 'must');
  const ofMessaging = scenarios.map(({ clause }) => clause).filter((clause) => clause !== burstClause.id);
  expect(ofMessaging).toEqual(wanted.map(({ id }) => id));
  expect(scenarios.map(({ clause }) => clause)).toContain(burstClause.id);
});

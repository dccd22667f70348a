import { expect, test } from 'vitest';
import { clauses } from '../../contract/clauses/registry.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { scenarioCost, scenarios } from './scenarios.ts';

test('every scenario has a clause of its own, and the reverse', () => {
  const wanted = clauses.filter(({ needs }) => needs === 'load').map(({ id }) => id);
  expect(scenarios.map(({ clause }) => clause)).toEqual(wanted);
});

test.each([
  ['messages-burst', 450],
  ['media-burst', 45],
])('%s sends %i requests with the key', (name, burst) => {
  const scenario = scenarios.find((it) => it.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  expect(scenarioCost(scenario, documentedLimits, { probeWithoutKey: true })).toEqual({
    burst,
    warmUp: burst,
  });
  expect(scenarioCost(scenario, documentedLimits, { probeWithoutKey: false })).toEqual({ burst, warmUp: 0 });
});

import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../contract/outcome.ts';
import { suddenStatus } from './unrefused.ts';

const answers = (count: number, status: number, outcome: Outcome) =>
  Array.from({ length: count }, () => ({ status, outcome }));

describe('a status that everything is answered with of a sudden', () => {
  it.each([
    [
      'a status that nobody expected',
      [...answers(120, 200, 'admitted'), ...answers(40, 503, 'refused')],
      503,
    ],
    ['a status below 500', [...answers(120, 200, 'admitted'), ...answers(40, 403, 'admitted')], 403],
    ['fewer of them', [...answers(120, 200, 'admitted'), ...answers(39, 503, 'refused')], null],
    ['the refusal itself', [...answers(120, 200, 'admitted'), ...answers(60, 429, 'limited')], null],
    ['a refusal by another status', [...answers(300, 200, 'admitted'), ...answers(60, 503, 'limited')], null],
    ['nothing else before', answers(60, 401, 'admitted'), null],
  ])('%s', (_what, soFar, status) => {
    expect(suddenStatus(soFar)).toBe(status);
  });
});

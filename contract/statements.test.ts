import { expect, test } from 'vitest';
import { clauses } from './clauses/registry.ts';
import { clientClauses } from './clients/clauses.ts';
import { statements } from './statements.ts';
import { webhookClauses } from './webhooks/clauses.ts';

const all = [...clauses, ...webhookClauses, ...clientClauses];

test('every clause goes back to a statement of the document', () => {
  const traced = new Set<string>(
    statements.flatMap((statement) => ('clauses' in statement ? statement.clauses : [])),
  );
  expect(all.map(({ id }) => id).filter((id) => !traced.has(id))).toEqual([]);
});

test('every statement is judged by a clause or excluded with a reason', () => {
  const silent = statements.filter((statement) =>
    'clauses' in statement ? statement.clauses.length === 0 : statement.excluded === '',
  );
  expect(silent).toEqual([]);
});

test('clause ids are unique, and what they depend on exists', () => {
  const ids: readonly string[] = all.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(all.flatMap(({ dependsOn }) => dependsOn).filter((id) => !ids.includes(id))).toEqual([]);
});

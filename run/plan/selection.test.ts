import { expect, test } from 'vitest';
import { selectedClauses } from '../../checks/clause-tests.ts';
import { clauses } from '../../contract/clauses/registry.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import { referenceRequests } from '../../service/reference-requests.ts';
import { selectionOf } from './selection.ts';

const deployment = deploymentSchema.parse({
  baseUrls: ['http://127.0.0.1:1'],
  keyEnv: ['KEY_A'],
  requests: referenceRequests,
});

test.each([
  ['headers.present', { mode: 'light' }],
  ['access', { mode: 'light' }],
  ['headers', { mode: 'full', probedScopes: ['media'] }],
  ['error.shape', { mode: 'full', probedScopes: ['media'] }],
  ['limits.standard', { mode: 'full', probedScopes: ['standard'] }],
  ['limits.m', { mode: 'full', probedScopes: ['messages', 'media'] }],
  ['window.rolling', { mode: 'full' }],
  ['limits.per-key', { mode: 'full' }],
])('-t %s sends what its clauses need', (pattern, selection) => {
  expect(selectionOf(selectedClauses(new RegExp(pattern)), deployment)).toEqual(selection);
});

test('without -t all is sent, for every clause', () => {
  expect(selectedClauses(undefined).toSorted(byId)).toEqual(clauses.toSorted(byId));
  expect(selectionOf(selectedClauses(undefined), deployment)).toEqual({ mode: 'full' });
});

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}

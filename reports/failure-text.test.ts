import { expect, it } from 'vitest';
import { clauses } from '../contract/clauses/registry.ts';
import { clientClauses } from '../contract/clients/clauses.ts';
import { webhookClauses } from '../contract/webhooks/clauses.ts';
import type { ClauseResult } from './clause-result.ts';
import { failureText } from './failure-text.ts';

const all: readonly Pick<ClauseResult, 'id' | 'section' | 'level' | 'title' | 'requirement'>[] = [
  ...clauses,
  ...webhookClauses,
  ...clientClauses,
];

function violatedFor(id: string, reason: string): ClauseResult {
  const clause = all.find((one) => one.id === id);
  if (clause === undefined) throw new Error(`there is no clause ${id}`);
  const evidence = { expected: '', observed: '', exchanges: [], exchangesTotal: 0 };
  return { ...clause, verdict: { kind: 'violated', reason, evidence } };
}

it.each([
  ['limits.media', 'wrongful-429', 'Requests are refused below the limit'],
  ['load.nodes', 'counted-per-node', 'Each node counts for itself'],
  ['window.length', 'too-long', 'The window is too long'],
  ['error.retry-after', 'too-long', 'retry_after_seconds cannot be used as a wait'],
  ['headers.reset', 'milliseconds', 'X-RateLimit-Reset is in milliseconds'],
  ['headers.reset', 'past', 'X-RateLimit-Reset is no possible time of a reset'],
  ['webhook.numbers', 'number-form', 'A phone number has characters that are no digits'],
  ['client.jitter', 'no-jitter', 'The client waits without jitter'],
  ['limits.media', 'a reason of a later version', 'Not kept: 30 a minute on media uploads'],
])('%s, %s: %s', (id, reason, title) => {
  expect(failureText(violatedFor(id, reason)).title).toBe(title);
});

import { expect, test } from 'vitest';
import { type Document, documentSchema } from '../../contract/document/document.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import type { Deviation } from '../../service/faults/fault.ts';
import { clausesWith } from '../simulation/simulated-trace.ts';
import { playedDocument } from './played-document.ts';

const byKey: Deviation = {
  name: 'counted-by-key',
  summary: 'each key has windows of its own',
  patch: (behaviour) => ({ ...behaviour, windowKey: ({ scope, key }) => `${scope} ${key}` }),
};

/** So many requests more than the document says pass. */
function more(requests: number): Deviation {
  return {
    name: 'another-limit',
    summary: `${requests} more pass`,
    patch: (behaviour) => ({
      ...behaviour,
      openWindow: (scope, rate) => behaviour.openWindow(scope, { ...rate, limit: rate.limit + requests }),
    }),
  };
}

function documentOf(promise: string, countedBy: string, limit = 40): Document {
  const items = { title: '/items', limit, promise, request: { path: '/items' } };
  return documentSchema.parse({ version: 1, title: 'x', windowSeconds: 60, countedBy, scopes: { items } });
}

function judged(document: Document, faults: readonly Deviation[]) {
  return judgeTrace(playedDocument(document, { faults }));
}

for (const promise of ['rolling', 'fixed', 'token-bucket', 'unsaid'] as const) {
  test.each(['account', 'address'])(`${promise}, by %s: keys that share a window hold it`, (countedBy) => {
    const judgement = judged(documentOf(promise, countedBy), []);
    expect(clausesWith(judgement, 'violated')).toEqual([]);
    expect(clausesWith(judgement, 'held')).toEqual(expect.arrayContaining(['limits.items', 'limits.shared']));
  });

  test(`${promise}: a service that counts by key violates that, and not the limit`, () => {
    expect(clausesWith(judged(documentOf(promise, 'account'), [byKey]), 'violated')).toEqual([
      'limits.shared',
    ]);
  });

  test.skipIf(promise === 'unsaid')(`${promise}: one more for all keys together violates the limit`, () => {
    const judgement = judged(documentOf(promise, 'address'), [more(1)]);
    expect(clausesWith(judgement, 'violated')).toContain('limits.items');
    expect(clausesWith(judgement, 'violated')).not.toContain('limits.shared');
  });
}

/** What a limit refuses after each of its refusals is refused by it alone, whichever key asked: none of it can have taken a place. */
test.each(
  ['rolling', 'fixed', 'token-bucket'].flatMap((promise) =>
    [17, 40, 120].map((limit) => [promise, limit] as const),
  ),
)('%s, %i: one fewer for all keys together violates the limit', (promise, limit) => {
  const judgement = judged(documentOf(promise, 'account', limit), [more(-1)]);
  expect(clausesWith(judgement, 'violated')).toEqual(['limits.items']);
});

test('a key whose account made the requests of the preflight is not taken to be in use', () => {
  const { exchanges } = playedDocument(documentOf('rolling', 'account'));
  expect(exchanges.filter(({ purpose }) => purpose === 'preflight')).toHaveLength(2);
});

import { describe, expect, test } from 'vitest';
import { type Document, documentSchema } from '../../contract/document/document.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import type { Behaviour } from '../../service/behaviour.ts';
import type { Deviation } from '../../service/faults/fault.ts';
import { clausesWith, mustUnheld } from '../simulation/simulated-trace.ts';
import { readExamples } from './examples.ts';
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

  // Of several limiters that may be, some explain one request more.
  if (promise === 'unsaid') continue;
  test(`${promise}: one more for all keys together violates the limit`, () => {
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

/** Requests of one scope are counted by something else than the document says, as where one line of a limiter was copied to all routes. */
function countedIn(scope: string, windowKey: Behaviour['windowKey']): Deviation {
  return {
    name: 'counted-otherwise',
    summary: `the windows of ${scope} are counted by something else`,
    patch: (behaviour) => ({
      ...behaviour,
      windowKey: (request) => (request.scope === scope ? windowKey(request) : behaviour.windowKey(request)),
    }),
  };
}

describe.each(['rolling', 'fixed', 'token-bucket', 'unsaid'] as const)(
  '%s, search by address, orders by account, and all else by key',
  (promise) => {
    const scopeOf = (path: string, more: object) => ({
      ...{ title: path, limit: 20, promise, request: { path } },
      ...more,
    });
    const document = documentSchema.parse({
      ...{ version: 1, title: 'x', windowSeconds: 60 },
      scopes: {
        search: scopeOf('/search', { paths: ['/search'], countedBy: 'address' }),
        orders: scopeOf('/orders', { paths: ['/orders'], countedBy: 'account' }),
        rest: scopeOf('/me', { limit: 60 }),
      },
    });

    test('is held by a service that counts so', () => {
      const judgement = judged(document, []);
      expect(clausesWith(judgement, 'violated')).toEqual([]);
      expect(mustUnheld(document, judgement)).toEqual([]);
    });

    test.each(['search', 'orders'])('is violated by one that counts %s by key', (scope) => {
      const fault = countedIn(scope, ({ key }) => `${scope} ${key}`);
      expect(clausesWith(judged(document, [fault]), 'violated')).toEqual(['limits.shared']);
    });

    test('is violated by one that counts all else by address', () => {
      const fault = countedIn('rest', () => 'rest');
      // What one key lacks of a bucket that another one empties too may be a smaller bucket.
      const also = promise === 'token-bucket' ? ['limits.rest'] : [];
      expect(clausesWith(judged(document, [fault]), 'violated')).toEqual([...also, 'limits.per-key']);
    });
  },
);

test('a scope whose requests carry no key is asked by one client, and not what it does without a key', async () => {
  const examples = await readExamples();
  const document = examples.find(({ file }) => file === 'address-and-key.yaml')?.document as Document;
  const trace = playedDocument(document);
  const sent = Map.groupBy(trace.exchanges, ({ scope }) => scope);
  const seenIn = (scope: string, what: 'key' | 'credential') => [
    ...new Set(sent.get(scope)?.map((exchange) => exchange[what])),
  ];
  expect(seenIn('search', 'key')).toEqual(['A']);
  expect(seenIn('search', 'credential')).toEqual(['valid']);
  expect(seenIn('rest', 'credential').toSorted()).toEqual(['absent', 'malformed', 'unknown', 'valid']);
  const { verdict } = judgeTrace(trace).clauses.find(({ clause }) => clause === 'auth.bearer') ?? {};
  const served = sent.get('rest')?.filter(({ outcome }) => outcome === 'admitted').length;
  expect(verdict).toMatchObject({
    kind: 'held',
    summary: expect.stringMatching(`^${served} served with a valid key`),
  });
});

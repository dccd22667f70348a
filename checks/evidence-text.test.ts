import { expect, test } from 'vitest';
import type { QuotedExchange } from '../contract/verdict.ts';
import { evidenceText } from './evidence-text.ts';

const quoted: QuotedExchange = {
  ...{ requestId: 'r-1', purpose: 'fill', method: 'GET', path: '/items', scope: 'items', key: 'A' },
  ...{ sentMs: 0, receivedMs: 4.06, status: 200, limit: '5', remaining: '4', reset: null, retryAfter: null },
  body: null,
};

function linesOf(...exchanges: readonly QuotedExchange[]): readonly string[] {
  const evidence = { expected: '5', observed: '6', exchanges: [...exchanges], exchangesTotal: 9 };
  return evidenceText({ requirement: 'At most 5.' }, evidence).split('\n');
}

test('what proves a violation is what was promised, what was seen, and the exchanges', () => {
  const exchanges = `exchanges (1 of 9, ms since the first):`;
  expect(linesOf(quoted)).toEqual([
    ...['At most 5.', 'expected: 5', 'observed: 6', exchanges],
    '             0.0…4.1  GET /items → 200 limit 5 remaining 4 [r-1]',
  ]);
});

test('an answer without headers is quoted without them, and one that did not come as such', () => {
  const bare = { ...quoted, limit: null, remaining: null };
  const never = { ...bare, receivedMs: null, status: null };
  expect(linesOf(bare, never, { ...bare, body: 'no' }).slice(4)).toEqual([
    '             0.0…4.1  GET /items → 200 [r-1]',
    '               0.0…∞  GET /items → no answer [r-1]',
    '             0.0…4.1  GET /items → 200 [r-1] "no"',
  ]);
});

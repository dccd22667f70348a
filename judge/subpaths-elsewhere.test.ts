import { expect, it } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { caseOf } from './case.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, type Given, limited, times, traceOf } from './testing/traces.ts';

const standard: Given = { scope: 'standard', method: 'GET', path: '/v1/status' };
const messages: Given = { scope: 'messages', path: '/v1/messages' };
const below: Given = { scope: 'messages', route: 'subpath', method: 'GET', path: '/v1/messages/1' };

/** With one below it, one more than the limit; and an admission of standard that shows the scopes to be counted apart. */
const filled = [
  ...times(300, () => admitted(3_000, 3_010, messages)),
  limited(3_100, 3_110, messages),
  admitted(4_000, 4_010, standard),
];
/** A 429 with one request of its scope too few before it, well after the first. */
const refused = [
  admitted(-70_000, -69_990, standard),
  ...times(118, () => admitted(1_000, 1_010, standard)),
  limited(5_000, 5_010, standard),
];

const subpath = (sentMs: number, given: Given = {}) => admitted(sentMs, sentMs + 10, { ...below, ...given });

/** Key B has filled its window of messages, and one below it passed. */
const ofB = [...filled.slice(0, -1), subpath(0)].map((exchange) => ({ ...exchange, key: 'B' }));

function blamed(exchanges: readonly Exchange[]): readonly string[] {
  return judgeTrace(traceOf(exchanges)).clauses.flatMap(({ clause, verdict }) =>
    verdict.kind === 'violated' && /^(limits|window)\./.test(clause) ? [`${clause} ${verdict.reason}`] : [],
  );
}

const wrongful = 'limits.standard wrongful-429';
const apart = 'limits.messages-subpaths counted-apart';

it.each([
  ['one below /v1/messages, which is counted apart', [subpath(0)], [apart]],
  ['one that came after it', [subpath(5_020)], [wrongful, apart]],
  ['one that had left the window', [subpath(-57_000)], [wrongful]],
  ['one of another key', [subpath(0, { key: 'B' })], [wrongful]],
  ['one of another key that counts those apart', ofB, [wrongful, apart]],
  ['one below, and an older one', [subpath(-68_000), subpath(0)], [apart]],
  [
    'one below, where the main path alone has too many',
    [subpath(0), subpath(0, { route: 'main' })],
    [wrongful, 'limits.messages over-admission'],
  ],
  ['one of the main path', [subpath(0, { route: 'main' })], [wrongful, 'limits.messages over-admission']],
])('a 429 of standard that lacks one request is blamed as it is beside %s', (_, beside, expected) => {
  expect(blamed([...beside, ...refused, ...filled])).toEqual(expected);
});

it('a 429 is blamed on its scope beside requests below that are counted as they should be', () => {
  const filledTogether = [subpath(0), ...filled.slice(1)];
  expect(blamed([...filledTogether, ...refused])).toEqual([wrongful]);
});

it('leaves a scope in which nothing is wrong as it is', () => {
  const { analyses } = caseOf(traceOf([subpath(0), ...filled]));
  expect(analyses.map(({ group, attribution }) => [group.scope, attribution.kind])).toEqual([
    ['messages', 'blamed'],
    ['standard', 'explained'],
  ]);
});

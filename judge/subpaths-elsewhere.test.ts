import { expect, it } from 'vitest';
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

const wrongful = 'limits.standard wrongful-429';
const apart = 'limits.messages-subpaths counted-apart';

it.each([
  ['one below /v1/messages, which is counted apart', [subpath(0)], [apart]],
  ['one that came after it', [subpath(5_020)], [wrongful, apart]],
  ['one that had left the window', [subpath(-57_000)], [wrongful]],
  ['one of another key', [subpath(0, { key: 'B' })], [wrongful]],
  ['one of the main path', [subpath(0, { route: 'main' })], [wrongful, 'limits.messages over-admission']],
])('a 429 of standard that lacks one request is blamed as it is beside %s', (_, beside, expected) => {
  const { clauses } = judgeTrace(traceOf([...beside, ...refused, ...filled]));
  const found = clauses.flatMap(({ clause, verdict }) =>
    verdict.kind === 'violated' && /^(limits|window)\./.test(clause) ? [`${clause} ${verdict.reason}`] : [],
  );
  expect(found).toEqual(expected);
});

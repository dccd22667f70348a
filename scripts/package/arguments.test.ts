import { expect, it, test } from 'vitest';
import { identify } from './identify.ts';
import { judge } from './judge.ts';
import { parseTrace } from './parse-trace.ts';

const request = { sentMs: 0, receivedMs: 5, outcome: 'admitted' };

it.each([
  [undefined, 'identify takes a list of requests'],
  [{ exchanges: [] }, 'identify takes a list of requests'],
  [[], 'there is no request to tell a limiter by'],
  [[request, null], 'request 1 is no object'],
  [[{ ...request, sentMs: '0' }], 'request 0 has no sentMs that is a number'],
  [[{ ...request, receivedMs: undefined }], 'request 0 has no receivedMs that is a number, or null'],
  [[{ ...request, receivedMs: -1 }], 'request 0 has a receivedMs before its sentMs'],
  [[{ ...request, outcome: 429 }], 'request 0 has an outcome that is none of admitted, limited'],
])('a limiter is not told by %j', (requests, said) => {
  expect(() => identify(requests as never)).toThrow(said);
});

test('a request without an answer is one', () => {
  const unanswered = { sentMs: 3, receivedMs: null, outcome: 'indeterminate' } as const;
  expect(identify([unanswered]).algorithm).toBe('unidentified');
});

it.each([undefined, null, '{"kind":"trace"}', {}, []])('%j is no trace to judge', (given) => {
  expect(() => judge(given as never)).toThrow('judge takes a trace: parseTrace(readFileSync(');
});

it.each([undefined, null, 5, Buffer.from('{}'), {}])('%j is no text of a trace', (given) => {
  expect(() => parseTrace(given as never)).toThrow('parseTrace takes the text of a trace');
});

test('rows of a trace are named where they are wrong', () => {
  expect(() => parseTrace('x\n')).toThrow('line 1 is not JSON');
  expect(() => parseTrace(['x', ''])).toThrow('line 1 is not JSON');
});

import { expect, test } from 'vitest';
import { exchangeSchema, outcomeOf as outcomeOfContract } from '../../contract/exchange.ts';
import { type Answer, exchangeLine, frameOf, outcomeOf } from '../k6/exchange-line.ts';
import { requestPlanner } from '../k6/request.ts';
import { parametersWith } from './testing/parameters.ts';

const key = 'canary-key';

const parameters = parametersWith({ bodyCharactersMax: 30, headerCharactersMax: 20 });
const plan = requestPlanner(parameters, 'run7');

function exchange(answer: Partial<Answer>, credential: 'valid' | 'absent' = 'valid') {
  const request = plan({
    ...{ scope: 'messages', index: 4, purpose: 'burst', node: 1, credential },
    key: { alias: 'B', secret: key },
  });
  const whole = { status: 200, error: '', headers: {}, body: null, timings: { duration: 40.5 }, ...answer };
  const interval = { sentMs: 1_000, receivedMs: 1_041 };
  const line = exchangeLine(frameOf(request, parameters), request.index, whole, interval);
  return exchangeSchema.parse(JSON.parse(line));
}

test('an admitted request, with header names as k6 writes them', () => {
  const headers = {
    'X-Ratelimit-Limit': '300',
    'X-Ratelimit-Remaining': '299',
    'X-Ratelimit-Reset': '1060',
    'Content-Type': 'application/json',
    Date: 'Sat, 21 Nov',
  };
  const line = exchange({ headers, body: '{"id":"msg_1"}' });
  expect(exchangeSchema.parse(line)).toEqual(line);
  expect(line).toEqual({
    kind: 'exchange',
    index: 4,
    driver: 'k6',
    scenario: 'messages-burst',
    clock: 'k6-messages-burst',
    scope: 'messages',
    route: 'main',
    key: 'B',
    credential: 'valid',
    node: 1,
    purpose: 'burst',
    requestId: 'run7-messages-burst-4',
    method: 'POST',
    path: '/v1/messages',
    sentMs: 1_000,
    receivedMs: 1_041,
    latencyMs: 40.5,
    wallSentMs: null,
    wallReceivedMs: null,
    status: 200,
    headers: { limit: '300', remaining: '299', reset: '1060' },
    retryAfter: null,
    date: 'Sat, 21 Nov',
    contentType: 'application/json',
    body: null,
    failure: null,
    outcome: 'admitted',
  });
});

test('a 429 keeps its body and Retry-After', () => {
  const line = exchange({ status: 429, headers: { 'Retry-After': '7' }, body: '{"success":false}' });
  expect(line).toMatchObject({ outcome: 'limited', retryAfter: '7', body: '{"success":false}' });
});

test('a request without a key belongs to none', () => {
  expect(exchange({ status: 401 }, 'absent')).toMatchObject({
    key: null,
    credential: 'absent',
    outcome: 'refused',
  });
});

test('a request without an answer may have been counted at any time', () => {
  expect(exchange({ status: 0, error: 'request timeout', body: 'part' })).toMatchObject({
    status: null,
    receivedMs: null,
    latencyMs: null,
    failure: 'request timeout',
    body: null,
    outcome: 'indeterminate',
  });
  expect(exchange({ status: 0 }).failure).toBe('no answer');
});

test('what a service sends back is bounded, and never holds the key', () => {
  const headers = { 'X-Ratelimit-Reset': `${'9'.repeat(15)}${key}`, 'X-Ratelimit-Limit': `${key}, ${key}` };
  const line = exchange({ status: 500, headers, body: `${'x'.repeat(25)}${key}${'y'.repeat(1_000_000)}` });
  expect(line.headers.reset).toBe(`${'9'.repeat(15)}*****`);
  expect(line.headers.limit).toBe('**********, ********');
  expect(line.body).toBe(`${'x'.repeat(25)}*****`);
  expect(exchange({ status: 500, body: key.repeat(50) }).body).toBe('*'.repeat(30));
  expect(exchange({ status: 0, error: `bad header ${key}` }).failure).toBe('bad header **********');
});

test('a body that is no text is left out', () => {
  expect(exchange({ status: 500, body: new ArrayBuffer(8) }).body).toBeNull();
});

test('outcomes are those of the contract, for every status', () => {
  const statuses = Array.from({ length: 600 }, (_, status) => status);
  const byContract = statuses.map((status) => outcomeOfContract(status === 0 ? null : status));
  expect(statuses.map(outcomeOf)).toEqual(byContract);
});

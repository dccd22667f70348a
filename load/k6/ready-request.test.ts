import { expect, test } from 'vitest';
import { type RequestTemplate, requestTemplateSchema } from '../../contract/request-template.ts';
import { readyRequest } from './ready-request.ts';

const answers = {
  headerNames: {
    limit: 'X-Ratelimit-Limit',
    remaining: 'X-Ratelimit-Remaining',
    reset: 'X-Ratelimit-Reset',
    retryAfter: 'Retry-After',
  },
  limitedStatuses: [429],
  passedStatuses: [],
};

function ready(template: Partial<RequestTemplate>, baseUrls: readonly string[] = ['http://h.test']) {
  return readyRequest(requestTemplateSchema.parse({ path: '/v1/messages', ...template }), baseUrls, answers);
}

test('a request goes to each node', () => {
  expect(ready({ method: 'POST', body: { json: { to: '1' } } }, ['http://a.test', 'http://b.test'])).toEqual({
    method: 'POST',
    path: '/v1/messages',
    urls: ['http://a.test/v1/messages', 'http://b.test/v1/messages'],
    headers: { 'Content-Type': 'application/json' },
    payload: { kind: 'text', text: '{"to":"1"}' },
    isRepeatable: false,
    ...answers,
  });
});

test.each([
  ['GET', {}, { Connection: 'close' }, true],
  ['GET', { Connection: 'keep-alive' }, { Connection: 'keep-alive' }, true],
  ['POST', { 'Idempotency-Key': 'a' }, { 'Idempotency-Key': 'a', Connection: 'close' }, true],
  ['POST', {}, {}, false],
] as const)(
  '%s with %j is not sent over a connection that Go may repeat it on',
  (method, given, headers, isRepeatable) => {
    expect(ready({ method, headers: given })).toMatchObject({ headers, isRepeatable });
  },
);

test.each([
  ['http://h.test', 'http://h.test/v1/messages'],
  ['http://h.test/', 'http://h.test/v1/messages'],
  ['https://h.test/api/eu//', 'https://h.test/api/eu/v1/messages'],
])('the path of %s is a prefix', (baseUrl, url) => {
  expect(ready({}, [baseUrl]).urls).toEqual([url]);
});

const bodies: readonly (readonly [string, Partial<RequestTemplate>, string | undefined, object])[] = [
  ['no body', {}, undefined, { kind: 'none' }],
  ['JSON', { body: { json: [1] } }, 'application/json', { kind: 'text', text: '[1]' }],
  ['text', { body: { text: 'a=1', contentType: 'text/x' } }, 'text/x', { kind: 'text', text: 'a=1' }],
  [
    'JSON of another type',
    { body: { json: 1 }, headers: { 'content-type': 'application/problem+json' } },
    'application/problem+json',
    { kind: 'text', text: '1' },
  ],
];

test.each(bodies)('%s is sent as it is meant', (_name, template, contentType, payload) => {
  const request = ready(template);
  const given = Object.entries(request.headers).filter(([name]) => name.toLowerCase() === 'content-type');
  expect(given.map(([, value]) => value)).toEqual(contentType === undefined ? [] : [contentType]);
  expect(request.payload).toEqual(payload);
});

test('a file leaves its content type to k6, which knows the boundary', () => {
  const file = { field: 'f', filename: 'a.bin', contentType: 'image/png', bytes: 64 };
  const template = { body: { file }, headers: { 'Content-Type': 'multipart/form-data' } };
  const { payload, headers } = ready(template);
  expect(payload).toEqual({ kind: 'file', file });
  expect(Object.keys(headers)).not.toContain('Content-Type');
});

test('the template cannot take the place of our own headers', () => {
  const { headers } = ready({
    method: 'POST',
    headers: { 'user-agent': 'x', 'x-request-id': 'y', 'X-Tenant': 'z' },
  });
  expect(headers).toEqual({ 'X-Tenant': 'z' });
});

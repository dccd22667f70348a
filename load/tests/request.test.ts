import { expect, test } from 'vitest';
import { type RequestTemplate, requestTemplateSchema } from '../../contract/deployment.ts';
import { fileBytesAt, fileBytesMin } from '../k6/file-sizes.ts';
import { requestPlanner } from '../k6/request.ts';
import { parametersWith } from './testing/parameters.ts';

type More = { credential?: 'valid' | 'absent'; fileBytes?: number; baseUrl?: string };

function planned(template: Partial<RequestTemplate>, { baseUrl, ...more }: More = {}) {
  const messages = requestTemplateSchema.parse({ path: '/v1/messages', ...template });
  const parameters = parametersWith({
    userAgent: 'messaging-conformance/0 run/run7',
    requests: { messages },
    ...(baseUrl === undefined ? {} : { baseUrls: [baseUrl] }),
  });
  return requestPlanner(
    parameters,
    'run7',
  )({
    ...{ scope: 'messages', index: 4, purpose: 'burst', node: 0, credential: 'valid' },
    key: { alias: 'A', secret: 'secret' },
    ...more,
  });
}

test('a request says who sends it, in which run, and as which', () => {
  expect(planned({ method: 'POST', body: { json: { to: '1' } } })).toEqual({
    index: 4,
    requestId: 'run7-messages-burst-4',
    purpose: 'burst',
    scope: 'messages',
    key: { alias: 'A', secret: 'secret' },
    credential: 'valid',
    node: 0,
    method: 'POST',
    path: '/v1/messages',
    url: 'http://127.0.0.1:9/v1/messages',
    headers: {
      'User-Agent': 'messaging-conformance/0 run/run7',
      'X-Request-Id': 'run7-messages-burst-4',
      Authorization: 'Bearer secret',
      'Content-Type': 'application/json',
    },
    payload: { kind: 'text', text: '{"to":"1"}' },
  });
});

test('without a key there is no Authorization', () => {
  const { credential, headers } = planned({}, { credential: 'absent' });
  expect(credential).toBe('absent');
  expect(Object.keys(headers)).toEqual(['User-Agent', 'X-Request-Id']);
});

test.each([
  ['http://h.test', 'http://h.test/v1/messages'],
  ['http://h.test/', 'http://h.test/v1/messages'],
  ['https://h.test/api/eu//', 'https://h.test/api/eu/v1/messages'],
])('the path of %s is a prefix', (baseUrl, url) => {
  expect(planned({}, { baseUrl }).url).toBe(url);
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
  const request = planned(template);
  const given = Object.entries(request.headers).filter(([name]) => name.toLowerCase() === 'content-type');
  expect(given.map(([, value]) => value)).toEqual(contentType === undefined ? [] : [contentType]);
  expect(request.payload).toEqual(payload);
});

test('a file leaves its content type to k6, which knows the boundary', () => {
  const file = { field: 'f', filename: 'a.bin', contentType: 'image/png', bytes: 64 };
  const template = { body: { file }, headers: { 'Content-Type': 'multipart/form-data' } };
  const request = planned(template, { fileBytes: 1_000 });
  expect(request.payload).toEqual({ kind: 'file', file: { ...file, bytes: 1_000 } });
  expect(Object.keys(request.headers)).not.toContain('Content-Type');
  expect(planned(template).payload).toEqual({ kind: 'file', file });
});

test('the template cannot take the place of our own headers', () => {
  const { headers } = planned({ headers: { 'user-agent': 'x', 'x-request-id': 'y', 'X-Tenant': 'z' } });
  expect(headers).toEqual({
    'User-Agent': 'messaging-conformance/0 run/run7',
    'X-Request-Id': 'run7-messages-burst-4',
    Authorization: 'Bearer secret',
    'X-Tenant': 'z',
  });
});

test('a scope or a node that the settings do not have is an error of the script', () => {
  const plan = requestPlanner(parametersWith({}), 'run7');
  const input = { index: 0, purpose: 'p', key: { alias: 'A', secret: 's' }, credential: 'valid' } as const;
  expect(() => plan({ ...input, scope: 'media', node: 0 })).toThrow('no request for media');
  expect(() => plan({ ...input, scope: 'messages', node: 3 })).toThrow('no base URL number 4');
});

test('file sizes climb from a few bytes to the largest, each once, and small meets large', () => {
  const sizes = Array.from({ length: 45 }, (_, n) => fileBytesAt(n, 45, 1_048_576));
  expect(Math.min(...sizes)).toBe(fileBytesMin);
  expect(Math.max(...sizes)).toBe(1_048_576);
  expect(new Set(sizes).size).toBe(45);
  expect(sizes.slice(0, 2)).toEqual([fileBytesMin, 1_048_576]);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(5_000_000);
  expect(fileBytesAt(0, 1, 1_048_576)).toBe(1_048_576);
});

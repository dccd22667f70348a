import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exchangeSchema } from '../../contract/exchange.ts';
import {
  bodyCharactersInFlood,
  bodyCharactersMax,
  headerCharactersMax,
  outcomeOf,
} from '../../contract/outcome.ts';
import { searchFor } from '../../contract/secret/search.ts';
import { maskWholes, stars } from '../../contract/secret/wholes.ts';
import { type Answer, type Common, lineStart, lineWriter } from './exchange-line.ts';

const usualNames = {
  limit: 'X-Ratelimit-Limit',
  remaining: 'X-Ratelimit-Remaining',
  reset: 'X-Ratelimit-Reset',
  retryAfter: 'Retry-After',
};

const key = 'canary-key';

const common: Common = {
  scenario: 'messages-burst',
  clock: 'k6-messages-burst',
  scope: 'messages',
  key: 'B',
  node: 1,
  purpose: 'burst',
  idStart: 'run7-messages-burst-',
  method: 'POST',
  path: '/v1/messages',
};

function answerWith(answer: Partial<Answer>): Answer {
  return {
    status: 200,
    error: '',
    headers: {},
    body: null,
    timings: { duration: 40.5, connecting: 0 },
    ...answer,
  };
}

/** The exchanges of several answers, written by one writer, and the indexes of those told as unexpected. */
function exchanges(
  answers: readonly Partial<Answer>[],
  { isRepeatable = false, ...changes }: Partial<Common> & { readonly isRepeatable?: boolean } = {},
) {
  const unexpected: number[] = [];
  let at = 0;
  const line = lineWriter(lineStart({ ...common, ...changes }), {
    secrets: [key],
    unexpected: { add: () => unexpected.push(at) },
    isRepeatable,
    limited: [429],
    passed: [422],
    names: usualNames,
  });
  const lines = answers.map((answer, n) => {
    at = n;
    return exchangeSchema.parse(JSON.parse(line(4 + n, answerWith(answer), 1_000, 1_041)));
  });
  return { lines, unexpected };
}

function exchange(answer: Partial<Answer>, changes: Partial<Common> = {}) {
  return exchanges([answer], changes).lines[0]!;
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

test('a body is marked by how much of it the line has', () => {
  const stated = { 'Content-Length': '17' };
  expect(exchange({ status: 429, headers: stated, body: '{"success":false}' }).bodyState).toBe('whole');
  expect(exchange({ status: 429, body: '{"success":fal' }).bodyState).toBe('until-close');
  const long = 'x'.repeat(bodyCharactersMax + 1);
  expect(exchange({ status: 429, headers: stated, body: long }).bodyState).toBe('beyond-bound');
  expect(exchange({ status: 200, body: '{}' }).bodyState).toBeUndefined();
});

test('a flood of long bodies is kept in short', () => {
  const body = 'x'.repeat(bodyCharactersMax);
  const { lines } = exchanges(times(4, { status: 429, body }).concat({ status: 429, body: `${body}y` }));
  const short = bodyCharactersInFlood;
  expect(lines.map((line) => line.body?.length)).toEqual([
    bodyCharactersMax,
    bodyCharactersMax,
    short,
    short,
    short,
  ]);
  expect(lines.slice(2).map(({ bodyState }) => bodyState)).toEqual(Array(3).fill('beyond-bound'));
});

const times = (count: number, answer: Partial<Answer>) => Array.from({ length: count }, () => answer);

test.each([
  [true, 0.2, true],
  [true, 0, undefined],
  // A wall clock that is set back while the connection opens.
  [true, -3, true],
  [false, 0.2, undefined],
])('repeatable %s, connecting for %d ms: certainly sent once %s', (isRepeatable, connecting, sentOnce) => {
  const answers = [200, 0].map((status) => ({ status, timings: { duration: 1, connecting } }));
  const { lines } = exchanges(answers, { isRepeatable });
  expect(lines.map((line) => line.sentOnce)).toEqual([sentOnce, sentOnce]);
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
  const almost = (max: number) => 'x'.repeat(max - 5);
  const headers = {
    'X-Ratelimit-Reset': `${almost(headerCharactersMax)}${key}`,
    'X-Ratelimit-Limit': `${key}, ${key}`,
    'X-Ratelimit-Remaining': key,
  };
  const body = `${almost(bodyCharactersMax)}${key}${'y'.repeat(1_000_000)}`;
  const line = exchange({ status: 500, headers, body });
  expect(line.headers.reset).toBe(`${almost(headerCharactersMax)}*****`);
  expect(line.headers.limit).toBe('**********, **********');
  expect(line.headers.remaining).toBe('**********');
  expect(line.body).toBe(`${almost(bodyCharactersMax)}*****`);
  expect(exchange({ status: 500, body: key.repeat(500) }).body).toBe('*'.repeat(key.length * 500));
  expect(exchange({ status: 0, error: `bad header ${key}` }).failure).toBe('bad header **********');
});

test.each([
  ['in capitals', key.toUpperCase()],
  ['as an escape of JSON', '\\u0063anary\\u002Dkey'],
  ['as an escape of URLs', 'canary%2dkey'],
  ['as an escape of HTML', 'canary&#45;key'],
  ['in base64 with its scheme', btoa(`Bearer ${key}`)],
  ['in hex', '63616e6172792d6b6579'],
])('a key that a service sends back %s is masked', (_how, spelt) => {
  const line = exchange({
    status: 401,
    headers: { 'Retry-After': `${spelt}!` },
    body: `{"echo":"${spelt}"}`,
  });
  expect(line.body).toMatch(/^\{"echo":"(QmVhcmVyI)?\*+=*"\}$/);
  expect(line.body).toHaveLength(spelt.length + 11);
  expect(line.retryAfter).toMatch(/^(QmVhcmVyI)?\*+=*!$/);
});

test.each(['7', '0', '-1', '1e3', '07', ' 7', '"', 'NaN', '\\', '7\n', '12345678901234567890'])(
  'Remaining is kept as it came: %j',
  (remaining) => {
    const { headers } = exchange({ headers: { 'X-Ratelimit-Remaining': remaining } });
    expect(headers.remaining).toBe(remaining);
  },
);

test('a key that is a number is masked in numbers too', () => {
  const line = lineWriter(lineStart(common), {
    secrets: ['42'],
    unexpected: { add: () => 0 },
    isRepeatable: false,
    limited: [429],
    passed: [422],
    names: usualNames,
  });
  const remaining = ['7', '42', '142', '0.42', '41'].map((value) => {
    const text = line(4, answerWith({ headers: { 'X-Ratelimit-Remaining': value } }), 1_000, 1_041);
    return exchangeSchema.parse(JSON.parse(text)).headers.remaining;
  });
  expect(remaining).toEqual(['7', '**', '1**', '0.**', '41']);
});

test.each(['canary-key', 'canary key', 'canary"key', '4 2', 'seven77'])(
  'of %j as much is masked as by looking for it everywhere',
  (secret) => {
    const line = lineWriter(lineStart(common), {
      secrets: [secret],
      unexpected: { add: () => 0 },
      isRepeatable: false,
      limited: [429],
      passed: [422],
      names: usualNames,
    });
    const search = searchFor([{ secret, maskOf: stars }]);
    const pieces = [
      secret,
      btoa(secret),
      encodeURIComponent(secret),
      ...'cana r"y-\\%&\n7',
      'Mon, 23 Nov 2026',
    ];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(''));
    fc.assert(
      fc.property(texts, texts, (date, body) => {
        const written = exchangeSchema.parse(
          JSON.parse(line(1, answerWith({ status: 500, headers: { Date: date }, body }), 1_000, 1_041)),
        );
        expect(written.date).toBe(maskWholes(date, search));
        expect(written.body).toBe(maskWholes(body, search));
      }),
      { numRuns: 300 },
    );
  },
);

test('each answer is written with its own headers, whatever came before it', () => {
  const headers = [
    { 'X-Ratelimit-Limit': '300', 'X-Ratelimit-Remaining': '2', 'X-Ratelimit-Reset': '60', Date: 'one' },
    { 'X-Ratelimit-Limit': '300', 'X-Ratelimit-Remaining': '1', 'X-Ratelimit-Reset': '60', Date: 'one' },
    { 'X-Ratelimit-Limit': '301', 'X-Ratelimit-Remaining': '0', 'X-Ratelimit-Reset': '60', Date: 'one' },
    { 'X-Ratelimit-Limit': '301', 'X-Ratelimit-Reset': '61', Date: 'one' },
    { 'X-Ratelimit-Limit': '301', 'X-Ratelimit-Reset': '61', Date: 'two' },
    { 'X-Ratelimit-Limit': '301', 'Retry-After': '7', Date: 'two' },
    { 'Content-Type': 'a/b', Date: 'two' },
    {},
  ];
  const { lines } = exchanges(headers.map((one) => ({ headers: one })));
  const seen = lines.map(({ headers: { limit, remaining, reset }, date, retryAfter, contentType }) =>
    [limit, remaining, reset, date, retryAfter, contentType].join(),
  );
  expect(seen).toEqual([
    '300,2,60,one,,',
    '300,1,60,one,,',
    '301,0,60,one,,',
    '301,,61,one,,',
    '301,,61,two,,',
    '301,,,two,7,',
    ',,,two,,a/b',
    ',,,,,',
  ]);
  expect(lines.map(({ index, requestId }) => `${index} ${requestId}`)).toEqual(
    headers.map((_, n) => `${4 + n} run7-messages-burst-${4 + n}`),
  );
});

test('each refusal is written with its own body, whatever came before it', () => {
  const answers = [
    { status: 429, body: 'in 7 s' },
    { status: 429, body: 'in 7 s' },
    { status: 429, body: 'in 6 s' },
    { status: 200, body: 'in 6 s' },
    { status: 200, body: 'sent' },
    { status: 429, body: 'in 6 s' },
    { status: 429, body: null },
    { status: 500, body: `${key} in 6 s` },
    { status: 500, body: 'in 6 s' },
  ];
  const kept = exchanges(answers).lines.map(({ body }) => body);
  const masked = `${'*'.repeat(key.length)} in 6 s`;
  expect(kept).toEqual(['in 7 s', 'in 7 s', 'in 6 s', null, null, 'in 6 s', null, masked, 'in 6 s']);
});

test('reports each answer that is neither 2xx nor 429', () => {
  const statuses = [200, 500, 500, 429, 0, 204, 302, 429];
  const { lines, unexpected } = exchanges(statuses.map((status) => ({ status })));
  expect(unexpected).toEqual([1, 2, 4, 6]);
  expect(lines.map(({ status }) => status ?? 0)).toEqual(statuses);
});

test('an answer by which a request passes is admitted and expected, and its body is kept', () => {
  const body = '{"success":false}';
  const { lines, unexpected } = exchanges([
    { status: 422, body },
    { status: 404, body },
  ]);
  expect(lines.map((line) => [line.outcome, line.body])).toEqual([
    ['admitted', body],
    ['refused', body],
  ]);
  expect(unexpected).toEqual([1]);
});

test('a body that is no text is left out', () => {
  expect(exchange({ status: 500, body: new ArrayBuffer(8) }).body).toBeNull();
});

test('outcomes are those of the contract, for every status', () => {
  const statuses = Array.from({ length: 600 }, (_, status) => status);
  const byContract = statuses.map((status) => outcomeOf(status || null, [429], [422]));
  const { lines } = exchanges(statuses.map((status) => ({ status })));
  expect(lines.map(({ outcome }) => outcome)).toEqual(byContract);
});

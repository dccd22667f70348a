import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deploymentSchema } from './deployment.ts';
import { type Exchange, exchangeSchema } from './exchange.ts';
import { ExchangeStore, plainExchange, spanningItself } from './exchange-store.ts';
import { fitsExchange } from './fits-exchange.ts';
import { parseLongTrace } from './long-trace.ts';
import { outcomeOf } from './outcome.ts';
import { parseTrace } from './trace.ts';
import { traceHeader } from './trace-header.ts';

const startedAtMs = Date.UTC(2026, 0, 1);
const texts = ['', '0', '7', '007', '120', 'r1-', '12:ab', 'null', 'ä\u2028', 'a "b"'] as const;
const baseUrls = [1, 2, 3, 4].map((port) => `http://127.0.0.1:${port}`);

const header = traceHeader({
  tool: { name: 'test', version: '0' },
  runId: 'r1',
  startedAtMs,
  mode: 'full',
  limits: { standard: 120, messages: 300, media: 30 },
  deployment: deploymentSchema.parse({ baseUrls, keyEnv: ['A'] }),
  keys: ['A'],
  clocks: [
    { id: 'main', kind: 'monotonic', offsetMsMax: 0 },
    ...texts.map((id) => ({ id, kind: 'wall' as const, offsetMsMax: 0 })),
  ],
  plan: { requestsMax: 1, peakRequestsPerSecond: 1, seconds: 1 },
});

const common = { driver: 'undici', clock: 'main', scope: 'media', route: 'main', key: 'A' } as const;
const asked = { ...common, credential: 'valid', purpose: 'fill', method: 'GET', path: '/' } as const;

const text = fc.constantFrom(...texts);
const textOrNull = fc.option(text);
const wallMoment = fc.double({ min: -1e13, max: 1e13, noNaN: true });
const moment = fc.double({ min: startedAtMs - 1e10, max: startedAtMs + 1e10, noNaN: true });
const absentOr = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** What a schema takes: fields that may contradict each other. */
const anyExchange: fc.Arbitrary<Exchange> = fc.record({
  kind: fc.constant('exchange' as const),
  index: fc.nat(),
  driver: fc.constantFrom('undici' as const, 'k6' as const),
  scenario: absentOr(text),
  clock: text,
  scope: fc.constantFrom('media' as const, 'standard' as const),
  route: fc.constantFrom('main' as const, 'other' as const),
  key: textOrNull,
  credential: fc.constantFrom('valid' as const, 'absent' as const),
  node: fc.nat(3),
  purpose: text,
  requestId: fc.constantFrom('r1-0', 'r1-1', 'r1-01', 'r1-12345678901', '', '5', 'x', '0', '00'),
  method: text,
  path: text,
  cost: absentOr(fc.integer({ min: 2, max: 40 })),
  sentOnce: absentOr(fc.constant(true as const)),
  sentMs: moment,
  receivedMs: fc.option(moment),
  latencyMs: absentOr(fc.option(wallMoment)),
  wallSentMs: fc.option(wallMoment),
  wallReceivedMs: fc.option(wallMoment),
  status: fc.option(fc.constantFrom(200, 429, 503)),
  headers: fc.record({ limit: textOrNull, remaining: textOrNull, reset: textOrNull }),
  retryAfter: textOrNull,
  date: textOrNull,
  contentType: textOrNull,
  server: absentOr(textOrNull),
  body: textOrNull,
  bodyState: absentOr(fc.constantFrom('whole' as const, 'partial' as const)),
  failure: textOrNull,
  outcome: fc.constantFrom('admitted' as const, 'limited' as const, 'indeterminate' as const),
});

const exchange = anyExchange.map((one): Exchange => {
  const status = one.receivedMs === null ? null : (one.status ?? 200);
  const credential = one.key === null ? 'absent' : 'valid';
  return { ...one, status, credential, outcome: outcomeOf(status) };
});

const request = fc.record({
  index: fc.nat(9),
  requestId: fc.constantFrom('r1-0', 'r1-9', 'x'),
  node: fc.nat(1),
});
const other = fc.oneof(
  fc.constant({ kind: 'note', atMs: 1, text: 'waited' }),
  fc.constant({ kind: 'begun', scenario: 's', atMs: 1 }),
  fc.constant({ kind: 'clock', clock: 'main', monotonicMs: 1, wallMs: 2 }),
  fc.constant({ kind: 'left-out', scenario: 's', reason: 'why' }),
  fc.constantFrom(...(['complete', 'incomplete'] as const)).map((state) => ({
    ...{ kind: 'load', scenario: 's', state, reason: null, key: 'A', scope: 'media', requestsSent: 1 },
  })),
  request.map((one) => ({ kind: 'sent', ...asked, sentMs: startedAtMs, wallSentMs: null, requests: [one] })),
  fc.constant({ kind: 'end', endedAt: '2026-01-01T00:00:00.000Z', complete: true, reason: null }),
);

/** What no trace should have, rarely: a second header, a line that is none, a field that is wrong. */
const broken = fc.oneof(
  fc.constant(header),
  fc.constant({ kind: 'exchange' }),
  anyExchange,
  request.map((one) => ({ ...announced(one.requestId), scope: 'nowhere' })),
  exchange.map((one) => ({ ...one, index: -1 })),
  exchange.map((one) => ({ ...one, more: 1, headers: { ...one.headers, more: 1 } })),
);

const line = fc.oneof(
  { weight: 20, arbitrary: exchange as fc.Arbitrary<unknown> },
  { weight: 8, arbitrary: other },
  { weight: 1, arbitrary: broken },
);
const lines = fc
  .tuple(fc.boolean(), fc.array(line, { maxLength: 12 }), fc.nat(30))
  .map(([isWhole, given, copied]) => {
    const copy = given[copied];
    return [
      ...(isWhole || given.length > 9 ? [header] : []),
      ...given,
      ...(copy === undefined ? [] : [copy]),
    ];
  });

/** The bytes of a text, some at a time, in a buffer that is used again as that of a file is. */
function* bytesOf(rows: string, chunkBytes = 100): Generator<Uint8Array> {
  const bytes = new TextEncoder().encode(rows);
  const chunk = new Uint8Array(chunkBytes);
  for (let from = 0; from < bytes.length; from += chunkBytes) {
    const next = bytes.subarray(from, from + chunkBytes);
    chunk.set(next);
    yield chunk.subarray(0, next.length);
  }
}

test('a long trace is read as a short one is, and refused for the same reason', () => {
  fc.assert(
    fc.property(lines, fc.constantFrom('', '\n', '\n{"kind":"no', '\nno'), (given, tail) => {
      const rows = given.map((one) => JSON.stringify(one)).join('\n') + tail;
      expect(told(() => parseLongTrace(bytesOf(rows)))).toBe(told(() => parseTrace(rows)));
    }),
    { numRuns: 1_000 },
  );
});

test('a short trace reads each exchange as its schema does, in whatever order its fields stand and what stands beside them', () => {
  fc.assert(
    fc.property(exchange, fc.constantFrom({}, { more: 1 }), (one, beside) => {
      const fields = Object.entries({ ...one, headers: { ...beside, ...one.headers }, ...beside });
      const line = JSON.stringify(Object.fromEntries(fields.toReversed()));
      const [read] = parseTrace(`${JSON.stringify(header)}\n${line}\n`).exchanges;
      expect(JSON.stringify(read)).toBe(JSON.stringify(exchangeSchema.parse(JSON.parse(line))));
    }),
  );
});

const answered = (requestId: string) => ({
  ...{ kind: 'exchange', ...common, index: 0, credential: 'valid', node: 0, purpose: 'fill', requestId },
  ...{
    method: 'GET',
    path: '/',
    sentMs: startedAtMs,
    receivedMs: startedAtMs + 1,
    wallSentMs: null,
    wallReceivedMs: null,
    status: 200,
  },
  ...{ headers: { limit: null, remaining: null, reset: null }, retryAfter: null, date: null },
  ...{ contentType: null, body: null, failure: null, outcome: 'admitted' },
});

const announced = (...ids: readonly string[]) => ({
  ...{ kind: 'sent', ...asked, sentMs: startedAtMs, wallSentMs: null },
  requests: ids.map((requestId, index) => ({ index, requestId, node: 0 })),
});

const load = (requestsSent: number) => ({
  ...{ kind: 'load', scenario: 's', state: 'complete', reason: null, key: 'A', scope: 'media', requestsSent },
});

test.each([
  ['from its sending to its answer', 1, 2, { lowMs: 1, highMs: 2 }],
  ['from its answer to its sending, where a clock was set back in between', 2, 1, { lowMs: 1, highMs: 2 }],
  ['for ever where no answer came', 1, null, { lowMs: 1, highMs: Number.POSITIVE_INFINITY }],
] as const)(
  'an exchange of a long trace spans the time %s',
  (_how, sentMs, receivedMs, { lowMs, highMs }) => {
    const store = new ExchangeStore();
    store.add({ ...(answered('r1-0') as Exchange), sentMs, receivedMs }, 1);
    const [exchange] = store.toArray();
    const spanning = spanningItself(exchange as Exchange);
    expect([spanning?.lowMs, spanning?.highMs]).toEqual([lowMs, highMs]);
  },
);

/** Values as a line may spell them: as JSON.stringify does, in another way, and so that it is no JSON. */
const spelt = fc.constantFrom(
  ...[
    '0',
    '-0',
    '7',
    '01',
    '-1',
    '-',
    '1.',
    '.5',
    '1.50',
    '1e3',
    '1E-2',
    '1767225600002.125',
    '+1',
    '1 ',
    ' 1',
  ],
  ...[
    '9007199254740993',
    '0.1234567890123456789',
    '1234567890123456.75',
    `1${'0'.repeat(400)}`,
    '0.00000001',
  ],
  ...[
    'null',
    'nul',
    'nullx',
    'true',
    'truth',
    'false',
    '""',
    '"valid"',
    '"media"',
    '"limited"',
    '"a\\"b"',
    '"a"b"',
  ],
  ...[
    '"a\\\\"',
    '"a\\q"',
    '"\\u00e9"',
    '"\\u12"',
    '"é"',
    '"a\tb"',
    '"r1-1\\u0031"',
    '"r1-007"',
    '[]',
    '{}',
    '"open',
  ],
);

test('a line that is like one before it is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(exchange, fc.nat(40), spelt, fc.integer({ min: 1, max: 900 }), (one, place, value, size) => {
      const first = JSON.stringify({ ...one, requestId: 'first' });
      const values = [...first.matchAll(/(?<=":)(?:"(?:[^"\\]|\\.)*"|[^",{}[\]]+)/g)];
      const found = values[1 + (place % (values.length - 1))];
      const [before, at] = [found?.[0] ?? '', found?.index ?? 0];
      const second = first.slice(0, at) + value + first.slice(at + before.length);
      const other = second.replace('"first"', '"second"');
      const rows = [JSON.stringify(header), first, other, first.replace('"first"', '"r-3"'), ''].join('\n');
      expect(told(() => parseLongTrace(bytesOf(rows, size)))).toBe(told(() => parseTrace(rows)));
    }),
    { numRuns: 400 },
  );
});

test('requests are announced before their answers or after them, and some are announced twice', () => {
  const twice = [announced('a', 'b'), announced('c'), announced('a', 'e'), answered('c'), answered('d')];
  const given = [header, ...twice, announced('d'), load(1), load(2), load(1), load(1)];
  const rows = given.map((one) => JSON.stringify(one));
  const trace = parseLongTrace(bytesOf(rows.join('\n')));
  expect(JSON.stringify(trace)).toBe(JSON.stringify(parseTrace(rows.join('\n'))));
  expect(trace.exchanges.map(({ requestId }) => requestId)).toEqual(['c', 'd', 'a', 'b', 'a', 'e']);
});

const alike = ['a', 'b', 'c', 'd', 'e', 'f'].map(answered);

test.each([
  ['an exchange that stands there twice', [...alike, answered('d')], /"notes":\[[^\]]/],
  ['two exchanges of one id', [...alike, { ...answered('d'), status: 503 }], /lines? 5/],
  ['a line that cannot be read', [...alike, { kind: 'exchange' }], /line 8/],
  [
    'requests that were announced, some of them before',
    [announced('e', 'x'), ...alike, announced('f', 'y')],
    /"x"/,
  ],
])('after lines that are alike, %s is read as in a short trace', (_, given, said) => {
  const rows = [header, ...given, ''].map((one) => (one === '' ? '' : JSON.stringify(one))).join('\n');
  const long = told(() => parseLongTrace(bytesOf(rows)));
  expect(long).toBe(told(() => parseTrace(rows)));
  expect(long).toMatch(said);
});

test('a trace without an end knows all of its requests where each was announced', () => {
  for (const given of [
    [announced('a'), answered('a'), answered('b'), announced('b')],
    [announced('a'), answered('a'), answered('b')],
    [announced('a', 'b', 'c'), answered('a'), answered('b'), answered('c')],
  ]) {
    const rows = [header, ...given].map((one) => JSON.stringify(one));
    expect(JSON.stringify(parseLongTrace(bytesOf(rows.join('\n'))))).toBe(
      JSON.stringify(parseTrace(rows.join('\n'))),
    );
  }
});

function told(read: () => unknown): string {
  try {
    return JSON.stringify(read());
  } catch (error) {
    return String(error);
  }
}

test.each([
  ['an exchange', { ...answered('b'), scope: 'nowhere' }, 'line 4 has the scope "nowhere"'],
  ['an announced request', { ...announced('b'), clock: 'none' }, 'line 4 has the clock "none"'],
  [
    'an announced request of several',
    { ...announced('a', 'b'), clock: 'none' },
    'line 4 has the clock "none"',
  ],
  ['a header', { ...header, windowMs: 5 }, 'line 4 is a second header'],
])('%s that contradicts the first line is named by its line', (_what, wrong, says) => {
  const lines = [header, { kind: 'note', atMs: 1, text: 'waited' }, answered('a'), wrong, answered('c')];
  const rows = lines.map((one) => JSON.stringify(one)).join('\n');
  expect(told(() => parseTrace(rows))).toContain(says);
  expect(told(() => parseLongTrace(bytesOf(rows)))).toContain(says);
});

test.each([
  [
    'a header that contradicts itself',
    JSON.stringify({ ...header, windowMs: 60 }),
    'line 1 has the windowMs 60',
  ],
  ['two headers', `${JSON.stringify(header)}\n${JSON.stringify(header)}\n`, 'line 2 is a second header'],
  ['a header that was cut off', '{"kind":"tra', 'line 1 is not a whole line'],
  ['nothing', '', 'line 1 is not the header of a trace'],
])('%s is told', (_what, rows, says) => {
  expect(told(() => parseTrace(rows))).toContain(says);
  expect(told(() => parseLongTrace(bytesOf(rows)))).toContain(says);
});

test('the exchanges of several chunks, and their ids, are found again', () => {
  const made = fc.sample(exchange, { numRuns: 1, seed: 5 }).map((one) => ({ ...one, failure: null }));
  const many = Array.from({ length: 5_000 }, (_, at) => ({
    ...made[0],
    requestId: `r1-${at}`,
    clock: '',
    sentMs: startedAtMs + at,
  }));
  const rows = [header, ...many, many[4_500]].map((one) => JSON.stringify(one));
  const { exchanges, notes } = parseLongTrace(bytesOf(rows.join('\n')));
  expect(JSON.stringify(exchanges)).toBe(JSON.stringify(many.map((one) => exchangeSchema.parse(one))));
  expect(notes).toHaveLength(1);
});

test('a copy of a stored exchange has fields of its own', () => {
  fc.assert(
    fc.property(exchange, (one) => {
      const [stored] = parseLongTrace(
        bytesOf([header, one].map((line) => JSON.stringify(line)).join('\n')),
      ).exchanges;
      const parsed = exchangeSchema.parse(JSON.parse(JSON.stringify(one)));
      expect({ ...plainExchange(stored as Exchange), path: '/' }).toEqual({ ...parsed, path: '/' });
    }),
    { numRuns: 50 },
  );
});

test.each([
  { index: -1 },
  { index: 0.5 },
  { node: -1 },
  { status: 2 ** 53 },
  { headers: null },
  { headers: [] },
])('an exchange of %j does not fit', (wrong) => {
  expect(fitsExchange(answered('a'))).toBe(true);
  expect(fitsExchange({ ...answered('a'), ...wrong })).toBe(false);
  expect(fitsExchange(null)).toBe(false);
});

test('what fits is what the schema parses', () => {
  const fields = Object.keys(exchangeSchema.shape);
  const odd = fc.constantFrom(
    null,
    undefined,
    '',
    'valid',
    0,
    -1,
    1.5,
    2 ** 53,
    true,
    false,
    [],
    {},
    'exchange',
  );
  fc.assert(
    fc.property(exchange, fc.constantFrom(...fields), odd, (one, field, value) => {
      const changed = { ...one, [field]: value };
      expect(fitsExchange(changed)).toBe(exchangeSchema.safeParse(changed).success);
    }),
    { numRuns: 2_000 },
  );
});

test('texts of which no two exchanges have the same are each read as what they are, however many', () => {
  const exchanges = Array.from({ length: 8_200 }, (_, at): Exchange => {
    const own = (name: string): string => `${name} ${at}.`;
    const shared = { purpose: own('purpose'), path: own('path'), server: own('server') };
    return {
      ...{ kind: 'exchange', ...asked, index: at, node: 0, requestId: own('id'), method: own('method') },
      ...{ sentMs: startedAtMs + at, receivedMs: startedAtMs + at, wallSentMs: null, wallReceivedMs: null },
      ...{ status: 429, outcome: 'limited', failure: null, contentType: null },
      ...{ retryAfter: own('retry'), date: own('date'), body: own('body') },
      headers: { limit: own('limit'), remaining: own('remaining'), reset: own('reset') },
      // More of them later on than those at the beginning let expect.
      ...(at > 4_100 ? { ...shared, scenario: own('scenario'), contentType: own('type') } : {}),
    };
  });
  const rows = [header, ...exchanges].map((one) => JSON.stringify(one)).join('\n');
  const { exchanges: read } = parseLongTrace(bytesOf(rows, 65_536));
  // One by one: how two of thousands differ takes long to say.
  const wrong = read.findIndex(
    (one, at) => JSON.stringify(plainExchange(one)) !== JSON.stringify(exchangeSchema.parse(exchanges[at])),
  );
  expect(wrong).toBe(-1);
});

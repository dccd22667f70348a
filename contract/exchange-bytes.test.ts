import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { ByteRow } from './byte-rows.ts';
import { type Exchange, exchangeSchema } from './exchange.ts';
import { ExchangeBytes, type ReadExchange } from './exchange-bytes.ts';
import { ExchangeStore, idOfRead } from './exchange-store.ts';

/** Texts of ASCII, some of them with characters that JSON escapes. */
const text = fc.oneof(
  fc.constantFrom('', '0', '7', '120', 'null', 'true', 'a "b"', 'c:\\d', '\\', '"', '\\"', '~', ' '),
  fc.string({ unit: 'grapheme-ascii', maxLength: 24 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 1_020, maxLength: 1_030 }),
);
const textOrNull = fc.option(text, { freq: 3 });

/** Numbers that JSON.stringify writes without an exponent. */
const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.5, -0.5, 0.000_001, 10, 100.01, 1_767_225_600_002.125),
  fc.constantFrom(999_999_999, 1_000_000_000, 10 ** 18 - 128, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2),
  fc
    .tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 6 }))
    .map(([whole, places]) => whole / 10 ** places),
  fc.double({ min: 0.000_001, max: 1e20, noNaN: true }),
  fc.double({ min: 0.000_001, max: 1e20, noNaN: true }).map((value) => -value),
);
const numberOrNull = fc.option(number);

/** Ids that end in a number, in none, in too long a one, and in zeros. */
const requestId = fc
  .tuple(fc.constantFrom('', 'r', 'r1-', '-', 'a0b', '~ '), fc.stringMatching(/^(0{0,3}[0-9]{0,12})$/))
  .map(([before, digits]) => before + digits);

const absentOr = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** As recorders write nearly all of them. */
const usual: fc.Arbitrary<Exchange> = fc
  .record({
    kind: fc.constant('exchange' as const),
    index: fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 31, 2 ** 53 - 1)),
    driver: fc.constantFrom('undici' as const, 'k6' as const),
    scenario: absentOr(text),
    clock: text,
    scope: fc.constantFrom('media' as const, 'standard' as const),
    route: fc.constantFrom('main' as const, 'other' as const),
    key: textOrNull,
    credential: fc.constantFrom('valid' as const, 'absent' as const),
    node: fc.nat(3),
    purpose: text,
    requestId,
    method: text,
    path: text,
    sentOnce: absentOr(fc.constant(true as const)),
    sentMs: number,
    receivedMs: numberOrNull,
    latencyMs: absentOr(numberOrNull),
    wallSentMs: numberOrNull,
    wallReceivedMs: numberOrNull,
    status: fc.option(fc.constantFrom(200, 429, 503, -1, 0)),
    headers: fc.record({ limit: textOrNull, remaining: textOrNull, reset: textOrNull }),
    retryAfter: textOrNull,
    date: textOrNull,
    contentType: textOrNull,
    server: absentOr(textOrNull),
    body: textOrNull,
    bodyState: absentOr(fc.constantFrom('whole' as const, 'partial' as const)),
    failure: textOrNull,
    outcome: fc.constantFrom('admitted' as const, 'limited' as const, 'indeterminate' as const),
  })
  .map((one) => JSON.parse(JSON.stringify(one)) as Exchange);

/** A row among others, in a buffer with something before it and behind it. */
function rowOf(line: string, isEnded = true): ByteRow {
  const before = '"}\n';
  const bytes = new TextEncoder().encode(`${before}${line}${isEnded ? '\n{"kind":"exchange"' : ''}`);
  const from = before.length;
  return { bytes, from, to: from + new TextEncoder().encode(line).length, isEnded };
}

/** A reader that has learnt the shapes of some exchanges, and where what it reads goes. */
function readerOf(...like: readonly Exchange[]) {
  const store = new ExchangeStore();
  const reader = new ExchangeBytes(store.texts);
  for (const one of like) reader.learn(JSON.stringify(one), one);
  return { reader, store };
}

/** What was read, as the store gives it back. */
function readBy(store: ExchangeStore, values: ReadExchange | null): Exchange | null {
  const shared = values === null ? null : store.sharedOfRead(values);
  if (values === null || shared === null) return null;
  const isNew = store.findId(idOfRead(values)) === -1;
  const at = store.addRead(values, shared, 1);
  if (isNew) expect(store.find(store.exchangeAt(at).requestId)).toBe(at);
  return JSON.parse(JSON.stringify(store.exchangeAt(at))) as Exchange;
}

function taught(...like: readonly Exchange[]) {
  const { reader, store } = readerOf(...like);
  const read = (line: string, isEnded = true) => readBy(store, reader.read(rowOf(line, isEnded)));
  return { read, reader };
}

test('lines of one shape are read from their bytes as JSON.parse reads them', () => {
  fc.assert(
    fc.property(usual, fc.array(usual, { maxLength: 4 }), (first, others) => {
      const { read } = taught(first);
      // With the same fields, so that they have its shape.
      const alike = others.map((other) =>
        Object.fromEntries(
          Object.entries(first).map(([name, value]) => [name, other[name as keyof Exchange] ?? value]),
        ),
      ) as unknown as readonly Exchange[];
      for (const one of [first, ...alike, first]) expect(read(JSON.stringify(one))).toEqual(one);
    }),
    { numRuns: 300 },
  );
});

const [example] = fc.sample(usual, { numRuns: 1, seed: 3 }) as [Exchange];
const plain: Exchange = {
  ...example,
  ...{ clock: 'c', key: 'A', purpose: 'fill', method: 'GET', path: '/', requestId: 'r1-1' },
  ...{ headers: { limit: '1', remaining: '0', reset: '2' }, retryAfter: null, date: null, contentType: null },
  ...{ body: null, failure: null, outcome: 'admitted' },
};

/** Spellings of values: those that JSON.stringify writes, others, and those that are no JSON. */
const spellings: readonly string[] = [
  ...[
    '0',
    '-0',
    '7',
    '10',
    '-1',
    '1.5',
    '-1.5',
    '1.50',
    '0.25',
    '00',
    '01',
    '-01',
    '00.5',
    '-',
    '--1',
    '+1',
    '',
    '.',
  ],
  ...[
    '1.',
    '-1.',
    '.5',
    '-.5',
    '1.2.3',
    '1..2',
    '1.2.',
    '1e3',
    '1E3',
    '1e-3',
    '1.5e3',
    '1.5E3',
    '1_0',
    '1:',
    '1/',
    'NaN',
  ],
  ...[
    '999999999',
    '1000000000',
    '1000000001',
    '-999999999',
    '-1000000000',
    '-2147483648',
    '-2147483647',
    '-2147483646',
    '123456789.5',
    '1234567890.25',
  ],
  ...[
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '90071992547409930.5',
    '123456789012345678',
  ],
  ...['999999999999999999', '1234567890123456789', '0.1234567890123456789', '1234567890.1234567890123456789'],
  ...[`1${'0'.repeat(308)}`, `1${'0'.repeat(400)}`, `-1${'0'.repeat(400)}`, `0.${'0'.repeat(30)}1`],
  ...['null', 'xull', 'nxll', 'nuxl', 'nulx', 'xxll', 'nul', 'nullx', 'true', 'xrue', 'trux', 'tru', 'false'],
  ...[
    '""',
    '"',
    '"a',
    'a"',
    'xa"',
    '"a""',
    '"a"b"',
    '"\\""',
    '"a\\\\"',
    '"\\"',
    '"\\u00e9"',
    '"\\u12"',
    '"\\q"',
    '"\\n"',
  ],
  ...['"é"', '"a\tb"', '"\u001f"', '"\u0020"', '"\u007f"', '"\u0080"', '"~"', '"r1-1\\u0031"', '"r\\u0031"'],
  ...[
    '"007"',
    '"0"',
    '"00"',
    '"r0"',
    '"r00"',
    '"r01"',
    '"r10"',
    '"9"',
    '"r/9"',
    '"r:9"',
    '"r1234567890"',
    '"1234567890"',
  ],
  ...['"r0123456789"', '"r999999999"', '"r1000000000"', '"r0000000001"', '"é1"', '"a\u001f1"', '"a\u00801"'],
  ...['"media"', '"limited"', '"none"', '[]', '{}', ' 1', '1 ', ' "a"'],
];

function parsed(line: string): Exchange | null {
  try {
    // As a report would write it.
    return JSON.parse(JSON.stringify(exchangeSchema.parse(JSON.parse(line)))) as Exchange;
  } catch {
    return null;
  }
}

const all: Exchange = JSON.parse(
  JSON.stringify({
    ...{ ...plain, scenario: 's', sentOnce: true, latencyMs: 1, server: 'x', bodyState: 'whole' },
    ...{ sentMs: 1, receivedMs: 2, wallSentMs: 3, wallReceivedMs: 4, status: 200, index: 1, node: 0 },
  }),
);
/** Texts that differ in one byte, wherever in it, or that go on where another ends. */
const likeText = fc
  .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), fc.constantFrom('#', '$', ''))
  .map(([length, at, by]) => {
    const whole = 'abcdefghi'.slice(0, length);
    return at < length ? whole.slice(0, at) + by + whole.slice(at + 1) : whole + by;
  });
const likeLine = fc.record({
  path: likeText,
  key: fc.option(likeText),
  requestId: likeText,
  body: fc.option(likeText),
  status: fc.constantFrom(200, 201, 429, null),
  sentMs: fc.constantFrom(1, 2, 12, 1.5),
  /** Without it lines have another shape, which is seen late. */
  server: fc.constantFrom('x', 'x', undefined),
});

test('lines one behind another in the same bytes are each read as they are, however alike, until these are filled anew', () => {
  const filling = fc.array(likeLine, { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(filling, { maxLength: 3 }), (drawn) => {
      const { server: _, ...others } = all;
      const { reader, store } = readerOf(all, others);
      const fillings = drawn.map((lines) =>
        lines.map(({ server, ...one }): Exchange => ({ ...(server === undefined ? others : all), ...one })),
      );
      const texts = fillings.map((exchanges) => exchanges.map((one) => `${JSON.stringify(one)}\n`).join(''));
      // The last line of the longest ends with the bytes.
      const bytes = new Uint8Array(Math.max(0, ...texts.map(({ length }) => length)));
      for (const [at, exchanges] of fillings.entries()) {
        new TextEncoder().encodeInto(texts[at] ?? '', bytes);
        let from = 0;
        for (const one of exchanges) {
          const to = from + JSON.stringify(one).length;
          const row = { bytes, from, to: Number.NaN, isEnded: true };
          expect(readBy(store, reader.read(row))).toEqual(one);
          expect(row.to).toBe(to);
          from = to + 1;
        }
      }
    }),
    { numRuns: 300 },
  );
});

/** Reads lines that stand one behind another in the same bytes. */
function readInTurn({ reader, store }: ReturnType<typeof readerOf>, lines: readonly string[]) {
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
  let from = 0;
  return lines.map((line) => {
    const row = { bytes, from, to: from + line.length, isEnded: true };
    from = row.to + 1;
    return readBy(store, reader.read(row));
  });
}

test('what stood in a line that was left to JSON.parse is not taken for that of a line after it', () => {
  for (const [value, unsafe] of [
    ['"status":200,', '"status":-2147483647,'],
    ['"index":1,', '"index":9007199254740992,'],
  ] as const) {
    const line = JSON.stringify(all);
    const lines = [line, line.replace(value, unsafe), line];
    expect(readInTurn(readerOf(all), lines)).toEqual([all, null, all]);
  }
});

test('a line that is no exchange is not taken for one in bytes that are new', () => {
  const { server: _, ...others } = all;
  const [one, other] = ['a', 'b'].map((end): Exchange => ({ ...others, server: 'x'.repeat(40) + end }));
  const taughtOne = readerOf(one as Exchange);
  const lines = [one, other].map((each) => JSON.stringify(each));
  expect(readInTurn(taughtOne, lines)).toEqual([one, other]);
  expect(readInTurn(taughtOne, [(lines[0] as string).replace('"exchange"', '"exchangf"')])).toEqual([null]);
});

test.each([0, 1, 2, 3, 4])(
  'a text of %i that ends with the bytes is not looked for beyond them',
  (length) => {
    const { body: _, ...others } = all;
    const endingIn = (body: string): Exchange => ({ ...others, body });
    const exchanges = [endingIn(`${'a'.repeat(length)}bbbbbbbb`), endingIn('a'.repeat(length))];
    const lines = exchanges.map((one) => JSON.stringify(one));
    expect(readInTurn(readerOf(...exchanges), lines)).toEqual(exchanges);
  },
);

const valuesOf = [...JSON.stringify(all).matchAll(/(?<=":)(?:"[^"]*"|[^",{}[\]]+)/g)].slice(1);

test.each(
  valuesOf.map((found) => [JSON.stringify(all).slice(0, found.index).split(/[,{]/).at(-1), found] as const),
)('whatever stands behind %s is read as JSON.parse reads it, or left to it', (_, found) => {
  const line = JSON.stringify(all);
  const { read } = taught(all);
  for (const spelling of spellings) {
    const changed = line.slice(0, found.index) + spelling + line.slice(found.index + found[0].length);
    const got = read(changed);
    if (got !== null) expect([spelling, got]).toEqual([spelling, parsed(changed)]);
  }
});

describe('left to JSON.parse are', () => {
  const line = JSON.stringify(plain);

  it('lines of a shape that has not been seen', () => {
    const { read } = taught();
    expect(read(line)).toBeNull();
    expect(taught(plain).read(line.replace('"route"', '"routf"'))).toBeNull();
    expect(taught(plain).read(`${line.slice(0, -1)},"more":1}`)).toBeNull();
    expect(taught(plain).read(`${line} `)).toBeNull();
    expect(taught(plain).read(line.slice(0, -1))).toBeNull();
  });

  it('the last row where no line break follows', () => {
    expect(taught(plain).read(line, false)).toBeNull();
  });

  it('lines that are like one that says more than an exchange has, or says it otherwise', () => {
    const wrong = [
      { ...plain, more: 'x' },
      { ...plain, headers: { ...plain.headers, more: null } },
      Object.fromEntries(Object.entries(plain).reverse()),
    ] as unknown as readonly Exchange[];
    for (const one of wrong) expect(taught(one).read(JSON.stringify(one))).toBeNull();
    const { reader } = taught();
    reader.learn(` ${line}`, plain);
    expect(reader.read(rowOf(line))).toBeNull();
  });

  it('not those whose headers stand in another order, once that was seen', () => {
    const { limit, remaining, reset } = plain.headers;
    const other = { ...plain, headers: { reset, remaining, limit } };
    const { read } = taught(plain, other);
    for (const one of [plain, other, plain]) expect(read(JSON.stringify(one))).toEqual(one);
  });

  it('more shapes than eight', () => {
    const optional = ['scenario', 'sentOnce', 'latencyMs', 'server'] as const;
    const { scenario: _, sentOnce: __, latencyMs: ___, server: ____, ...least } = plain;
    const all = { scenario: 's', sentOnce: true, latencyMs: 1, server: 'x' } as const;
    const shapes = Array.from(
      { length: 9 },
      (_, bits): Exchange => ({
        ...least,
        ...Object.fromEntries(
          optional.filter((_, at) => (bits >> at) % 2 === 1).map((name) => [name, all[name]]),
        ),
      }),
    );
    const { read } = taught(...shapes.slice(0, 1), ...shapes);
    const said = [...shapes, ...shapes].map((one) => read(JSON.stringify(one)) !== null);
    expect(said).toEqual([...shapes, ...shapes].map((_, at) => at % 9 < 8));
  });
});

describe('a text that is like the one before is not taken for it', () => {
  const read = taught(plain).read;
  const both = (changes: readonly Partial<Exchange>[]): void => {
    for (const change of changes) {
      const one = { ...plain, ...change };
      expect(read(JSON.stringify(one))).toEqual(one);
    }
  };

  it('where it is what stands before the text', () => {
    both([{ method: ':' }, { method: 'x' }, { requestId: ':5' }, { requestId: 'x6' }]);
  });

  it('where it goes on with digits of a number', () => {
    both([{ requestId: 'a-12345678901' }, { requestId: 'a-12345' }]);
  });
});

test('bytes that are no character, and a control character for a quote, are left to JSON.parse', () => {
  const { reader } = taught(plain);
  const line = JSON.stringify({ ...plain, requestId: 'abc' });
  const marked = [
    JSON.stringify({ ...plain, method: 'a#b' }),
    JSON.stringify({ ...plain, requestId: 'a#b' }),
    line.replace('"abc"', '"abc#'),
  ];
  expect(reader.read(rowOf(line))).not.toBeNull();
  for (const one of marked)
    for (const byte of [0x80, 0xff, 0x09, 0x1f]) {
      const row = rowOf(one);
      row.bytes[row.bytes.indexOf('#'.charCodeAt(0))] = byte;
      expect(reader.read(row)).toBeNull();
    }
});

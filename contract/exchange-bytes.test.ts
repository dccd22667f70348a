import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { ByteRow } from './byte-rows.ts';
import { type Exchange, exchangeSchema } from './exchange.ts';
import { ExchangeBytes } from './exchange-bytes.ts';
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
function taught(...like: readonly Exchange[]) {
  const store = new ExchangeStore();
  const reader = new ExchangeBytes(store.texts);
  for (const one of like) reader.learn(JSON.stringify(one), one);
  const read = (line: string, isEnded = true): Exchange | null => {
    const values = reader.read(rowOf(line, isEnded));
    const shared = values === null ? null : store.sharedOfRead(values);
    if (values === null || shared === null) return null;
    const isNew = store.findId(idOfRead(values)) === -1;
    const at = store.addRead(values, shared, 1);
    if (isNew) expect(store.find((store.exchanges[at] as Exchange).requestId)).toBe(at);
    return JSON.parse(JSON.stringify(store.exchanges[at])) as Exchange;
  };
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

/** Spellings of values: those that JSON.stringify writes, others, and those that are no JSON. */
const spelt = fc.oneof(
  fc.stringMatching(/^-?[0-9]{0,20}[.]?[0-9]{0,20}$/),
  fc.stringMatching(/^-?[0-9]{1,3}[.]?[0-9]{0,3}[eE][+-]?[0-9]{1,3}$/),
  fc.constantFrom(
    `1${'0'.repeat(400)}`,
    '1.2.3',
    '1..2',
    '--1',
    '+1',
    '.',
    '-',
    '',
    ' 1',
    '1 ',
    '1_0',
    'NaN',
  ),
  fc.constantFrom('null', 'nul', 'nulL', 'Null', 'nullx', 'nall', 'nuul', 'true', 'truth', 'tru', 'false'),
  fc.stringMatching(/^"[a-z\\"/ ]{0,6}"?$/),
  fc.constantFrom(
    '"\\u00e9"',
    '"\\u12"',
    '"é"',
    '"a\tb"',
    '"\u007f"',
    '"\u0080"',
    '"\\n"',
    '"\\q"',
    '"',
    '""',
  ),
  fc.constantFrom('"r1-1\\u0031"', '"r1-007"', '"r1-7"', '"7"', '[]', '{}', '"media"', '"limited"', '"none"'),
);

test('whatever stands in the place of a value is read as JSON.parse reads it, or left to it', () => {
  fc.assert(
    fc.property(usual, fc.nat(40), spelt, (one, place, value) => {
      const { read } = taught(one);
      const line = JSON.stringify(one);
      const values = [...line.matchAll(/(?<=":)(?:"(?:[^"\\]|\\.)*"|[^",{}[\]]+)/g)];
      const found = values[1 + (place % (values.length - 1))] as RegExpExecArray;
      const changed = line.slice(0, found.index) + value + line.slice(found.index + found[0].length);
      const got = read(changed);
      if (got !== null) expect(got).toEqual(exchangeSchema.parse(JSON.parse(changed)));
    }),
    { numRuns: 1_500 },
  );
});

const [example] = fc.sample(usual, { numRuns: 1, seed: 3 }) as [Exchange];
const plain: Exchange = {
  ...example,
  ...{ clock: 'c', key: 'A', purpose: 'fill', method: 'GET', path: '/', requestId: 'r1-1' },
  ...{ headers: { limit: '1', remaining: '0', reset: '2' }, retryAfter: null, date: null, contentType: null },
  ...{ body: null, failure: null, outcome: 'admitted' },
};

describe('left to JSON.parse are', () => {
  const line = JSON.stringify(plain);

  it('lines of a shape that has not been seen', () => {
    const { read } = taught();
    expect(read(line)).toBeNull();
    expect(taught(plain).read(line.replace('"route"', '"rout"'))).toBeNull();
    expect(taught(plain).read(`${line.slice(0, -1)},"more":1}`)).toBeNull();
    expect(taught(plain).read(`${line} `)).toBeNull();
    expect(taught(plain).read(line.slice(0, -1))).toBeNull();
  });

  it('the last row where no line break follows', () => {
    expect(taught(plain).read(line, false)).toBeNull();
  });

  it('lines that are like one that says more than an exchange has, or says it otherwise', () => {
    const wrong = [
      { ...plain, more: 1 },
      { ...plain, headers: { ...plain.headers, more: null } },
      Object.fromEntries(Object.entries(plain).reverse()),
    ] as unknown as readonly Exchange[];
    for (const one of wrong) expect(taught(one).read(JSON.stringify(one))).toBeNull();
    const { reader } = taught();
    reader.learn(` ${line}`, plain);
    expect(reader.read(rowOf(line))).toBeNull();
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
    const { read } = taught(...shapes, ...shapes.slice(0, 1));
    const said = [...shapes, ...shapes].map((one) => read(JSON.stringify(one)) !== null);
    expect(said).toEqual([...shapes, ...shapes].map((_, at) => at % 9 < 8));
  });
});

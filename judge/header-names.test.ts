import { describe, expect, it } from 'vitest';
import { type Headers, headersSchema } from '../contract/document/headers.ts';
import { messagingDocument } from '../contract/document/messaging.ts';
import type { Exchange } from '../contract/exchange.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, limited, originMs, traceOf } from './testing/traces.ts';

const units = ['epoch-seconds', 'epoch-ms', 'seconds', 'ms', 'duration', 'date'] as const;

const forms: Readonly<Record<string, string>> = {
  date: 'date with its zone',
  duration: 'duration, as 1m30s',
};

const namesOf = (unit: (typeof units)[number], on: 'all' | 'admitted' | 'limited' = 'all') =>
  headersSchema.parse({
    limit: 'Quota',
    remaining: 'Quota-Left',
    reset: { name: 'Quota-Reset', unit },
    on,
  });

function verdictsOn(headers: Headers, exchanges: readonly Exchange[]) {
  const trace = traceOf(exchanges);
  const deployment = { ...trace.header.deployment, document: { ...messagingDocument, headers } };
  const { clauses } = judgeTrace({ ...trace, header: { ...trace.header, deployment } });
  return (id: string) => clauses.find(({ clause }) => clause === id)?.verdict;
}

/** A moment so many seconds after the request, as a unit writes it. */
const written: Readonly<Record<(typeof units)[number], (seconds: number) => string>> = {
  'epoch-seconds': (seconds) => String(Math.ceil(originMs / 1_000 + seconds)),
  'epoch-ms': (seconds) => String(originMs + seconds * 1_000),
  seconds: (seconds) => String(seconds),
  ms: (seconds) => String(seconds * 1_000),
  duration: (seconds) => `${Math.floor(seconds / 60)}m${seconds % 60}s`,
  date: (seconds) => new Date(originMs + seconds * 1_000).toUTCString(),
};

describe.each(units)('a reset in %s', (unit) => {
  const resetOf = (reset: string) =>
    verdictsOn(namesOf(unit), [admitted(0, 5, { reset }), admitted(10, 15, { reset })])('headers.reset');

  it.each([0, 30, 60, 61])('may be %d s away', (seconds) =>
    expect(resetOf(written[unit](seconds))).toMatchObject({ kind: 'held' }),
  );

  it('is no more than a window away', () =>
    expect(resetOf(written[unit](90))).toMatchObject({
      kind: 'violated',
      reason: 'beyond-window',
      evidence: { observed: expect.stringMatching(/^Quota-Reset /) },
    }));

  it('is of this unit', () =>
    expect(resetOf('soon')).toMatchObject({
      kind: 'violated',
      reason: 'not-an-integer',
      evidence: {
        expected: `Quota-Reset is a ${forms[unit] ?? 'plain decimal integer'}`,
      },
    }));

  it('does not change what the others are', () =>
    expect(
      verdictsOn(namesOf(unit), [admitted(0, 5, { remaining: 'x' })])('headers.remaining'),
    ).toMatchObject({ evidence: { expected: 'Quota-Left is a plain decimal integer' } }));
});

it('seconds to go are at most a window and what rounding adds, whatever the clocks are', () => {
  const resetOf = (reset: string) =>
    verdictsOn(namesOf('seconds'), [admitted(0, 5, { reset })])('headers.reset');
  expect(resetOf('62')).toMatchObject({ kind: 'held' });
  expect(resetOf('63')).toMatchObject({
    kind: 'violated',
    reason: 'beyond-window',
    evidence: { expected: 'seconds to go from now to 60 s from now' },
  });
});

it('what is late by a clock is told with how far that may be off', () => {
  const reset = written['date'](90);
  expect(verdictsOn(namesOf('date'), [admitted(0, 5, { reset })])('headers.reset')).toMatchObject({
    evidence: { expected: 'a date with its zone from now to 60 s from now (clock offset up to 5 s allowed)' },
  });
});

it.each([
  [
    'epoch-seconds',
    `${originMs / 1_000 + 30}.250`,
    '1 value between now and one window from now; 1 with a fraction of a second',
  ],
  ['epoch-seconds', written['epoch-seconds'](30), '1 value between now and one window from now'],
  ['date', written['date'](30), '1 value between now and one window from now'],
] as const)('of %s, %s may have a fraction or not', (unit, reset, summary) => {
  const verdict = verdictsOn(namesOf(unit), [admitted(0, 5, { reset })])('headers.reset');
  expect(verdict).toEqual({ kind: 'held', summary });
});

it('moments in milliseconds told in seconds are long past', () => {
  const reset = written['epoch-seconds'](30);
  expect(verdictsOn(namesOf('epoch-ms'), [admitted(0, 5, { reset })])('headers.reset')).toMatchObject({
    kind: 'violated',
    reason: 'past',
  });
});

describe('what a reset means', () => {
  const saying = (reset: string) => [
    admitted(7_000, 7_005, { reset }),
    admitted(17_000, 17_005, { reset }),
    limited(27_000, 27_005, { reset }),
  ];
  const meaningOf = (unit: (typeof units)[number], reset: string) =>
    verdictsOn(namesOf(unit), saying(reset))('headers.reset-meaning');

  it('is told in seconds to go from each answer on', () =>
    expect(meaningOf('seconds', '60')).toEqual({ kind: 'observed', value: 'one window from now' }));

  it.each([
    ['date', 'dates'],
    ['seconds', 'numbers'],
  ] as const)('is open where no answer tells one in %s', (unit, called) =>
    expect(meaningOf(unit, 'soon')).toMatchObject({
      kind: 'inconclusive',
      reason: `no full window carried ${called} in Quota-Reset`,
    }),
  );
});

describe('answers on which nothing is promised', () => {
  const without = { limit: null, remaining: null, reset: null };
  const told = { reset: '30' };

  it('are not judged: 429s where headers are promised on what is admitted', () => {
    const of = verdictsOn(namesOf('seconds', 'admitted'), [admitted(0, 5, told), limited(10, 15, without)]);
    expect(of('headers.present')).toMatchObject({ kind: 'held' });
    expect(of('headers.remaining-on-429')).toBeUndefined();
  });

  it('are not judged: what is admitted where they are promised on 429s', () => {
    const exchanges = [admitted(0, 5, without), limited(10, 15, told)];
    const of = verdictsOn(namesOf('seconds', 'limited'), exchanges);
    expect(of('headers.present')).toMatchObject({ kind: 'held' });
    expect(of('headers.remaining')).toBeUndefined();
  });

  it('leave it open whether the others carry them', () =>
    expect(
      verdictsOn(namesOf('seconds', 'limited'), [admitted(0, 5, without)])('headers.present'),
    ).toMatchObject({ kind: 'inconclusive' }));
});

it('a header that is promised is missing under its own name', () => {
  const of = verdictsOn(namesOf('seconds'), [admitted(0, 5, { reset: null })]);
  expect(of('headers.present')).toMatchObject({
    kind: 'violated',
    evidence: { observed: expect.stringContaining('Quota-Reset missing') },
  });
});

describe('headers that are promised', () => {
  const two = headersSchema.parse({ limit: 'Quota', remaining: 'Quota-Left' });
  const three = namesOf('seconds');

  it.each([
    [two, {}, 'Quota and Quota-Left on 1 answer'],
    [two, { reset: null }, 'Quota and Quota-Left on 1 answer'],
    [three, { reset: '30' }, 'all three on 1 answer'],
  ])('of %j are named where they are there', (headers, given, text) =>
    expect(verdictsOn(headers, [admitted(0, 5, given)])('headers.present')).toMatchObject({
      kind: 'held',
      summary: text,
    }),
  );

  it.each([
    [two, 'Quota and Quota-Left on every response'],
    [three, 'all three rate-limit headers on every response'],
  ])('of %j are named where one is missing', (headers, expected) =>
    expect(verdictsOn(headers, [admitted(0, 5, { remaining: null })])('headers.present')).toMatchObject({
      kind: 'violated',
      evidence: { expected, observed: expect.stringMatching(/^Quota-Left missing on 1 of 1 /) },
    }),
  );
});

describe('one field with three figures', () => {
  const verdictOf = (field: string | null) =>
    verdictsOn('ietf-draft-7', [admitted(0, 5, { limit: field, remaining: field, reset: field })]);

  it('is read as they are', () => {
    const verdict = verdictOf('limit=30, remaining=29, reset=60');
    for (const id of ['headers.present', 'headers.limit', 'headers.remaining', 'headers.reset'])
      expect(verdict(id), id).toMatchObject({ kind: 'held' });
  });

  it.each([
    ['limit=120, remaining=29, reset=60', 'headers.limit', '120 (1 of'],
    ['limit=30, remaining=30, reset=60', 'headers.remaining', '30 (1 answer'],
    ['limit=30, remaining=29, reset=90', 'headers.reset', 'RateLimit (reset) 90'],
    ['limit=30, remaining=29', 'headers.present', 'RateLimit (reset)'],
    ['limit 300', 'headers.limit', '"limit 300"'],
    [null, 'headers.present', 'RateLimit (limit), RateLimit (remaining), RateLimit (reset)'],
  ])('%j violates %s', (field, id, observed) =>
    expect(verdictOf(field)(id)).toMatchObject({
      kind: 'violated',
      evidence: { observed: expect.stringContaining(observed) },
    }),
  );
});

describe('a number at the head of a list', () => {
  const headers = headersSchema.parse({
    limit: { name: 'Quota', as: 'list' },
    remaining: { name: 'Quota-Left', as: 'list' },
  });
  const verdictOf = (limit: string, remaining: string) =>
    verdictsOn(headers, [admitted(0, 5, { limit, remaining })]);

  it.each([
    ['30, 30;w=60', '29;w=60'],
    ['30', '29.0'],
  ])('is read: %j, %j', (limit, remaining) => {
    expect(verdictOf(limit, remaining)('headers.limit')).toMatchObject({ kind: 'held' });
    expect(verdictOf(limit, remaining)('headers.remaining')).toMatchObject({ kind: 'held' });
  });

  it('is judged as it is', () => {
    expect(verdictOf('120, 30;w=60', '30;w=60')('headers.limit')).toMatchObject({ kind: 'violated' });
    expect(verdictOf('120, 30;w=60', '30;w=60')('headers.remaining')).toMatchObject({ kind: 'violated' });
  });

  it('is no list where none is promised', () => {
    const plain = headersSchema.parse({ limit: 'Quota' });
    expect(verdictsOn(plain, [admitted(0, 5, { limit: '30, 30;w=60' })])('headers.limit')).toMatchObject({
      reason: 'not-an-integer',
    });
  });
});

describe('what was used tells what remains', () => {
  const used = headersSchema.parse({ limit: 'Quota', remaining: { name: 'Quota-Used', as: 'used' } });
  const ratio = headersSchema.parse({ remaining: { name: 'Calls', as: 'used-of-limit' } });
  const counting = (headers: Headers, said: (used: number) => Partial<Exchange['headers']>) =>
    verdictsOn(
      headers,
      [1, 2, 3].map((count) => admitted(10 * count, 10 * count + 5, said(count))),
    );

  it.each([
    ['beside the limit', used, (count: number) => ({ limit: '30', remaining: String(count) })],
    ['before the limit', ratio, (count: number) => ({ limit: `${count}/30`, remaining: `${count}/30` })],
  ])('%s', (_what, headers, said) => {
    const verdictOn = counting(headers, said);
    expect(verdictOn('headers.limit')).toMatchObject({ kind: 'held' });
    expect(verdictOn('headers.remaining')).toMatchObject({ kind: 'held' });
  });

  it.each([
    [
      'one less, beside the limit',
      used,
      (count: number) => ({ limit: '30', remaining: String(count - 1) }),
      ['headers.remaining', /^Quota-Used \(remaining\)/],
    ],
    [
      'of another limit',
      ratio,
      (count: number) => ({ limit: `${count}/31`, remaining: `${count}/31` }),
      ['headers.limit', /^Calls \(limit\)/],
    ],
    [
      'without its limit',
      ratio,
      (count: number) => ({ limit: String(count), remaining: String(count) }),
      ['headers.limit', /^Calls \(limit\) is a plain decimal integer$/],
    ],
  ] as const)('%s is violated', (_what, headers, said, [clause, expected]) => {
    expect(counting(headers, said)(clause)).toMatchObject({
      kind: 'violated',
      evidence: { expected: expect.stringMatching(expected) },
    });
  });
});

describe('a reset that refusals alone carry', () => {
  const headers = headersSchema.parse({
    limit: 'Quota',
    reset: { name: 'Quota-Reset', unit: 'seconds', on: 'limited' },
  });
  const bare = { limit: '30', remaining: null, reset: null };
  const verdictOn = (...exchanges: readonly Exchange[]) => verdictsOn(headers, exchanges);

  it('is missing on admissions, and judged by no value there', () => {
    const said = verdictOn(admitted(0, 5, bare), admitted(10, 15, { ...bare, reset: 'soon' }));
    expect(said('headers.present')).toMatchObject({ kind: 'held' });
    expect(said('headers.reset')).toMatchObject({ kind: 'inconclusive' });
  });

  it('is judged on refusals', () => {
    const refused = (reset: string | null) => limited(20, 25, { ...bare, reset });
    expect(verdictOn(admitted(0, 5, bare), refused('30'))('headers.reset')).toMatchObject({ kind: 'held' });
    expect(verdictOn(admitted(0, 5, bare), refused('90'))('headers.reset')).toMatchObject({
      reason: 'beyond-window',
    });
    expect(verdictOn(admitted(0, 5, bare), refused(null))('headers.present')).toMatchObject({
      reason: 'missing-on-429',
      evidence: { observed: expect.stringMatching(/^Quota-Reset missing on 1 of 2 answers/) },
    });
  });
});

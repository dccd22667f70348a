import { expect, test } from 'vitest';
import { headersSchema } from '../../contract/document/headers.ts';
import { readHeadersOf } from './document-headers.ts';
import { type ReadHeaders, type SaidOfLimit, seenHeaders, usualHeaders } from './headers.ts';

type Given = Readonly<Record<string, string>>;

const said = (read: ReadHeaders, given: Given) => read((name) => given[name] ?? null);
const nothing: SaidOfLimit = { limit: null, remaining: null, reset: null };

const gateway = {
  limit: { name: 'Quota', as: 'list' },
  remaining: 'Quota-Left',
  reset: { name: 'Quota-Reset', unit: 'duration' },
};

test.each<readonly [string, unknown, Given, SaidOfLimit]>([
  [
    'the field of draft 7',
    'ietf-draft-7',
    { RateLimit: 'limit=100, remaining=5, reset=30' },
    { limit: 100, remaining: 5, reset: { seconds: 30, after: 'answer' } },
  ],
  [
    'the fields of the newest draft',
    'ietf',
    { 'RateLimit-Policy': '"a";q=100;w=60', RateLimit: '"a";r=5' },
    { limit: 100, remaining: 5, reset: null },
  ],
  [
    'lists and durations',
    gateway,
    { Quota: '100, 100;w=60', 'Quota-Left': '5', 'Quota-Reset': '1m0.5s' },
    { limit: 100, remaining: 5, reset: { seconds: 60.5, after: 'answer' } },
  ],
  [
    'what a document leaves out',
    { remaining: 'Quota-Left' },
    { Quota: '100', 'Quota-Left': '5' },
    { ...nothing, remaining: 5 },
  ],
  [
    'a moment in ms',
    { reset: { name: 'Quota-Reset', unit: 'epoch-ms' } },
    { 'Quota-Reset': '1792180805250' },
    { ...nothing, reset: { seconds: 1_792_180_805.25, after: '1970' } },
  ],
  ['what is no number', gateway, { Quota: 'many', 'Quota-Left': '-1', 'Quota-Reset': '60' }, nothing],
  ['nothing', gateway, {}, nothing],
])('%s', (_what, headers, given, expected) =>
  expect(said(readHeadersOf({ headers: headersSchema.parse(headers) }), given)).toEqual(expected),
);

test('the usual three are read as the messaging document has them', () => {
  const given = {
    'X-RateLimit-Limit': '30',
    'X-RateLimit-Remaining': '2',
    'X-RateLimit-Reset': '1792180805',
  };
  const expected = { limit: 30, remaining: 2, reset: { seconds: 1_792_180_805, after: '1970' } };
  expect(said(usualHeaders, given)).toEqual(expected);
  expect(said(readHeadersOf({ headers: 'x-ratelimit' }), given)).toEqual(expected);
});

test('a reader’s figures that are none are left out', () => {
  const read = () => ({
    limit: Number('many'),
    remaining: Number.NaN,
    reset: { seconds: Number.NaN, after: 'answer' } as const,
  });
  const none = { limit: null, remaining: null, resetMs: null };
  expect(seenHeaders({}, read, { nowMs: 0, wallMs: 0 })).toEqual(none);
});

test('a reset is told by our clock: of a moment since 1970 by how far that of the service is off', () => {
  const moment = { nowMs: 5_000, wallMs: 1_792_180_800_000 };
  const resetMs = (reset: SaidOfLimit['reset'], date?: string) =>
    seenHeaders(date === undefined ? {} : { date }, () => ({ ...nothing, reset }), moment).resetMs;
  expect(resetMs({ seconds: 30, after: 'answer' }, new Date(0).toUTCString())).toBe(35_000);
  const inFive = { seconds: 1_792_180_805, after: '1970' } as const;
  expect(resetMs(inFive)).toBe(10_000);
  expect(resetMs(inFive, new Date(1_792_180_804_000).toUTCString())).toBe(6_000);
  expect(resetMs(null)).toBeNull();
});

import { expect, test } from 'vitest';
import type { Candidate, Identification } from '../../contract/identification.ts';
import type { Row } from './examine.ts';
import { galleryPage } from './page.ts';
import { cellsOf } from './table.ts';

const bucket: Candidate = {
  algorithm: 'leaky-bucket',
  limit: 6,
  windowSeconds: { value: 12, low: 11.9, high: 12.104 },
  phaseSeconds: null,
  granularitySeconds: null,
  rejectionsCount: null,
};

const found: Identification = {
  ...bucket,
  perSecondCap: null,
  shorterWindow: null,
  contradictions: 0,
  remarks: [],
  nearest: null,
  tied: [],
  notRuledOut: [],
  requests: 80,
  seconds: 64,
};

function row(identification: Identification, isRight: boolean): Row {
  const contract = {
    kept: 'no',
    violated: [],
    open: ['limits.per-key'],
    breaks: ['no X-RateLimit headers'],
  } as const;
  const result = { state: 'examined', identification, isRight, contract, seconds: 64 } as const;
  return { library: 'a|b', setting: '', version: '1.2.3', expected: ['leaky-bucket'], result };
}

test('a row says what was found, within which bounds, and what breaks', () => {
  expect(cellsOf(row(found, true))).toEqual([
    'a|b',
    '1.2.3',
    'leaky-bucket',
    '6',
    '12 s (11.9–12.1)',
    'no',
    'no X-RateLimit headers',
  ]);
});

test('explanations that fit equally well stand together, each with its parameters', () => {
  const open: Candidate = {
    ...bucket,
    algorithm: 'two-bucket',
    windowSeconds: { value: 2, low: 1, high: null },
  };
  const tied = {
    ...found,
    algorithm: ['leaky-bucket', 'two-bucket'],
    tied: [bucket, open],
  } satisfies Identification;
  const cells = cellsOf(row(tied, true));
  expect(cells.slice(2, 5)).toEqual(['leaky-bucket or two-bucket', '6', '12 s (11.9–12.1) or at least 1 s']);
});

test('a limiter that is something else is said to be named wrongly', () => {
  const unknown: Identification = {
    ...found,
    algorithm: 'unidentified',
    limit: null,
    windowSeconds: null,
    nearest: { ...bucket, algorithm: 'two-bucket' },
    contradictions: 3,
  };
  expect(cellsOf(row(unknown, false)).slice(2, 5)).toEqual([
    'unidentified (nearest: two-bucket, 3 contradictions) (wrong: it is leaky-bucket)',
    '–',
    '–',
  ]);
});

test('a row that did not run says what to do, and the page stays a table', () => {
  const result = { state: 'not-run', reason: 'not installed: apt-get install x' } as const;
  const missing: Row = { library: 'a|b', setting: '', version: null, expected: [], result };
  expect(cellsOf(missing).at(-1)).toBe('not installed: apt-get install x');
  const page = galleryPage({ rows: [missing], version: '0.1.0', nodeVersion: '26' });
  expect(page).toContain('| a\\|b | – | not run | – | – | – | not installed: apt-get install x |');
});

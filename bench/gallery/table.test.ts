import { expect, test } from 'vitest';
import type { Candidate, Identification } from '../../contract/identification.ts';
import { identified } from '../../contract/testing/identification.ts';
import type { Row } from './examine.ts';
import { type Grade, gradeOf } from './grade.ts';
import { galleryPage } from './page.ts';
import { ruleOf } from './rule.ts';
import { cellsOf } from './table.ts';
import { truthOf } from './truth.ts';

const bucket: Candidate = {
  algorithm: 'leaky-bucket',
  limit: 6,
  windowSeconds: { value: 12, low: 11.9, high: 12.104 },
  phaseSeconds: null,
  granularitySeconds: null,
  rejectionsCount: null,
};

const found = identified({ ...bucket, requests: 80, seconds: 64.4 });

const rule = ruleOf(30, 60);
const truth = truthOf('leaky bucket', 'a file', { limit: 6, windowSeconds: 12 })(rule);

function row(identification: Identification, grade: Grade = gradeOf(identification, truth)): Row {
  const contract = {
    kept: 'no',
    violated: [],
    open: ['limits.per-key'],
    breaks: ['no X-RateLimit headers'],
  } as const;
  const result = { state: 'examined', identification, remarks: [], grade, contract } as const;
  return { library: 'a|b', origin: 'Go', setting: '', version: '1.2.3', rule, truth, result };
}

test('a row says what it is, what was found, within which bounds, at what cost, and what breaks', () => {
  expect(cellsOf(row(found))).toEqual([
    'a|b',
    '1.2.3',
    'Go',
    '30 in 60 s',
    'leaky bucket',
    'token bucket / GCRA, or leaky bucket as a meter',
    'right',
    '6',
    '12 s (11.9–12.1)',
    '64 s, 80',
    'no: no X-RateLimit headers',
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
  expect(cellsOf(row(tied)).slice(5, 9)).toEqual([
    'token bucket / GCRA, or leaky bucket as a meter or sliding window counter',
    'tie with the truth',
    '6',
    '12 s (11.9–12.1) or at least 1 s',
  ]);
});

test('a limit and a window that are not the truth are said to be wrong', () => {
  const off = { ...found, limit: 7, windowSeconds: { value: 11, low: 10, high: 11.5 } };
  expect(cellsOf(row(off)).slice(6, 9)).toEqual(['right', '7 (wrong)', '11 s (10–11.5) (wrong)']);
});

test('a shorter window on top is said once, and what the run left open is named', () => {
  const shorterWindow = { limit: 12, windowSeconds: 1 };
  const stacked = row({ ...found, perSecondCap: 12, shorterWindow });
  expect(cellsOf(stacked)[5]).toMatch(/, and 12 in 1 s$/);
  expect(cellsOf(stacked)[5]).not.toContain('a second');
  const contract = { kept: 'open', violated: [], open: ['window.length'], breaks: [] } as const;
  const result = { ...stacked.result, contract } as Row['result'];
  expect(cellsOf({ ...stacked, result }).at(-1)).toBe('not decided: window.length');
});

test('a limiter without a name comes with the nearest one', () => {
  const unknown: Identification = {
    ...found,
    algorithm: 'unidentified',
    limit: null,
    windowSeconds: null,
    nearest: { ...bucket, algorithm: 'two-bucket' },
    contradictions: 3,
  };
  expect(cellsOf(row(unknown)).slice(5, 9)).toEqual([
    'none of the known limiters (nearest: sliding window counter, 3 contradictions)',
    'not named',
    '–',
    '–',
  ]);
});

const facts = { version: '0.1.0', nodeVersion: '26', minutes: 9, atOnce: 16 };

test('where nothing could be said stands why', () => {
  const examined = row(found).result;
  const result = {
    ...examined,
    identification: null,
    remarks: ['it refused nothing'],
    grade: gradeOf(null, truth),
  };
  expect(cellsOf({ ...row(found), result } as Row).slice(5, 7)).toEqual(['it refused nothing', 'not named']);
});

test('a row that did not run says what to do, and the page stays a table', () => {
  const result = { state: 'not-run', reason: 'not installed: apt-get install x' } as const;
  const missing: Row = { ...row(found), version: null, result };
  expect(cellsOf(missing)[5]).toBe('not run: not installed: apt-get install x');
  const page = galleryPage({ ...facts, rows: [missing] });
  expect(page).toContain(
    '| a\\|b | – | Go | 30 in 60 s | leaky bucket | not run: not installed: apt-get install x |',
  );
});

test('the page counts what was named', () => {
  const wrong = row({ ...found, algorithm: 'two-bucket' });
  const elsewhere = row({ ...found, limit: 7 });
  const page = galleryPage({ ...facts, rows: [row(found), wrong, elsewhere] });
  expect(page).toContain(
    '**2 of 3 were named, 0 in a tie with others that explain the answers equally well,',
  );
  expect(page).toContain('1 wrongly, and 0 not at all.**');
  expect(page).toContain('the limit was right for\n1 and the window for 2.');
});

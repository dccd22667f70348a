import { expect, it } from 'vitest';
import { noPictures } from '../../contract/no-pictures.ts';
import type { Timeline } from '../../contract/pictures.ts';
import { reportOf } from '../testing/fixtures.ts';
import { layoutOf } from './layout.ts';
import { windowLines } from './window-lines.ts';

const noMarks: Timeline['marks'] = {
  sentMs: [],
  receivedMs: [],
  outcome: [],
  count: [],
  status: [],
  purpose: [],
  requestId: [],
  remaining: [],
  remainingLow: [],
  remainingHigh: [],
  resetAheadSeconds: [],
  firstBackSeconds: [],
  allBackSeconds: [],
};

/** Half full from the start, full from the middle on, and surely over the limit in the last quarter. */
const timeline: Timeline = {
  scope: 'standard',
  key: 'A',
  limit: 120,
  originMs: 0,
  endMs: 48_000,
  rejectionsCount: false,
  inWindow: { atMs: [0, 24_000], certain: [60, 120], possible: [60, 120] },
  over: { fromMs: [36_500], toMs: [48_000], certain: [121] },
  purposes: [],
  exchangesPerMark: 1,
  marks: noMarks,
};

const group = {
  scope: 'standard',
  key: 'A',
  sent: 130,
  admitted: 120,
  limited: 10,
  refused: 0,
  indeterminate: 0,
  windowMs: null,
  rejections: 'unknown',
  latencyMs: null,
} as const;

const report = { ...reportOf(), groups: [group], pictures: { ...noPictures, timelines: [timeline] } };

it('draws how full the window was, within 80 columns', () => {
  const [, head, line] = windowLines(report, layoutOf({ columns: 80, colour: 'never' }));
  expect(head).toBe('In the window, over 48 s');
  expect(line).toBe(`standard, key A  ${'▄'.repeat(24)}${'█'.repeat(24)}  of 120`);
});

it('paints where the limit was surely passed', () => {
  const paint = (style: unknown, text: string): string => (style === 'bad' ? '!' : text);
  const [, , line] = windowLines(report, { columns: 80, paint });
  expect(line).toBe(`standard, key A  ${'▄'.repeat(24)}${'█'.repeat(12)}${'!'.repeat(12)}  of 120`);
});

it('leaves blank when a scope was not used, on the clock of all of them', () => {
  const later = { ...timeline, scope: 'media', originMs: 24_000, endMs: 12_000 } as const;
  const both = {
    ...report,
    groups: [group, { ...group, scope: 'media' as const }],
    pictures: { ...noPictures, timelines: [timeline, later] },
  };
  const [, , , line] = windowLines(both, layoutOf({ columns: 80, colour: 'never' }));
  expect(line).toBe(`media, key A     ${' '.repeat(24)}${'▄'.repeat(12)}${' '.repeat(12)}  of 120`);
});

it('shows a few of many keys, and says so', () => {
  const keys = Array.from({ length: 9 }, (_, at) => `key-${at}`);
  const many = {
    ...report,
    groups: keys.map((key) => ({ ...group, key })),
    pictures: { ...noPictures, timelines: keys.map((key) => ({ ...timeline, key })) },
  };
  const lines = windowLines(many, layoutOf({ columns: 80, colour: 'never' }));
  expect(lines).toHaveLength(8);
  expect(lines[1]).toBe('In the window, over 48 s (3 more are on the page)');
});

it('says nothing of a scope that was not filled', () => {
  expect(windowLines(reportOf(), layoutOf({ columns: 80, colour: 'never' }))).toEqual([]);
});

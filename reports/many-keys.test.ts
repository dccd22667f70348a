import { expect, test } from 'vitest';
import type { GroupMeasure } from '../contract/judgement.ts';
import { historyLineOf } from './history/history-line.ts';
import { renderMarkdown } from './markdown.ts';
import { verdictSection } from './page/verdict-section.ts';
import { shownGroups } from './shown-groups.ts';
import { renderTerminal } from './terminal.ts';
import { identifiedStandard, reportOf } from './testing/fixtures.ts';

/** A comment on a pull request holds so many characters. */
const commentCharactersMax = 65_536;

const keys = Array.from({ length: 1_000 }, (_, at) => `key-${at}`);
const scopes = ['standard', 'messages', 'media'];

const measure = (scope: string, key: string): GroupMeasure => ({
  scope,
  key,
  sent: scope === 'messages' ? 390 : 40,
  admitted: 30,
  limited: 10,
  refused: 0,
  indeterminate: 0,
  windowMs: { low: 59_900, high: 60_100 },
  rejections: 'unknown',
  latencyMs: { p50: 2, p99: 4, max: 5 },
});

const named = { ...identifiedStandard, windowSeconds: { value: 60, low: 59.9, high: 60.1 } };
const report = {
  ...reportOf(),
  keys: keys.map((alias, at) => ({ alias, env: at === 0 ? 'FIRST_KEY' : '' })),
  groups: keys.flatMap((key) => scopes.map((scope) => measure(scope, key))),
  identified: [{ ...named, scope: 'standard', key: 'key-700' }],
  identifiedLeftOut: 2_999,
};

test('tables show some of each scope, those whose limiter is known before all others', () => {
  const { shown, rest } = shownGroups(report.groups, report);
  expect([shown.length, rest.length]).toEqual([29, 2_971]);
  expect(shown.filter(({ scope }) => scope === 'media').length).toBeGreaterThan(8);
  expect(shown).toContainEqual(measure('standard', 'key-700'));
  expect(rest).not.toContainEqual(measure('standard', 'key-700'));
});

test('the summary fits into a comment, and says where the others are', () => {
  const text = renderMarkdown(report);
  expect(text.length).toBeLessThan(commentCharactersMax / 4);
  expect(text).toMatch(/^\| standard, key key-700 \|.*fixed window/m);
  expect(text).toContain('\n\n2,971 more keys and scopes: see report.json.\n\n');
  expect(text).toContain(
    'Limiters were not looked for at 2,999 more keys and scopes: conformance judge --identify',
  );
});

test('the terminal says that there are more limiters', () => {
  const text = renderTerminal(report, { columns: 80, colour: 'never' });
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'at 2,999 more keys and scopes: conformance judge --identify TRACE names them all.',
  );
  expect(renderTerminal({ ...report, identifiedLeftOut: 0 }, { columns: 80, colour: 'never' })).not.toContain(
    '--identify',
  );
});

test('the page names the first keys, and no variable where none is known', () => {
  const { markup } = verdictSection(report);
  expect(markup).toContain('key-0 (FIRST_KEY), key-1, key-2');
  expect(markup).toContain('key-9 and 990 more');
});

test('the history keeps some of each scope, and not a thousand keys of every night', () => {
  const { points } = historyLineOf(report);
  expect(points.map(({ scope, key }) => ({ scope, key }))).toEqual(
    shownGroups(report.groups, report, 120).shown.map(({ scope, key }) => ({ scope, key })),
  );
});

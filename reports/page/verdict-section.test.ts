import { expect, test } from 'vitest';
import { brokenOffReport, reportOf } from '../testing/fixtures.ts';
import { utcText, verdictSection } from './verdict-section.ts';

const noticesOf = (report: Parameters<typeof verdictSection>[0]) =>
  [...verdictSection(report).markup.matchAll(/<li(?: class="bad")?>([^<]*)/g)].map(([, text]) => text);

test('a run that broke off says so once', () => {
  expect(noticesOf(brokenOffReport())[0]).toBe('The run is incomplete: nobody listens');
  expect(noticesOf(brokenOffReport()).filter((text) => text?.includes('incomplete'))).toHaveLength(1);
});

test('what keeps a run open is said, where only its webhooks are incomplete too', () => {
  const outcomeReasons = ['the run is incomplete: the receiver died', 'inconclusive: window.length'];
  expect(noticesOf({ ...reportOf(), outcome: 'inconclusive', outcomeReasons })).toEqual([
    'The run is incomplete: the receiver died',
    'Inconclusive: window.length',
  ]);
});

test('what is wrong with the baseline is said beside violations, which the table shows', () => {
  const outcomeReasons = ['violated: limits.media', 'baseline: headers.limit holds, but is listed'];
  const baseline = { known: [], problems: ['headers.limit holds, but is listed'] };
  expect(noticesOf({ ...reportOf(), outcome: 'not-conformant', outcomeReasons, baseline })).toEqual([
    'Baseline: headers.limit holds, but is listed',
  ]);
});

test('where requests of a scope carry no key, that is said of the keys', () => {
  const report = reportOf();
  const [scope = '', named] = Object.entries(report.deployment.document.scopes)[0]!;
  const open = { ...named, countedBy: 'address', keys: 'none' } as const;
  const document = {
    ...report.deployment.document,
    scopes: { ...report.deployment.document.scopes, [scope]: open },
  };
  const told = verdictSection({ ...report, deployment: { ...report.deployment, document } }).markup;
  expect(told).toContain(`none is sent at ${scope}: there A is this client`);
  expect(told).not.toContain('Requests with a key');
  expect(verdictSection(report).markup).toContain('Requests with a key');
});

test.each(
  Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 3 * month + 1, 2 * month, 7, month)),
)('the moment %i is written as in British English', (atMs) => {
  const english = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  expect(utcText(new Date(atMs).toISOString())).toBe(`${english.format(atMs)} UTC`);
});

test('what is no moment is left as it is', () => {
  expect(utcText('yesterday')).toBe('yesterday');
});

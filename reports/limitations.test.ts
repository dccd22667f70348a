import { expect, test } from 'vitest';
import { noKeySent } from '../contract/clauses/shared.ts';
import { notApplicable } from '../contract/verdict.ts';
import { remarks } from './limitations.ts';
import { renderMarkdown } from './markdown.ts';
import { verdictSection } from './page/verdict-section.ts';
import { renderSummary } from './terminal/summary.ts';
import { renderTerminal } from './terminal.ts';
import { reportOf } from './testing/fixtures.ts';

test('every report says beside its verdict what most likely changed meanwhile', () => {
  const report = { ...reportOf(), likelyChanges: ['the service \u001b[31m seems to have restarted'] };
  const said = /The service .*seems to have restarted\./;
  const plain = { columns: 80, colour: 'never' } as const;
  for (const text of [
    renderSummary(report, plain),
    renderTerminal(report, plain),
    renderMarkdown(report),
    verdictSection(report).markup,
  ]) {
    expect(text).toMatch(said);
    expect(text).not.toContain('\u001b');
  }
});

test('what is said of keys is missed by no one who sends none', () => {
  const saidOf = (reason: string) => remarks(reportOf({ 'limits.per-key': notApplicable(reason) }));
  expect(saidOf('needs a second key')).toContain(
    '1 clause was not run: the verdict is about the others alone.',
  );
  expect(saidOf(noKeySent)).toEqual([]);
});

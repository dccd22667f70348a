import { expect, test } from 'vitest';
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

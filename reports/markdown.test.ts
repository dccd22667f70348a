import { describe, expect, it } from 'vitest';
import { inconclusive } from '../contract/verdict.ts';
import { historyLineOf } from './history/history-line.ts';
import { remembering } from './history/since-last.ts';
import { renderMarkdown } from './markdown.ts';
import { hostile, quoted, reportOf, violatedWith } from './testing/fixtures.ts';

const violated = violatedWith([quoted()]);
const yesterday = { ...historyLineOf(reportOf()), runId: 'yesterday', startedAt: '2026-01-01T03:04:05.000Z' };

describe('renderMarkdown', () => {
  it('says the verdict first, then what changed since the last run', () => {
    const report = remembering(reportOf({ 'limits.media': violated }), [yesterday]);
    const paragraphs = renderMarkdown(report).split('\n\n');
    expect(paragraphs[0]).toMatch(/^## ❌ Not conformant: rate limits of /);
    expect(paragraphs[1]).toBe('[The page with all evidence and pictures](report.html)');
    expect(paragraphs[2]).toMatch(/^\*\*Changed since the run of 2026-01-01/);
    expect(paragraphs[3]).toBe('- limits.media: held → violated');
    expect(renderMarkdown(report)).toContain('121 admitted within 312 ms');
  });

  it('names the page by its path where it goes elsewhere', () => {
    const text = renderMarkdown(reportOf(), { kind: 'elsewhere', path: 'runs/1/report.html' });
    expect(text.split('\n\n')[1]).toBe('The page with all evidence and pictures: `runs/1/report.html`');
  });

  it('says of a violation what follows from it and how it is mended', () => {
    expect(renderMarkdown(reportOf({ 'limits.media': violated }))).toContain(
      '| `limits.media` VIOLATED: **More requests pass than the limit allows.** The limit does not protect the service. To fix: Check',
    );
  });

  it('folds what would be a long list of changes, what broke first', () => {
    const many = Object.fromEntries(
      Object.keys(yesterday.verdicts)
        .slice(0, 17)
        .map((clause) => [clause, inconclusive('lost')]),
    );
    const report = remembering(reportOf({ ...many, 'limits.media': violated }), [yesterday]);
    const text = renderMarkdown(report);
    const [, list = ''] = text.split('**Changed since');
    expect(list.split('\n').slice(2, 3)).toEqual(['- limits.media: held → violated']);
    const [shown = '', folded = ''] = list.split(/\n<details><summary>1\d more changes<\/summary>\n/);
    expect(shown.match(/^- /gm)).toHaveLength(5);
    expect(folded.split('</details>')[0]?.match(/^- /gm)?.length).toBeGreaterThan(9);
  });

  it('says that nothing changed, and that there is nothing to compare with', () => {
    expect(renderMarkdown(remembering(reportOf(), [yesterday]))).toContain(
      'Nothing changed since the run of',
    );
    expect(renderMarkdown(remembering(reportOf(), []))).toContain('first run of its kind');
  });

  it('says why a run is inconclusive, clause by clause', () => {
    const text = renderMarkdown(reportOf({ 'headers.reset': inconclusive('a clock step') }));
    expect(text).toContain('⚠️ Inconclusive');
    expect(text).toContain('| `headers.reset` | a clock step |');
  });

  it('lets nothing that a target says become markup, a link, a mention or a row', () => {
    const said = `${hostile} | [x](http://evil.example) @someone www.evil.example <img src=x> \`code\` # head`;
    const text = renderMarkdown(
      reportOf({
        'limits.standard': violatedWith([quoted()], { observed: said }),
        'headers.reset': inconclusive(said),
      }),
    );
    expect(text).not.toMatch(/<(?!\/?sub>)/);
    expect(text).not.toMatch(/^\s*::[a-z]|##[a-z]*\[/im);
    // The one link is ours.
    expect(text.replace('](report.html)', '')).not.toMatch(/[^\\]\]\(|@|:\/\/|www\./);
    const rows = text.split('\n').filter((line) => line.startsWith('| `limits.standard`'));
    expect(rows.map((row) => row.match(/(?<!\\)\|/g)?.length)).toEqual([5]);
  });
});

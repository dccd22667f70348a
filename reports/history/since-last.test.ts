import { describe, expect, it } from 'vitest';
import { verdictSection } from '../page/verdict-section.ts';
import type { Report } from '../result.ts';
import { renderSummary } from '../terminal/summary.ts';
import { reportOf } from '../testing/fixtures.ts';
import { foldedChanges } from './folded-changes.ts';
import { historyLineOf } from './history-line.ts';
import { remembering } from './since-last.ts';

const changes = (count: number) => Array.from({ length: count }, (_, at) => `change ${at + 1}.`);

describe('what changed since the last run', () => {
  it.each([
    [5, 5],
    [6, 6],
    [7, 5],
    [17, 5],
  ])('of %i changes %i are shown at once', (count, most) => {
    const { shown, folded } = foldedChanges(changes(count));
    expect(shown).toHaveLength(most);
    expect([...shown, ...folded]).toEqual(changes(count));
  });

  it('has clauses that only one of the two documents has', () => {
    const [first, second, ...others] = reportOf().clauses;
    if (first === undefined || second === undefined) throw new Error('a report has clauses');
    const evidence = { expected: 'one', observed: 'none', exchanges: [], exchangesTotal: 0 };
    const violated = { ...first, verdict: { kind: 'violated' as const, reason: 'missing', evidence } };
    const before = historyLineOf({ ...reportOf(), clauses: [violated, ...others] });
    const after = remembering({ ...reportOf(), clauses: [second, ...others] }, [before]);
    expect(after.sinceLast?.changes).toEqual([
      `${first.id}: violated → not asked`,
      `${second.id}: not asked → ${second.verdict.kind}`,
    ]);
  });

  it('has first what the document promises otherwise, where it was edited', () => {
    const edited = (limit: number): Report => {
      const report = reportOf();
      const { document } = report.deployment;
      const standard = { title: 'standard', limit };
      return {
        ...report,
        deployment: {
          ...report.deployment,
          document: { ...document, scopes: { ...document.scopes, standard } },
        },
      };
    };
    const before = historyLineOf(edited(120));
    expect(remembering(edited(60), [before]).sinceLast?.changes).toEqual([
      'the document, standard: 120 in any 60 s → 60 in any 60 s',
    ]);
    expect(remembering(edited(120), [before]).sinceLast?.changes).toEqual([]);
    // A line of an earlier version does not say it.
    const { limits: _limits, ...untold } = before;
    expect(remembering(edited(60), [untold]).sinceLast?.changes).toEqual([]);
  });

  it('is folded on the page and in the terminal, none is lost', () => {
    const report = {
      ...reportOf(),
      sinceLast: {
        runId: 'r0',
        startedAt: '2026-01-01T00:00:00.000Z',
        outcome: 'conformant',
        runs: 3,
        changes: changes(17),
      },
    } as const;
    const text = renderSummary(report, { columns: 80, colour: 'never' });
    expect(text).toContain('change 5.\nand 12 more, which are on the page');
    expect(text).not.toContain('change 6.');
    const [shown = '', folded = ''] = verdictSection(report).markup.split(
      '<summary>12 more changes</summary>',
    );
    expect(shown.match(/<li>change/g)).toHaveLength(5);
    expect(folded.match(/<li>change/g)).toHaveLength(12);
  });
});

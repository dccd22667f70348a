import { describe, expect, it } from 'vitest';
import { inconclusive } from '../../contract/verdict.ts';
import { quoted, reportOf, violatedWith } from '../testing/fixtures.ts';
import { comparableLines, historyLineOf, parseHistory } from './history-line.ts';

const line = (parts: object = {}): string => JSON.stringify({ ...historyLineOf(reportOf()), ...parts });

describe('a line of the history', () => {
  it('keeps the verdicts of clauses that decide or advise, and nothing that the target said', () => {
    const secretive = violatedWith([quoted({ body: 'said by the target' })], {
      observed: 'said by the target',
    });
    const kept = historyLineOf(
      reportOf({ 'limits.standard': secretive, 'headers.reset': inconclusive('said by the target') }),
    );
    expect(kept.verdicts).toMatchObject({ 'limits.standard': 'violated', 'headers.reset': 'inconclusive' });
    expect(kept.verdicts).not.toHaveProperty(['headers.date']);
    expect(JSON.stringify(kept)).not.toContain('said by the target');
  });

  it('is read again as it was written, whatever a crash left between', () => {
    const torn = line().slice(0, 40);
    const { lines, unreadable } = parseHistory(
      [line(), torn, line({ schemaVersion: 99 }), line(), ''].join('\n'),
    );
    expect(lines).toEqual([historyLineOf(reportOf()), historyLineOf(reportOf())]);
    expect(unreadable).toBe(2);
  });

  it('of an older version is one of the messaging document', () => {
    const own = historyLineOf(reportOf());
    const { lines } = parseHistory(line({ document: undefined }));
    expect(comparableLines(lines, own)).toEqual([own]);
  });

  it('is compared only with runs of the same target, document, mode and window, in the order in which they began', () => {
    const own = historyLineOf(reportOf());
    const later = { ...own, runId: 'later', startedAt: '2026-02-01T00:00:00.000Z' };
    const others = [
      { ...own, target: 'elsewhere' },
      { ...own, document: 'another API' },
      { ...own, mode: 'light' },
      { ...own, windowSeconds: 4 },
    ];
    expect(comparableLines([later, ...others, own], own)).toEqual([own, later]);
  });
});

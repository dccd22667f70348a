import { describe, expect, it } from 'vitest';
import { advanced, type Progress, type ProgressEvent, pendingRow, rowText } from './progress.ts';

const start: Progress = [pendingRow('preflight', null), pendingRow('media', 176)];
const progressAfter = (...events: readonly ProgressEvent[]) => events.reduce(advanced, start);
const texts = (progress: Progress, nowMs = 0) =>
  progress.map((row) => rowText(row, { nowMs, labelWidth: 9 }));

describe('progress', () => {
  it('begins with rows that wait', () => {
    expect(texts(start)).toEqual(['preflight  waiting for its turn', 'media      waiting for its turn']);
  });

  it('counts answers and refusals of how many', () => {
    const progress = progressAfter(
      { kind: 'doing', row: 'media', text: 'filling' },
      { kind: 'answered', row: 'media', outcome: 'admitted' },
      { kind: 'answered', row: 'media', outcome: 'limited' },
    );
    expect(texts(progress)[1]).toBe('media      filling (2 of ≤ 176 sent, 1 limited)');
  });

  it('counts down, but not the last second', () => {
    const progress = progressAfter({ kind: 'waiting', row: 'media', why: 'quiet', untilMs: 41_200 });
    expect(texts(progress)[1]).toBe('media      quiet, 42 s left');
    expect(texts(progress, 40_500)[1]).toBe('media      quiet');
  });

  it('leaves a row that has ended, and rows that are not shown', () => {
    const progress = progressAfter(
      { kind: 'ended', row: 'media', state: 'done', text: 'done' },
      { kind: 'doing', row: 'media', text: 'again' },
      { kind: 'doing', row: 'no-such', text: 'nothing' },
    );
    expect(progress.map(({ doing }) => doing)).toEqual(['waiting for its turn', 'done']);
  });
});

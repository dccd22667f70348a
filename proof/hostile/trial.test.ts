import { expect, test } from 'vitest';
import type { VerdictKind } from '../../reports/outcome.ts';
import { caughtIn } from './trial.ts';

const run = (verdicts: Readonly<Record<string, VerdictKind>>) => ({
  verdicts: new Map(Object.entries(verdicts)),
});

const longer = { must: ['window.length'], may: [] } as const;
const dropped = { must: [], may: [], leavesOpen: ['error.status', 'limits.media'] } as const;

test.each([
  ['a clause that it breaks is violated', { 'window.length': 'violated' }, longer, 'violated'],
  ['none of them is', { 'window.length': 'held' }, longer, 'missed'],
  [
    'a window that is a little longer falls short',
    { 'window.length': 'inconclusive', 'window.granularity': 'violated' },
    longer,
    'falls short',
  ],
  [
    'all that it leaves open is open',
    { 'error.status': 'inconclusive', 'limits.media': 'inconclusive' },
    dropped,
    'open',
  ],
  ['something of that holds', { 'error.status': 'inconclusive', 'limits.media': 'held' }, dropped, 'missed'],
] as const)('of a fault it is said how it shows where %s', (_what, verdicts, fault, how) => {
  expect(caughtIn(run(verdicts), fault).how).toBe(how);
});

test('a must clause that a fault does not explain is blamed on us', () => {
  const verdicts = { 'window.length': 'violated', 'headers.limit': 'violated' } as const;
  expect(caughtIn(run(verdicts), longer).unexplained).toEqual(['headers.limit']);
});

import { expect, it } from 'vitest';
import { windowMsAtLeast } from '../../contract/bounds.ts';
import type { Group } from '../entries.ts';
import { groupsOf } from '../entries.ts';
import { admitted, times, traceOf } from '../testing/traces.ts';
import { capPartOf } from './ground.ts';

/** Five within so many ms, on a scale that starts at 0: fractions of a millisecond are exact there. */
function capRuleOf(spanMs: number): string | undefined {
  const trace = traceOf(times(5, () => admitted(0, 0, { scope: 'standard' })));
  const [group] = groupsOf(trace) as [Group];
  const entries = group.entries.map((entry, at) => ({ ...entry, lowMs: 0, highMs: at === 0 ? spanMs : 0 }));
  return capPartOf({ trace, stepped: () => false, group: { ...group, entries, explaining: entries } })?.rule;
}

it('no cap of two a second lets five pass within less than the shortest second', () => {
  const shortestMs = windowMsAtLeast(1_000);
  expect(capRuleOf(shortestMs - 0.1)).toBe('no-cap');
  expect(capRuleOf(shortestMs)).toBe('clear');
});

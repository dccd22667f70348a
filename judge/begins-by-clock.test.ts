import { describe, expect, it } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { mayBeginByClock } from './begins-by-clock.ts';
import { groupsOf } from './entries.ts';
import { admitted, indeterminate, limited, traceOf } from './testing/traces.ts';

function mayByClock(exchanges: readonly Exchange[]): boolean {
  const [group] = groupsOf(traceOf(exchanges, { limits: { standard: 1, messages: 1, media: 1 } }));
  if (group === undefined) throw new Error('no group');
  return mayBeginByClock(group, 'not-counted');
}

describe('windows of one place that begin by a clock', () => {
  // From the first place on none began for nearly a minute: so one did where it came back.
  const first = [admitted(0, 5), limited(59_900, 59_905), admitted(60_100, 60_105)];
  const middle = [...first, limited(60_200, 60_205), admitted(144_000, 144_005)];

  it('explain a place that comes back a window later, and what follows in the middle of a window', () => {
    expect(mayByClock(first)).toBe(true);
    expect(mayByClock([...middle, limited(144_010, 144_015)])).toBe(true);
  });

  it('explain no 429 once a boundary has passed, by the slowest clock', () => {
    // One began at 180.005 s at the latest: 72 ms of three minutes more, 2 ms for the first one, and 1 ms of resolution.
    expect(mayByClock([...middle, limited(180_078, 180_083)])).toBe(true);
    expect(mayByClock([...middle, limited(180_079, 180_084)])).toBe(false);
  });

  it('explain no 429 either though one that was sent before it is answered long after', () => {
    const slow = [limited(180_020, 200_000), limited(180_079, 180_084), admitted(190_000, 190_005)];
    expect(mayByClock([...middle, ...slow])).toBe(false);
  });

  it('may have been filled by a request without an answer', () => {
    const late = limited(180_500, 180_505);
    expect(mayByClock([...middle, late])).toBe(false);
    expect(mayByClock([...middle, indeterminate(180_200), late])).toBe(true);
  });
});

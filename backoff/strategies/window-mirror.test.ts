import { describe, expect, it } from 'vitest';
import { windowMsAtMost } from '../../contract/bounds.ts';
import type { Answer } from '../strategy.ts';
import { admitted, limited, lost, ready } from '../testing/answers.ts';
import { windowMirror } from './window-mirror.ts';

const windowMs = 60_000;
const heldMs = windowMsAtMost(windowMs);

/** A mirror of a limit of three, asked step by step; each answer is the wait. */
function mirrored(limit = 3, sharers = { process: 0, processes: 1, clients: 8 }) {
  const strategy = windowMirror({ limit, windowMs, sharedBy: 'process' });
  let state = strategy.start(sharers);
  return (answer: Answer): number => {
    const [waitMs, next] = strategy.next(state, answer, () => 0);
    state = next;
    return Math.round(waitMs);
  };
}

describe('window mirror', () => {
  it('sends one request alone, then as many as the limit has left', () => {
    const ask = mirrored();
    expect(ask(ready(0, 0))).toBe(0);
    expect(ask(ready(1, 1))).toBeGreaterThan(0);
    expect(ask(admitted(20, { client: 0, remaining: 2 }))).toBe(0);
    expect([ask(ready(21, 1)), ask(ready(21, 2))]).toEqual([0, 0]);
  });

  it('gives a place back a window after its answer, not after its request, in turn', () => {
    const ask = mirrored();
    ask(ready(0, 0));
    ask(admitted(20, { client: 0, remaining: 2 }));
    ask(ready(21, 1));
    ask(ready(22, 2));
    ask(admitted(50, { client: 1, remaining: 1 }));
    ask(admitted(90, { client: 2, remaining: 0 }));
    expect(ask(ready(100, 3))).toBe(Math.round(20 + heldMs - 100));
    expect(ask(ready(100, 4))).toBe(Math.round(50 + heldMs - 100));
    expect(ask(ready(20 + heldMs, 3))).toBe(0);
    expect(ask(ready(20 + heldMs, 4))).toBe(30);
  });

  it('lets those who come a whole limit later wait two windows', () => {
    const ask = mirrored(1);
    ask(ready(0, 0));
    ask(admitted(20, { client: 0, remaining: 0 }));
    expect(ask(ready(20, 1))).toBe(Math.round(heldMs));
    expect(ask(ready(20, 2))).toBe(Math.round(2 * heldMs));
  });

  it('shuts for all when one is refused, then spaces requests for a window', () => {
    const ask = mirrored();
    ask(ready(0, 0));
    expect(ask(limited(20, 7, { client: 0 }))).toBe(7_000);
    expect(ask(ready(20, 1))).toBe(7_000);
    expect(ask(ready(7_020, 0))).toBe(0);
    expect(ask(ready(7_020, 1))).toBe(Math.round(heldMs / 3));
  });

  it('goes as fast as Remaining lets it while strangers are in the window', () => {
    const ask = mirrored(30);
    ask(ready(0, 0));
    ask(admitted(20, { client: 0, remaining: 2 }));
    expect([ask(ready(20, 1)), ask(ready(20, 2))]).toEqual([0, 0]);
    expect(ask(ready(20, 3))).toBe(0);
    expect(ask(ready(20, 4))).toBe(Math.round(heldMs / 30));
  });

  it('keeps the place of a request whose answer was lost, for it may have been counted', () => {
    const ask = mirrored(1);
    ask(ready(0, 0));
    expect(ask(lost(40, { client: 0 }))).toBe(0);
    expect(ask(ready(40, 0))).toBe(Math.round(heldMs));
  });

  it('shares the limit out to the last place', () => {
    const places = [0, 1, 2, 3].map((process) => {
      const strategy = windowMirror({ limit: 30, windowMs, sharedBy: 'process' });
      return strategy.start({ process, processes: 4, clients: 1 }).places;
    });
    expect(places).toEqual([8, 8, 7, 7]);
  });
});

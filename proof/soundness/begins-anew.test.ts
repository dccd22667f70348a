import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentedWindowMs } from '../../contract/scopes.ts';
import { mayBeginAnew } from '../../judge/begins-anew.ts';
import { groupsOf } from '../../judge/entries.ts';
import { admitted, limited, originMs, times, traceOf } from '../../judge/testing/traces.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';

const rate = { limit: 30, windowMs: documentedWindowMs };

type Limiter = Parameters<typeof openWindow>[0];
type Sent = { readonly atMs: number; readonly thereMs: number; readonly backMs: number };

/** What a limiter answers to requests whose ways there and back take so long. */
function mayHaveBegunAnew(limiter: Limiter, sent: readonly Sent[]): boolean {
  const window = openWindow(limiter);
  const exchanges = [...sent]
    .sort((left, right) => left.atMs + left.thereMs - right.atMs - right.thereMs)
    .map(({ atMs, thereMs, backMs }) => {
      const answer = window.decide(originMs + atMs + thereMs).admitted ? admitted : limited;
      return answer(atMs, atMs + thereMs + backMs);
    })
    .sort((left, right) => left.sentMs - right.sentMs);
  const [group] = groupsOf(traceOf(exchanges));
  return group === undefined || mayBeginAnew(group, 'not-counted');
}

const at = (atMs: number): Sent => ({ atMs, thereMs: 2, backMs: 2 });
/** Places taken one by one, the rest at once, and each of them asked for when it is due. */
const probing = [
  ...[1_300, 1_420, 1_560, 1_650].map(at),
  ...times(30, () => admitted(0, 0)).map(() => at(3_000)),
  ...[59_000, 61_250, 61_350, 61_380, 61_480, 61_510].map(at),
];

test('places that come back one by one are none of a window that begins anew', () => {
  expect(mayHaveBegunAnew(slidingLog(rate), probing)).toBe(false);
});

test('two full windows alone may be those of one that begins anew', () => {
  const twice = [0, 61_000].flatMap((fromMs) => times(32, () => admitted(0, 0)).map(() => at(fromMs)));
  expect(mayHaveBegunAnew(slidingLog(rate), twice)).toBe(true);
  expect(mayHaveBegunAnew(slidingLog(rate), [])).toBe(true);
});

test('a 429 below the limit is of no such window', () => {
  const early = [...times(29, () => admitted(0, 5)), limited(100, 105)];
  const [group] = groupsOf(traceOf(early));
  expect(group !== undefined && mayBeginAnew(group, 'not-counted')).toBe(false);
});

test('one that does begin anew always may, whatever is asked of it and however slowly it answers', () => {
  const sending = fc.record({
    afterMs: fc.integer({ min: 0, max: 9_000 }),
    thereMs: fc.integer({ min: 0, max: 1_500 }),
    backMs: fc.integer({ min: 0, max: 1_500 }),
    count: fc.integer({ min: 1, max: 33 }),
  });
  const histories = fc.array(sending, { minLength: 1, maxLength: 40 }).map((bursts) => {
    let nowMs = 0;
    return bursts.flatMap(({ afterMs, count, thereMs, backMs }) => {
      nowMs += afterMs;
      return Array.from({ length: count }, (): Sent => ({ atMs: nowMs, thereMs, backMs }));
    });
  });
  const phases = fc.integer({ min: 0, max: documentedWindowMs });
  fc.assert(
    fc.property(histories, phases, (sent, phaseMs) => {
      const moved = sent.map((one) => ({ ...one, atMs: one.atMs + phaseMs }));
      expect(mayHaveBegunAnew(fixedWindow(rate), moved)).toBe(true);
    }),
  );
});

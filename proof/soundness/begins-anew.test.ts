import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentedWindowMs } from '../../contract/scopes.ts';
import { mayBeginAnew } from '../../judge/begins-anew.ts';
import { groupsOf } from '../../judge/entries.ts';
import { admitted, limited, originMs, times, traceOf } from '../../judge/testing/traces.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { wholeSeconds } from '../../limiters/whole-seconds.ts';

const rate = { limit: 30, windowMs: documentedWindowMs };

type Limiter = Parameters<typeof openWindow>[0];
type Sent = { readonly atMs: number; readonly thereMs: number; readonly backMs: number };
type Use = {
  readonly limiter: Limiter;
  readonly sent: readonly Sent[];
  readonly beforeMs?: readonly number[];
};

/** What a limiter answers to requests whose ways there and back take so long; others asked it before the first of them. */
function mayHaveBegunAnew({ limiter, sent, beforeMs = [] }: Use): boolean {
  const window = openWindow(limiter);
  for (const atMs of beforeMs) window.decide(originMs + atMs);
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
  expect(mayHaveBegunAnew({ limiter: slidingLog(rate), sent: probing })).toBe(false);
});

test('two full windows alone may be those of one that begins anew', () => {
  const twice = [0, 61_000].flatMap((fromMs) => times(32, () => admitted(0, 0)).map(() => at(fromMs)));
  expect(mayHaveBegunAnew({ limiter: slidingLog(rate), sent: twice })).toBe(true);
  expect(mayHaveBegunAnew({ limiter: slidingLog(rate), sent: [] })).toBe(true);
});

test('a 429 below the limit is of no such window, once nothing from before the run explains it', () => {
  const early = [...times(29, () => admitted(0, 5)), limited(100, 105)];
  const late = [...times(29, () => admitted(0, 5)), limited(61_100, 61_105)];
  const [explained] = groupsOf(traceOf(early));
  const [unexplained] = groupsOf(traceOf(late));
  expect(explained !== undefined && mayBeginAnew(explained, 'not-counted')).toBe(true);
  expect(unexplained !== undefined && mayBeginAnew(unexplained, 'not-counted')).toBe(false);
});

const anew: Readonly<Record<string, Limiter>> = {
  'with the minute': fixedWindow(rate),
  'at a phase of its own': fixedWindow(rate, { phaseMs: 17_300 }),
  'with the first request': fixedWindowFirstRequest(rate),
  'with the first request, in whole seconds': wholeSeconds(fixedWindowFirstRequest(rate)),
};

describe.each(Object.entries(anew))('a window that begins anew %s', (_, limiter) => {
  test('always may, whatever is asked of it, however slowly it answers and whoever asked before', () => {
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
    const before = fc.array(fc.integer({ min: -90_000, max: 0 }), { maxLength: 45 });
    fc.assert(
      fc.property(histories, phases, before, (sent, phaseMs, earlier) => {
        const moved = sent.map((one) => ({ ...one, atMs: one.atMs + phaseMs }));
        const beforeMs = earlier.map((atMs) => atMs + phaseMs).sort((left, right) => left - right);
        expect(mayHaveBegunAnew({ limiter, sent: moved, beforeMs })).toBe(true);
      }),
    );
  });
});

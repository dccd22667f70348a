import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOutbox, type OutboxEntry } from './outbox.ts';
import type { Attempted } from './retry.ts';

const entry = (sequence: number, dueMs = 0): OutboxEntry => ({
  sequence,
  eventId: `evt_${sequence}`,
  kind: 'message.sent',
  body: '{}',
  dueMs,
});
const ok: Attempted = { kind: 'answered', status: 200, retryAfterSeconds: null };
const failed: Attempted = { kind: 'no-answer', why: 'x' };

const small = (queuedMax = 10, atOnceMax = 2) =>
  createOutbox({
    queuedMax,
    atOnceMax,
    decide: (attempted, attempt) => {
      if (attempted.kind === 'answered') return { kind: 'delivered' };
      return attempt < 3 ? { kind: 'retry', afterMs: 100 } : { kind: 'give-up', why: 'x' };
    },
  });

test('sends what is due, the earliest first, no more at once than it may', () => {
  const outbox = small();
  outbox.accept([entry(1, 50), entry(2, 10), entry(3, 10), entry(4, 10)]);
  expect(outbox.take(0)).toEqual({ kind: 'wait', untilMs: 10 });
  expect(outbox.take(10)).toMatchObject({ entry: { sequence: 2 }, attempt: 1 });
  expect(outbox.take(10)).toMatchObject({ entry: { sequence: 3 } });
  expect(outbox.take(10)).toEqual({ kind: 'idle' });
  outbox.settle(3, ok, 20);
  expect(outbox.take(20)).toMatchObject({ entry: { sequence: 4 } });
});

test('tries again after the pause, and tells what it gave up', () => {
  const outbox = small();
  outbox.accept([entry(1)]);
  for (const [nowMs, kind] of [
    [0, 'retry'],
    [100, 'retry'],
    [200, 'give-up'],
  ] as const) {
    if (nowMs > 0) expect(outbox.take(nowMs - 1)).toEqual({ kind: 'wait', untilMs: nowMs });
    expect(outbox.take(nowMs)).toMatchObject({ kind: 'send' });
    expect(outbox.settle(1, failed, nowMs).kind).toBe(kind);
  }
  expect(outbox.counts()).toMatchObject({
    accepted: 1,
    attempts: 3,
    gaveUp: 1,
    waiting: 0,
    lastGaveUp: [{ eventId: 'evt_1', why: 'x' }],
  });
});

test('the events of one message are accepted together or not at all', () => {
  const outbox = small(4);
  expect(outbox.accept([entry(1), entry(2), entry(3)])).toBe(true);
  expect(outbox.accept([entry(4), entry(5)])).toBe(false);
  expect(outbox.accept([entry(6)])).toBe(true);
  expect(outbox.counts()).toMatchObject({ accepted: 4, refused: 2, waiting: 4 });
});

test('whatever happens, every accepted event is waiting, under way, delivered or given up', () => {
  const step = fc.record({
    what: fc.constantFrom('accept', 'take', 'ok', 'fail'),
    pauseMs: fc.nat(120),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const outbox = small(8, 3);
      const underWay: number[] = [];
      let nowMs = 0;
      let sequence = 0;
      for (const { what, pauseMs } of steps) {
        nowMs += pauseMs;
        if (what === 'accept') {
          sequence += 1;
          outbox.accept([entry(sequence, nowMs)]);
        } else if (what === 'take') {
          const taken = outbox.take(nowMs);
          if (taken.kind === 'send') underWay.push(taken.entry.sequence);
        } else {
          const one = underWay.shift();
          if (one !== undefined) outbox.settle(one, what === 'ok' ? ok : failed, nowMs);
        }
        const counts = outbox.counts();
        expect(counts.accepted).toBe(counts.waiting + counts.underWay + counts.delivered + counts.gaveUp);
        expect(counts.underWay).toBeLessThanOrEqual(3);
        expect(counts.waiting + counts.underWay).toBeLessThanOrEqual(8);
      }
    }),
    { seed: 11, numRuns: 300 },
  );
});

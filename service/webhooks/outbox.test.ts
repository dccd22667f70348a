import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOutbox, type OutboxEntry } from './outbox.ts';
import type { AttemptResult } from './retry.ts';

const entry = (sequence: number, dueMs = 0): OutboxEntry => ({
  sequence,
  eventId: `evt_${sequence}`,
  kind: 'message.sent',
  body: '{}',
  dueMs,
});
const ok: AttemptResult = { kind: 'answered', status: 200, retryAfterSeconds: null };
const failed: AttemptResult = { kind: 'no-answer', why: 'x' };

const small = (queuedMax = 10, atOnceMax = 2, keptMax = 3) =>
  createOutbox({
    queuedMax,
    atOnceMax,
    keptMax,
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
    expect(outbox.settle(1, failed, nowMs).settlement.kind).toBe(kind);
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

/** Gives up an event that waits, after its three attempts. */
function giveUp(outbox: ReturnType<typeof small>, sequence: number) {
  let done: readonly number[] = [];
  for (const nowMs of [1_000, 1_100, 1_200]) {
    expect(outbox.take(nowMs)).toMatchObject({ entry: { sequence } });
    ({ done } = outbox.settle(sequence, failed, nowMs));
  }
  return done;
}

test('keeps what it gave up, the oldest not for ever, and lets it wait again as new', () => {
  const outbox = small();
  for (const sequence of [1, 2, 3, 4]) {
    outbox.accept([entry(sequence)]);
    expect(giveUp(outbox, sequence)).toEqual(sequence === 4 ? [1] : []);
  }
  expect(outbox.counts()).toMatchObject({ gaveUp: 4, kept: 3, waiting: 0 });
  expect(outbox.redeliver(5_000)).toBe(3);
  expect(outbox.counts()).toMatchObject({ gaveUp: 1, kept: 0, waiting: 3 });
  expect(outbox.take(5_000)).toMatchObject({ entry: { sequence: 2 }, attempt: 1 });
  expect(outbox.settle(2, ok, 5_000)).toEqual({ settlement: { kind: 'delivered' }, done: [2] });
});

test('lets no more wait again than there is room for', () => {
  const outbox = small(2);
  for (const sequence of [1, 2, 3]) {
    outbox.accept([entry(sequence)]);
    giveUp(outbox, sequence);
  }
  expect(outbox.redeliver(5_000)).toBe(2);
  expect(outbox.redeliver(5_000)).toBe(0);
  expect(outbox.counts()).toMatchObject({ kept: 1, waiting: 2 });
});

test('whatever happens, every accepted event is waiting, under way, delivered or given up', () => {
  const step = fc.record({
    what: fc.constantFrom('accept', 'take', 'ok', 'fail', 'redeliver'),
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
        } else if (what === 'redeliver') {
          outbox.redeliver(nowMs);
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

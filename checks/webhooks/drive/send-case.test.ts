import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { plainTransport } from '../../../contract/transport.ts';
import { findDriveCase } from '../../../contract/webhooks/drive/registry.ts';
import type { DriveHeader } from '../../../contract/webhooks/drive/trace.ts';
import { wayTo } from './receiver-way.ts';
import { sendCase } from './send-case.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the event after a burst comes when a queue has had its time', async () => {
  const sentAfterMs: number[] = [];
  const beganMs = Date.now();
  const inTurn = async () => {
    sentAfterMs.push(Date.now() - beganMs);
    return [];
  };
  const sent = sendCase(findDriveCase('effect.under-load')!, {
    header: { burst: { eventsPerSecond: 15, seconds: 1 }, effectsWaitMs: 2_000 } as DriveHeader,
    way: wayTo(new URL('http://127.0.0.1:9/'), { transport: plainTransport, budgetMs: 1_000 }),
    sender: { send: async () => null, inTurn, onOneConnection: inTurn },
    effects: null,
    stalls: { stalledMs: () => 0, close: () => undefined },
    clock: { nowMs: () => Date.now(), wallMs: () => Date.now() },
    signal: new AbortController().signal,
    onLine: () => undefined,
    onNote: () => undefined,
  });
  await vi.advanceTimersByTimeAsync(1_999);
  expect(sentAfterMs).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  await sent;
  expect(sentAfterMs).toHaveLength(1);
});

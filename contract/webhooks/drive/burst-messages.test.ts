import { expect, test } from 'vitest';
import { askedOfBurst, askedOfBurstMax, burstMessage, wholeMessages } from './burst-messages.ts';
import { messagesAskedIn } from './case.ts';
import { findDriveCase } from './registry.ts';

const of = (events: number) => ({ eventsPerSecond: events, seconds: 1 });

test('three events of a burst are about one message, and the last one may have fewer', () => {
  expect([0, 2, 3, 8].map(burstMessage)).toEqual(['message-0', 'message-0', 'message-1', 'message-2']);
  expect([1, 2, 3, 8, 9].map((events) => wholeMessages(of(events)))).toEqual([0, 0, 1, 2, 3]);
});

test('every whole message is asked about, and of many some from the first to the last', () => {
  expect(askedOfBurst(of(2))).toEqual([]);
  expect(askedOfBurst(of(5))).toEqual(['message-0']);
  expect(askedOfBurst(of(8))).toEqual(['message-0', 'message-1']);
  expect(new Set(askedOfBurst(of(3 * askedOfBurstMax))).size).toBe(askedOfBurstMax);
  const some = askedOfBurst(of(3_000));
  expect(some.slice(0, 3)).toEqual(['message-0', 'message-10', 'message-20']);
  expect([some.at(-1), new Set(some).size]).toEqual(['message-999', askedOfBurstMax]);
});

test('the case that looks at the burst asks about messages of the case that sends it', () => {
  expect(messagesAskedIn(findDriveCase('effect.under-load')!, { burst: of(6) })).toEqual([
    { caseId: 'burst.answers', message: 'message-0' },
    { caseId: 'burst.answers', message: 'message-1' },
  ]);
});

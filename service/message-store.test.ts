import { describe, expect, it } from 'vitest';
import { deliveredAfterMs, messagesMax, readAfterMs } from './choices.ts';
import { createMessageStore } from './message-store.ts';

const input = { recipient: '15550002000', type: 'text', body: 'hello' } as const;
const still = { nowMs: () => 0, sentBefore: 0, onSent: () => undefined };

describe('message store', () => {
  it('keeps the last messages and forgets older ones', () => {
    const store = createMessageStore(still);
    const first = store.add(input);
    const second = store.add(input);
    for (let sent = 2; sent < messagesMax + 1; sent += 1) store.add(input);
    expect(store.find(first.message_id)).toBeUndefined();
    expect(store.find(second.message_id)).toEqual(second);
  });

  it('lists the newest first, and the reference message while there is room', () => {
    const store = createMessageStore(still);
    const ids = [store.add(input), store.add(input), store.add(input)].map((message) => message.message_id);
    expect(store.newest(2).map((message) => message.message_id)).toEqual([ids[2], ids[1]]);
    expect(store.newest(9).map((message) => message.message_id)).toEqual([...ids.reverse(), 'msg_reference']);
  });

  it.each(['msg_reference', 'msg_0000000001'])('finds %s', (id) => {
    const store = createMessageStore(still);
    store.add(input);
    expect(store.find(id)?.message_id).toBe(id);
  });

  it.each(['msg_1', 'msg_0000000002', 'msg_', 'msg_0000010001', '', 'constructor'])(
    'does not find %j',
    (id) => {
      const store = createMessageStore(still);
      store.add(input);
      expect(store.find(id)).toBeUndefined();
    },
  );

  it('says how far a message has come', () => {
    let nowMs = 0;
    const store = createMessageStore({ ...still, nowMs: () => nowMs });
    const ids = [input, { ...input, recipient: '05550002000' }].map((sent) => store.add(sent).message_id);
    const statuses = (): readonly unknown[] => ids.map((id) => store.find(id)?.status);
    expect(statuses()).toEqual(['sent', 'sent']);
    nowMs = deliveredAfterMs;
    expect(statuses()).toEqual(['delivered', 'failed']);
    nowMs = readAfterMs;
    expect(statuses()).toEqual(['read', 'failed']);
  });

  it('numbers its messages after those of services before it', () => {
    const told: unknown[] = [];
    const onSent = (...one: readonly unknown[]) => told.push(one);
    const store = createMessageStore({ ...still, sentBefore: 41, onSent });
    const message = store.add(input);
    expect(message.message_id).toBe('msg_0000000042');
    expect(store.newest(9)).toHaveLength(2);
    expect(told).toEqual([[message, 42]]);
  });
});

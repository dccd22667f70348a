import { describe, expect, it } from 'vitest';
import { messageIdOf } from '../../../contract/webhooks/drive/case.ts';
import type { DriveTrace, EffectLine } from '../../../contract/webhooks/drive/trace.ts';
import { type EffectsSeen, effectsSeen, notYetText } from './effects-seen.ts';
import { delivered, goodDrive } from './testing/drives.ts';

const id = 'effect.once-in-turn';
const idOf = (message: string): string => messageIdOf({ runId: 'test', caseId: id, message });
const unknown = { kind: 'unknown' } as const;
const once = { kind: 'known', state: null, handled: 1 } as const;
const never = { kind: 'known', state: null, handled: 0 } as const;

type Sent = readonly [message: string, sentMs: number];
type Look = readonly [message: string, atMs: number, found: EffectLine['found']];

function seen(sent: readonly Sent[], looks: readonly Look[]): EffectsSeen | null {
  const trace: DriveTrace = {
    ...goodDrive(),
    deliveries: sent.map(([message, sentMs], index) => {
      const line = delivered({ case: id, name: `${index}`, status: 200 }, message);
      return { ...line, index, sentMs };
    }),
    effects: looks.map(([message, atMs, found]) => {
      return { kind: 'effect', case: id, messageId: idOf(message), atMs, found };
    }),
  };
  return effectsSeen(trace, idOf('a'));
}

describe('what was seen of a message', () => {
  it('is nothing where nobody looked after its last event', () => {
    expect(seen([['a', 1]], [])).toBeNull();
    expect(seen([['a', 1]], [['b', 2, once]])).toBeNull();
    expect(
      seen(
        [
          ['a', 3],
          ['a', 1],
          ['b', 9],
        ],
        [['a', 2, once]],
      ),
    ).toBeNull();
    expect(seen([['a', 3]], [['a', 3, unknown]])).toEqual({
      last: unknown,
      isShown: false,
      isAfterLater: false,
    });
  });

  it('is what the last look found, and whether one found an effect', () => {
    const sent: readonly Sent[] = [['a', 1]];
    expect(
      seen(sent, [
        ['a', 2, once],
        ['a', 3, never],
        ['b', 4, once],
      ]),
    ).toEqual({ last: never, isShown: true, isAfterLater: false });
    expect(
      seen(sent, [
        ['a', 2, never],
        ['b', 3, once],
      ]),
    ).toMatchObject({ last: never, isShown: false });
  });

  it('comes after the effect of a later event, where that was seen before', () => {
    const looks: readonly Look[] = [
      ['later', 5, once],
      ['a', 6, unknown],
    ];
    const isAfterLater = (sent: readonly Sent[], all: readonly Look[]) => seen(sent, all)?.isAfterLater;
    const inTurn: readonly Sent[] = [
      ['a', 1],
      ['later', 1],
    ];
    expect(isAfterLater(inTurn, looks)).toBe(true);
    expect(isAfterLater(inTurn, looks.toReversed())).toBe(false);
    expect(isAfterLater(inTurn, [['later', 5, never], ...looks.slice(1)])).toBe(false);
    expect(isAfterLater(inTurn, [['b', 5, once], ...looks.slice(1)])).toBe(false);
    expect(
      isAfterLater(
        [
          ['later', 1],
          ['a', 2],
        ],
        looks,
      ),
    ).toBe(false);
    expect(isAfterLater([['a', 1]], looks)).toBe(false);
  });
});

describe('where the effect of a later event was not seen', () => {
  const finding = (found: (line: EffectLine) => EffectLine['found']): DriveTrace => {
    const good = goodDrive({ effectsWaitMs: 1_500 });
    return { ...good, effects: good.effects.map((line) => ({ ...line, found: found(line) })) };
  };

  it('the wait is named in seconds', () => {
    const text = 'the effect of a later event was not seen within 1.5 s: raise --effects-wait';
    expect(notYetText(finding(() => never))).toBe(text);
    expect(notYetText({ ...finding(() => never), effects: [] })).toBe(text);
  });

  it('events may be lost too where other messages had effects; of forgeries none is expected', () => {
    const trace = finding((line) => (line.messageId === idOf('repeated') ? once : unknown));
    const asked = trace.effects.filter(
      (line) => line.case !== 'effect.forged' || line.messageId.endsWith('_later'),
    );
    expect(notYetText(trace)).toBe(
      `the effect of a later event was not seen within 1.5 s, though effects of 1 of ${asked.length} messages were: ` +
        'raise --effects-wait, or events are lost',
    );
    expect(notYetText({ ...trace, effects: [...trace.effects, ...trace.effects] })).toContain(
      ` 1 of ${asked.length} messages`,
    );
  });

  it('the address may be wrong, or nothing stored, where every answer was 404', () => {
    expect(notYetText(finding(() => unknown))).toBe(
      'every answer of http://127.0.0.1:3000/effects was 404: check the address, or nothing is stored',
    );
    const unreadable = { kind: 'unreadable', detail: 'x' } as const;
    const mixed = finding((line) => (line.case === 'effect.forged' ? unreadable : unknown));
    expect(notYetText(mixed)).toMatch(/raise --effects-wait$/);
  });
});

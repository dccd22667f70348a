import { describe, expect, it } from 'vitest';
import { driveCases } from '../../../contract/webhooks/drive/registry.ts';
import type { DriveTrace, EffectLine } from '../../../contract/webhooks/drive/trace.ts';
import { judgeDrive } from './judge-drive.ts';
import { altered, goodDrive } from './testing/drives.ts';

function verdictOn(id: string, trace: DriveTrace) {
  return judgeDrive(trace).cases.find((one) => one.case === id)?.verdict;
}

const isLater = ({ messageId }: EffectLine): boolean => messageId.endsWith('_later');

type Found = EffectLine['found'];

/** Looks of one case that found something else. */
function looking(id: string, change: (line: EffectLine) => Found): DriveTrace {
  const good = goodDrive();
  return {
    ...good,
    effects: good.effects.map((line) => (line.case === id ? { ...line, found: change(line) } : line)),
  };
}

const known = (state: string, handled: number | null): Found => ({ kind: 'known', state, handled });
const unknown: Found = { kind: 'unknown' };

describe('an effect that is not there yet', () => {
  it.each([
    ['effect.once-in-turn', unknown],
    ['effect.once-in-turn', known('received', 0)],
    ['effect.once-in-turn', known('received', 1)],
    ['effect.once-at-once', unknown],
    ['effect.any-order', unknown],
    ['effect.any-order', known('delivered', 2)],
    ['effect.any-order', known('read', 2)],
    ['effect.forged', unknown],
  ])('%s is open while the effect of a later event is not seen: %j', (id, found) => {
    for (const later of [unknown, known('', 0), { kind: 'unreadable', detail: 'x' } as const]) {
      const trace = looking(id, (line) => (isLater(line) ? later : found));
      expect(verdictOn(id, trace)).toMatchObject({
        kind: 'inconclusive',
        reason: expect.stringMatching(
          /the effect of a later event was not seen within 1 s, .* raise --effects-wait, or events are lost$/,
        ),
      });
    }
  });

  it.each([
    [known('received', 1), /^repeated: as expected, and the effect of a later event/],
    [unknown, /^repeated: not known, and the effect of a later event/],
    [known('received', null), /^repeated: the answer of the effects URL has no "handled"$/],
  ])('is said beside what is there: %j', (found, reason) => {
    const trace = looking('effect.once-in-turn', (line) => (isLater(line) ? unknown : found));
    expect(verdictOn('effect.once-in-turn', trace)).toMatchObject({ reason: expect.stringMatching(reason) });
  });

  it('is not asked of a case that was not chosen', () => {
    const good = goodDrive({
      cases: driveCases.map(({ id }) => id).filter((id) => id !== 'forged.wrong-secret'),
    });
    const trace = {
      ...altered(good, 'forged.wrong-secret', () => null),
      effects: good.effects.filter(({ messageId }) => !messageId.includes('_forged.wrong-secret_')),
    };
    expect(trace.effects.length).toBeLessThan(good.effects.length);
    expect(verdictOn('effect.forged', trace)?.kind).toBe('held');
  });

  it('is not excused by an effect of the later event that was seen afterwards', () => {
    const good = looking('effect.once-in-turn', (line) => (isLater(line) ? known('', 1) : unknown));
    const [late, ...rest] = good.effects.filter((line) => line.case === 'effect.once-in-turn');
    const others = good.effects.filter((line) => line.case !== 'effect.once-in-turn');
    const trace = { ...good, effects: [...others, ...rest, late!] };
    expect(verdictOn('effect.once-in-turn', trace)?.kind).toBe('inconclusive');
  });

  it.each([
    ['the later event was sent before', 'later', { sentMs: 999 }],
    ['the last look came before the event', 'repeated-again', { sentMs: 2_001 }],
  ])('is open where %s', (_what, name, change) => {
    const trace = altered(goodDrive(), 'effect.once-in-turn', (line) =>
      line.name === name ? { ...change, receivedMs: change.sentMs + 10 } : {},
    );
    expect(verdictOn('effect.once-in-turn', trace)?.kind).toBe('inconclusive');
  });

  it.each([
    ['effect.once-in-turn', known('received', 2)],
    ['effect.forged', known('received', 1)],
  ])('%s fails all the same by what can’t be undone: %j', (id, found) => {
    const trace = looking(id, (line) => (isLater(line) ? unknown : found));
    expect(verdictOn(id, trace)?.kind).toBe('violated');
  });
});

it('an address at which nothing is known is named once for all cases', () => {
  const good = goodDrive();
  const trace = { ...good, effects: good.effects.map((line) => ({ ...line, found: unknown })) };
  for (const id of ['effect.once-in-turn', 'effect.any-order', 'effect.forged'])
    expect(verdictOn(id, trace)).toEqual({
      kind: 'inconclusive',
      reason:
        'every answer of http://127.0.0.1:3000/effects was 404: check the address, or nothing is stored',
      because: [],
    });
});

describe('the likely cause', () => {
  it('is a loss where the effect of a later event was seen', () => {
    const trace = looking('effect.once-in-turn', (line) => (isLater(line) ? known('', 1) : unknown));
    expect(verdictOn('effect.once-in-turn', trace)).toMatchObject({
      kind: 'violated',
      likely: expect.stringContaining('acknowledged and then lost'),
    });
  });

  /** The message of each order is named by it, e.g. `read-sent-delivered`. */
  const orderOf = ({ messageId }: EffectLine): readonly string[] =>
    messageId.split('_').at(-1)?.split('-') ?? [];

  it.each([1, null])('is that the id of the message alone is remembered, by a count of %s', (handled) => {
    const trace = looking('effect.any-order', (line) =>
      isLater(line) ? known('', 1) : known(orderOf(line)[0] ?? '', handled),
    );
    expect(verdictOn('effect.any-order', trace)).toMatchObject({
      kind: 'violated',
      deliveriesTotal: 12,
      likely: expect.stringContaining('only the id of the message is remembered'),
    });
  });

  it.each([
    ['the last event', -1, 3],
    ['the last event, which alone was handled', -1, 1],
    ['the first event, though all were handled', 0, 3],
  ])('is the order where the state is of %s', (_what, at, handled) => {
    const trace = looking('effect.any-order', (line) =>
      isLater(line) ? known('', 1) : known(orderOf(line).at(at) ?? '', handled),
    );
    expect(verdictOn('effect.any-order', trace)).toMatchObject({
      likely: expect.stringContaining('the state of the last event to arrive is stored'),
    });
  });
});

describe('the likely cause of several wrong messages', () => {
  it('is named where it explains all of them', () => {
    const first = known('sent', 1);
    const wrong: Readonly<Record<string, Found>> = {
      'sent-read-delivered': first,
      'read-delivered-sent': unknown,
    };
    const trace = looking('effect.any-order', (line) => {
      const order = line.messageId.split('_').at(-1) ?? '';
      return wrong[order] ?? line.found;
    });
    expect(verdictOn('effect.any-order', trace)).toMatchObject({
      observed: expect.stringContaining('2 of 6 messages are wrong'),
      likely: expect.stringContaining('the state of the last event to arrive is stored'),
    });
  });

  it('is no lack of memory where a forgery was handled', () => {
    const trace = looking('effect.forged', (line) =>
      line.messageId.endsWith('_unsigned') ? known('received', 1) : line.found,
    );
    const verdict = verdictOn('effect.forged', trace);
    expect(verdict?.kind).toBe('violated');
    expect(JSON.stringify(verdict)).not.toContain('only the id of the message');
  });
});

describe('several failures with one cause', () => {
  const likelyOf = (trace: DriveTrace, id: string): string => {
    const verdict = verdictOn(id, trace);
    return verdict?.kind === 'violated' ? verdict.likely : String(verdict?.kind);
  };

  const refusing = (...ids: readonly string[]): DriveTrace =>
    ids.reduce((trace, id) => altered(trace, id, () => ({ status: 401 })), goodDrive());

  it('is JSON that is written anew', () => {
    const trace = refusing('allowed.escaped', 'allowed.white-space');
    for (const id of ['allowed.escaped', 'allowed.white-space'])
      expect(likelyOf(trace, id)).toContain('parsed and written again');
    expect(likelyOf(refusing('allowed.white-space'), 'allowed.white-space')).not.toContain('these');
    const decoded = refusing('allowed.escaped', 'allowed.unescaped');
    expect(likelyOf(decoded, 'allowed.unescaped')).toContain('text in another encoding');
  });

  it('is an exception, for each status', () => {
    const statuses: Readonly<Record<string, number>> = {
      'valid.sent': 500,
      'valid.read': 500,
      'valid.failed': 502,
    };
    const trace = Object.entries(statuses).reduce(
      (before, [id, status]) => altered(before, id, () => ({ status })),
      goodDrive(),
    );
    expect(likelyOf(trace, 'valid.sent')).toBe(
      'one exception for all of these, answered 500: the log of the receiver shows it',
    );
    expect(likelyOf(trace, 'valid.read')).toBe(likelyOf(trace, 'valid.sent'));
    expect(likelyOf(trace, 'valid.failed')).toMatch(/not a decision of the receiver: its log shows it$/);
    expect(
      likelyOf(
        altered(goodDrive(), 'tolerated.unknown-event', () => ({ status: 500 })),
        'tolerated.unknown-event',
      ),
    ).toContain('perhaps there is no branch for other events');
  });

  it('is work before the answer', () => {
    const trace = ['valid.sent', 'allowed.large'].reduce(
      (before, id) => altered(before, id, () => ({ receivedMs: 9_000 })),
      goodDrive(),
    );
    for (const id of ['valid.sent', 'allowed.large'])
      expect(likelyOf(trace, id)).toBe('the work is done before the answer: answer first, work later');
  });
});

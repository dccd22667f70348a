import { describe, expect, it } from 'vitest';
import type { DriveTrace, EffectLine } from '../../../contract/webhooks/drive/trace.ts';
import { judgeDrive } from './judge-drive.ts';
import { altered, goodDrive } from './testing/drives.ts';

const id = 'effect.under-load';

function verdictOn(trace: DriveTrace) {
  return judgeDrive(trace).cases.find((one) => one.case === id)?.verdict;
}

type Found = EffectLine['found'];

const unknown: Found = { kind: 'unknown' };
const known = (state: string | null, handled: number | null): Found => ({ kind: 'known', state, handled });

const isMessage = ({ case: of, messageId }: EffectLine): boolean =>
  of === id && !messageId.endsWith('_later');

/** The good drive, where looks at messages of the burst found something else, by the number of the message. */
function finding(change: (message: number) => Found | null, trace = goodDrive()): DriveTrace {
  const effects = trace.effects.map((line) => {
    const found = isMessage(line) ? change(Number(line.messageId.split('-').at(-1))) : null;
    return found === null ? line : { ...line, found };
  });
  return { ...trace, effects };
}

describe('what became of a burst', () => {
  it('is as expected where each message was read at the end', () => {
    expect(verdictOn(goodDrive())).toEqual({ kind: 'held', summary: 'as expected for 10 messages' });
  });

  it('is lost where no message had an effect', () => {
    expect(verdictOn(finding(() => unknown))).toMatchObject({
      kind: 'violated',
      reason: 'wrong-effect',
      observed:
        'of 10 messages of the burst, all of whose events were answered 2xx: 10 without any effect, so that 30 events are lost',
      likely: expect.stringContaining('acknowledged and then lost when many come'),
      deliveriesTotal: 30,
    });
  });

  it('is lost in part where some messages had no effect, or not all of them', () => {
    const trace = finding((message) => [unknown, known('', 0), known('sent', 1)][message] ?? null);
    expect(verdictOn(trace)).toMatchObject({
      observed: expect.stringContaining(
        ': 2 without any effect, so that 6 events are lost, and 1 in another state than "read", or with fewer effects than events',
      ),
      likely: expect.stringContaining('lost'),
      deliveriesTotal: 9,
    });
    expect(verdictOn(finding(() => known('delivered', null)))).toMatchObject({
      observed: expect.stringMatching(
        /2xx: 10 in another state than "read", or with fewer effects than events$/,
      ),
      likely: expect.stringContaining('acknowledged and then lost'),
    });
  });

  it('is lost in part where messages were read with too few effects, by who counts each event in any order', () => {
    const orders = (handled: number, at = 0) => {
      const good = finding(() => known('read', 2));
      let looks = -1;
      const effects = good.effects.map((line) => {
        if (line.case !== 'effect.any-order' || line.messageId.endsWith('_later')) return line;
        looks += 1;
        return { ...line, found: known('read', looks === at ? handled : 3) };
      });
      return verdictOn({ ...good, effects });
    };
    expect(orders(3)).toMatchObject({
      kind: 'violated',
      observed: expect.stringMatching(/2xx: 10 in another state .* fewer effects than events$/),
      likely: expect.stringContaining('acknowledged and then lost'),
    });
    // Who does not count what comes too late has lost nothing.
    expect(orders(2)?.kind).toBe('held');
    expect(orders(2, 5)?.kind).toBe('held');
  });

  it('is out of order where all events were handled', () => {
    const trace = finding((message) => (message < 2 ? known('sent', 3) : null));
    expect(verdictOn(trace)).toMatchObject({
      kind: 'violated',
      likely: expect.stringContaining('no event is lost, but some overtook others'),
    });
  });

  it('is said of a sample, where there were too many to ask about', () => {
    const many = goodDrive({ burst: { eventsPerSecond: 6_000, seconds: 1 } });
    expect(verdictOn(many)).toEqual({
      kind: 'held',
      summary: 'as expected for 100 (a sample of the burst’s 2,000) messages',
    });
  });
});

describe('what became of a burst is open', () => {
  it('where the effect of a later event was not seen', () => {
    const lost = finding(() => unknown);
    const effects = lost.effects.filter((line) => line.case !== id || isMessage(line));
    expect(verdictOn({ ...lost, effects })).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringMatching(/^messages of the burst: .*raise --effects-wait, or events are lost$/),
    });
  });

  it('where one message of it shows nothing', () => {
    const trace = finding((message) => (message === 3 ? { kind: 'unreadable', detail: 'x' } : null));
    expect(verdictOn(trace)?.kind).toBe('inconclusive');
  });

  it.each([
    ['still', 3_600, 'inconclusive'],
    ['long before the end', 3_400, 'violated'],
  ] as const)('where effects appeared %s', (_when, atMs, kind) => {
    const lost = finding((message) => (message === 9 ? null : unknown));
    const looks = lost.effects.filter(isMessage);
    const last = looks.at(-1)!;
    // The later event's effect was seen after 2 s, and the last look is after 5 s.
    const effects = [
      ...lost.effects.filter((line) => !isMessage(line)),
      ...looks.map((line) => ({ ...line, found: unknown })),
      { ...last, atMs },
      ...looks.map((line) => ({ ...line, atMs: 5_000 })),
    ];
    const trace = { ...lost, effects };
    expect(verdictOn(trace)).toMatchObject({
      kind,
      ...(kind === 'inconclusive' && { reason: expect.stringContaining('9 of 10 messages had not all') }),
    });
  });

  it('where events of it were refused', () => {
    expect(verdictOn(altered(goodDrive(), 'burst.answers', () => ({ status: 503 })))).toMatchObject({
      because: ['burst.answers'],
    });
  });
});

describe('what became of a burst is not assessed', () => {
  it('where no effects were looked at, and says so', () => {
    expect(verdictOn(goodDrive({ effects: null }))).toEqual({
      kind: 'not-applicable',
      reason:
        'what became of the burst’s events was not looked at, for no URL for the effects was given: name one with --effects',
    });
  });

  it('where it had not all events of one message', () => {
    const trace = goodDrive({ burst: { eventsPerSecond: 2, seconds: 1 } });
    expect(verdictOn(trace)).toMatchObject({
      kind: 'not-applicable',
      reason: expect.stringContaining('too short'),
    });
  });
});

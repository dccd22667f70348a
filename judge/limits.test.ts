import { describe, expect, it, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import {
  admitted,
  type Given,
  limited,
  type Setting,
  times,
  traceOf,
  traceOfDocument,
} from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

function verdictOf(clause: ClauseId, exchanges: readonly Exchange[], setting: Setting = {}) {
  return verdictOn(clause, traceOf(exchanges, setting));
}

/** Filled twice, with a 429 just before the first place returns and one after each filling. */
function filledTwice(count: number, given: Given = {}): readonly Exchange[] {
  return [
    ...times(count, () => admitted(0, 5, given)),
    limited(100, 105, given),
    limited(59_900, 59_905, given),
    ...times(count, () => admitted(61_500, 61_505, given)),
    limited(61_600, 61_605, given),
  ];
}

const messages: Given = { scope: 'messages', path: '/v1/messages' };
const below: Given = { ...messages, route: 'subpath', path: '/v1/messages/1' };
const withSubpath: Setting = {
  deployment: { requests: { messagesSubpath: { method: 'GET', path: '/v1/messages/1' } } },
};

describe('a limit', () => {
  it('is held by what was seen in its own scope, and says how much was never admitted, and within what', () => {
    expect(verdictOf('limits.media', filledTwice(30))).toEqual({
      kind: 'held',
      summary: '30 admitted, then 429s, twice; 31 never within 60.000 s; watched for 62 s, not beyond',
    });
    for (const clause of ['limits.standard', 'limits.messages'] as const) {
      expect(verdictOf(clause, filledTwice(30)), clause).toMatchObject({ kind: 'inconclusive', because: [] });
    }
  });

  it.each(['limits.media', 'window.length', 'window.granularity'] as const)(
    'says nothing of bursts of k6 alone: %s',
    (clause) => {
      expect(verdictOf(clause, filledTwice(30))?.kind).toBe('held');
      const byK6 = filledTwice(30, { driver: 'k6', sentOnce: true });
      expect(verdictOf(clause, byK6)).toMatchObject({ kind: 'inconclusive', because: [] });
    },
  );
});

it('of several that another one keeps from being reached is not probed', () => {
  const also = [
    { name: 'more', limit: 5, windowSeconds: 60 },
    { name: 'less', limit: 3, windowSeconds: 10 },
  ];
  const media = { title: 'media', limit: 4, also };
  const verdict = (name: string, count: number) =>
    verdictOn(
      `limits.media${name}`,
      traceOfDocument(
        times(count, () => admitted(0, 5)),
        { scopes: { media } },
      ),
    );
  expect(verdict('.more', 2)).toEqual({
    kind: 'not-applicable',
    reason: 'not probed: limits.media keeps it from being reached; more than it would still be seen',
  });
  for (const name of ['', '.less']) expect(verdict(name, 2)?.kind, name).toBe('inconclusive');
  expect(verdict('', 6)?.kind).toBe('violated');
});

describe('counted apart', () => {
  const full = times(300, () => admitted(0, 5, messages));

  it('are keys and scopes of which one is admitted while the other is full', () => {
    expect(verdictOf('limits.per-key', [...full, admitted(100, 105, { ...messages, key: 'B' })])).toEqual({
      kind: 'held',
      summary: 'key B admitted at messages when one shared window would already have held 300 requests',
    });
    expect(verdictOf('limits.per-scope', [...full, admitted(100, 105)])).toEqual({
      kind: 'held',
      summary: 'key A admitted at media when one shared window would already have held 300 requests',
    });
  });

  it('are none that no admission shows, nor keys of which there is but one', () => {
    const reason = 'no request was admitted at a moment when one shared count would have refused it';
    expect(verdictOf('limits.per-key', full)).toMatchObject({ kind: 'inconclusive', reason });
    expect(verdictOf('limits.per-scope', full)).toMatchObject({ kind: 'inconclusive', reason });
    expect(verdictOf('limits.per-key', full, { keys: ['A'] })).toMatchObject({
      reason: 'not run: needs a second key (--key-env A,B)',
    });
  });
});

describe('paths below /v1/messages', () => {
  const filled = times(300, () => admitted(0, 5, messages));

  it('share the window where one of few of them got a 429', () => {
    const later = times(2, () => admitted(61_000, 61_005, below));
    const probes = [admitted(-10, -5, below), ...filled.slice(1), limited(100, 105, below), ...later];
    expect(verdictOf('limits.messages-subpaths', probes, withSubpath)).toEqual({
      kind: 'held',
      summary: 'a path below /v1/messages got a 429 after 1 request of its own: it shares the window',
    });
  });

  it('are shown by nothing where none got a 429, or as many were sent as the limit', () => {
    const admittedBelow = [admitted(-10, -5, below), ...filled.slice(1), limited(100, 105, messages)];
    const many = [...times(299, () => admitted(0, 5, below)), limited(100, 105, below)];
    for (const exchanges of [admittedBelow, many]) {
      expect(verdictOf('limits.messages-subpaths', exchanges, withSubpath)).toEqual({
        kind: 'inconclusive',
        reason: 'no request below /v1/messages met a full window',
        because: [],
      });
    }
  });

  it('are not run where no request to one of them is set', () => {
    expect(verdictOf('limits.messages-subpaths', filled)).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining('set requests.messagesSubpath'),
      openBy: 'settings',
    });
  });

  it('are none of another scope', () => {
    const others = [...filledTwice(30), limited(61_700, 61_705, { route: 'subpath' })];
    expect(verdictOf('limits.messages-subpaths', others, withSubpath)?.kind).toBe('inconclusive');
  });
});

describe('whether rejections count', () => {
  it('is seen where the window refills although it was refused much', () => {
    const trace = [
      ...filledTwice(30).slice(0, 31),
      ...times(30, () => limited(1_000, 1_005)),
      ...times(30, () => admitted(60_100, 60_105)),
    ];
    expect(verdictOf('limits.rejections-count', trace)).toEqual({
      kind: 'observed',
      value: 'rejected requests do not count',
    });
  });

  it('is seen where rejections keep the window full', () => {
    // No place was taken by an admission for more than a minute and a second.
    const trace = [
      ...times(30, () => admitted(0, 5)),
      ...times(30, () => limited(3_000, 3_005)),
      limited(62_000, 62_005),
    ];
    expect(verdictOf('limits.rejections-count', trace)).toEqual({
      kind: 'observed',
      value: 'rejected requests count',
    });
  });

  it('is open where a jump of the clock alone may have made it seem so', () => {
    const late = limited(62_000, 62_005);
    const jumped = { ...late, wallSentMs: late.sentMs + 700, wallReceivedMs: late.sentMs + 705 };
    const trace = [...times(30, () => admitted(0, 5)), ...times(30, () => limited(3_000, 3_005)), jumped];
    expect(verdictOf('limits.rejections-count', trace)).toEqual({
      kind: 'inconclusive',
      reason: 'rejected requests may count or not: what was seen fits both',
      because: [],
    });
  });

  it('is open where what was refused fits both', () => {
    expect(verdictOf('limits.rejections-count', filledTwice(30).slice(0, 31))).toEqual({
      kind: 'inconclusive',
      reason: 'rejected requests may count or not: what was seen fits both',
      because: [],
    });
  });

  it('is open where nothing was refused', () => {
    expect(
      verdictOf(
        'limits.rejections-count',
        times(5, () => admitted(0, 5)),
      )?.kind,
    ).toBe('inconclusive');
  });
});

describe('a cap per second', () => {
  const standard: Given = { scope: 'standard' };

  test('is none where more than it names passed within a second', () => {
    expect(
      verdictOf(
        'limits.per-second',
        times(5, (at) => admitted(at * 5, at * 5 + 5, standard)),
      ),
    ).toEqual({
      kind: 'observed',
      value: 'standard: no cap, 3 requests were admitted within 16 ms',
    });
  });

  test('may be of a kind that allowed what passed', () => {
    const three = times(3, (at) => admitted(at * 10, at * 10 + 5, standard));
    expect(verdictOf('limits.per-second', three)).toEqual({
      kind: 'observed',
      value: 'standard: if there is a cap, it is by a second of the clock',
    });
  });

  test('was not met where no more than it names passed in any second', () => {
    expect(
      verdictOf(
        'limits.per-second',
        times(3, (at) => admitted(at * 600, at * 600 + 5, standard)),
      ),
    ).toEqual({
      kind: 'observed',
      value: 'standard: more than 2 admitted in one second were not seen for certain',
    });
  });

  test('is not to be seen where no more than it names was sent, or there is no such figure', () => {
    expect(
      verdictOf(
        'limits.per-second',
        times(2, () => admitted(0, 5, standard)),
      )?.kind,
    ).toBe('inconclusive');
    expect(
      verdictOf(
        'limits.per-second',
        times(9, () => admitted(0, 5)),
      )?.kind,
    ).toBe('inconclusive');
  });
});

import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import { admitted, indeterminate, limited, type Setting, times, traceOf } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

function verdictOf(clause: ClauseId, exchanges: readonly Exchange[], setting: Setting = {}) {
  return verdictOn(clause, traceOf(exchanges, setting));
}

const filled = times(30, () => admitted(0, 5));
const refilled = [...times(30, () => admitted(61_500, 61_505)), limited(61_600, 61_605)];
const ofK6 = { driver: 'k6', sentOnce: true } as const;
const known = ['limits.media', 'window.length', 'window.granularity'] as const;
const counting = [...known, 'window.rolling'] as const;

describe('held is a claim too', () => {
  test('a window that is known from 59.9 to 61.5 s is a minute', () => {
    const trace = [...filled, limited(100, 105), limited(59_900, 59_905), ...refilled];
    for (const clause of known) expect(verdictOf(clause, trace)?.kind, clause).toBe('held');
  });

  test('a window that may as well begin anew each minute is not held to roll', () => {
    const trace = [...filled, limited(100, 105), limited(59_900, 59_905), ...refilled];
    expect(verdictOf('window.rolling', trace)).toMatchObject({
      kind: 'inconclusive',
      because: [],
      reason: expect.stringContaining(
        'media did is explained as well by a window of 60.000 s that begins anew once it has ended',
      ),
    });
    const one = [...times(29, () => admitted(2_000, 2_005)), limited(2_100, 2_105), limited(59_900, 59_905)];
    const back = [
      limited(61_700, 61_705),
      ...times(29, () => admitted(62_200, 62_205)),
      limited(62_300, 62_305),
    ];
    expect(
      verdictOf('window.rolling', [admitted(0, 5), ...one, admitted(61_500, 61_505), ...back])?.kind,
    ).toBe('held');
  });

  test('nor is one that may only if rejections count', () => {
    // Five places come back, and the others do not: but these many 429s would fill a window that began with the five.
    const rolled = (refused: number) => [
      ...times(5, () => admitted(0, 5)),
      ...times(25, () => admitted(1_200, 1_205)),
      limited(1_206, 1_210),
      ...times(5, () => admitted(61_100, 61_105)),
      ...times(refused, () => limited(61_190, 61_195)),
    ];
    expect(verdictOf('window.rolling', rolled(26))).toMatchObject({
      reason: expect.stringContaining('begins anew'),
    });
    const ofK6Alone = rolled(24).map((one) => ({ ...one, ...ofK6 }));
    for (const clause of ['window.rolling', 'window.length', 'window.granularity'] as const) {
      expect(verdictOf(clause, rolled(24))?.kind, clause).toBe('held');
      expect(verdictOf(clause, ofK6Alone)?.kind, clause).toBe('inconclusive');
    }
  });

  test('a limit is held for as long as it was watched, and says how long', () => {
    const trace = [...filled, limited(100, 105), limited(59_900, 59_905), ...refilled];
    expect(verdictOf('limits.media', trace)).toMatchObject({
      kind: 'held',
      summary: expect.stringContaining('watched for 62 s, not beyond'),
    });
  });

  test('a window that may as well last 45 s holds nothing', () => {
    const trace = [...filled, limited(100, 105), limited(19_000, 19_005), ...refilled];
    for (const clause of counting) {
      expect(verdictOf(clause, trace), clause).toMatchObject({
        kind: 'inconclusive',
        because: [],
        reason: expect.stringMatching(/media .* from 18\.98. s to 61\.53. s/),
      });
    }
  });

  test('a second key that was filled once, long after its first request, spoils nothing', () => {
    const once = [...times(30, () => admitted(0, 5)), ...times(16, () => limited(100, 105))];
    const other = [admitted(-62_000, -61_995), ...once].map((exchange) => ({ ...exchange, key: 'B' }));
    const trace = [...filled, limited(100, 105), limited(59_900, 59_905), ...refilled, ...other];
    for (const clause of known) expect(verdictOf(clause, trace)?.kind, clause).toBe('held');
  });

  test('a length that only counting in parts of a second saves is not held', () => {
    const trace = [...filled, limited(100, 105), limited(60_200, 60_205), ...refilled];
    expect(verdictOf('limits.media', trace)?.kind).toBe('held');
    expect(verdictOf('window.granularity', trace)?.kind).toBe('violated');
    expect(verdictOf('window.length', trace)).toMatchObject({
      kind: 'inconclusive',
      because: ['window.granularity'],
      reason: expect.stringMatching(
        /^a window of 60\.850 s ± 0\.680 explains what media did, and so does one of 60\.000 s/,
      ),
    });
  });

  test('where no exact length explains the 429s, that is why nothing is held', () => {
    const taken = [
      ...times(3, () => admitted(0, 5)),
      ...times(27, () => admitted(600, 605)),
      limited(700, 705),
    ];
    const back = [...times(30, () => admitted(61_010, 61_015)), limited(61_100, 61_105)];
    const trace = [...taken, limited(60_900, 60_905), ...back, limited(61_200, 61_205)];
    expect(verdictOf('window.granularity', trace)).toMatchObject({
      kind: 'violated',
      evidence: { observed: expect.stringContaining('fit no exact window at all') },
    });
    for (const clause of ['limits.media', 'window.rolling', 'window.length'] as const) {
      expect(verdictOf(clause, trace), clause).toMatchObject({
        kind: 'inconclusive',
        because: ['window.granularity'],
        reason: expect.stringContaining('no exact length of window explains the 429s'),
      });
    }
  });

  test('where others may use the key, that is why nothing holds, not the length of the run', () => {
    const trace = [...filled, limited(100, 105), limited(59_900, 59_905), ...refilled];
    for (const clause of counting) {
      expect(verdictOf(clause, trace, { deployment: { exclusiveKeys: false } }), clause).toMatchObject({
        kind: 'inconclusive',
        reason: expect.stringContaining('exclusiveKeys: false'),
      });
    }
  });
});

test('whether rejections count is not said to fit both where a violation keeps it from being judged', () => {
  const trace = [...times(31, () => admitted(0, 5)), limited(100, 105)];
  expect(verdictOf('limits.rejections-count', trace)).toMatchObject({
    kind: 'inconclusive',
    because: ['limits.media'],
  });
});

describe('why capacity was not seen returning', () => {
  test.each<readonly [string, readonly Exchange[], RegExp]>([
    ['nothing was full', filled, /no 429 showed a window full$/],
    [
      'a burst of k6 that filled a window, and went on',
      [
        ...filled.slice(1),
        ...times(31, (at) => (at < 30 ? admitted : limited)(at, at + 5, { ...ofK6, scope: 'messages' })),
        admitted(90_000, 90_005, { ...ofK6, scope: 'messages' }),
      ],
      /no 429 showed a window full$/,
    ],
    [
      'a burst of k6 that lasted longer than the probes',
      [...filled, limited(100, 105), admitted(90_000, 90_005, { ...ofK6, scope: 'messages' })],
      /sent for 0\.100 s, which is less than a window$/,
    ],
    ['too short a run', [...filled, limited(100, 105)], /sent for 0\.100 s, which is less than a window$/],
    [
      'a run that lasted longer than a window is not called shorter',
      [...filled, limited(100, 105), admitted(60_100, 60_105)],
      /no window was seen full and, once it had passed, full again$/,
    ],
  ])('%s', (_name, exchanges, reason) => {
    for (const clause of ['window.rolling', 'window.length', 'window.granularity'] as const) {
      const expected = { kind: 'inconclusive', reason: expect.stringMatching(reason) };
      expect(verdictOf(clause, exchanges), clause).toMatchObject(expected);
    }
  });
});

describe('a valid key alone is what is served', () => {
  const keyless = { credential: 'absent', key: null, outcome: 'refused' } as const;
  const served = admitted(0, 5);

  test('where something without one was sent and refused', () => {
    expect(verdictOf('auth.bearer', [served, admitted(10, 15, { ...keyless, status: 401 })])).toEqual({
      kind: 'held',
      summary: '1 served with a valid key, 1 refused without one',
    });
  });

  test('and is not known where nothing was, or where only another layer answered', () => {
    expect(verdictOf('auth.bearer', [served])).toMatchObject({
      kind: 'inconclusive',
      reason: 'no request without a key was sent',
    });
    const ofProxy = admitted(10, 15, { ...keyless, status: 502 });
    expect(verdictOf('auth.bearer', [served, ofProxy])?.kind).toBe('inconclusive');
    const lost = indeterminate(10, { ...keyless, outcome: 'indeterminate' });
    expect(verdictOf('auth.bearer', [served, lost])?.kind).toBe('inconclusive');
  });

  test('and is not asked where the settings forbid it', () => {
    const setting = { deployment: { probeWithoutKey: false } };
    expect(verdictOf('auth.bearer', [served], setting)?.kind).toBe('not-applicable');
  });
});

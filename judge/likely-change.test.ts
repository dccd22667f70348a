import { describe, expect, test } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { caseOf } from './case.ts';
import { examineVerdicts } from './examination.ts';
import { likelyChanges } from './likely-change.ts';
import { admitted, type Given, indeterminate, limited, times, traceOf } from './testing/traces.ts';

function changesIn(exchanges: readonly Exchange[]): readonly string[] {
  const trace = traceOf(exchanges);
  const changes = likelyChanges(caseOf(trace));
  // Whoever asks for verdicts alone is told as well.
  expect(examineVerdicts(trace).changes).toEqual(changes);
  return changes;
}

/** Answers at one scope from a moment on, whose window held so many before. */
const counted = (scope: 'media' | 'standard', fromMs: number, held: number, given: Given = {}): Exchange[] =>
  times(5, (at) => {
    const remaining = String((scope === 'media' ? 30 : 120) - held - at - 1);
    return admitted(fromMs + 10 * at, fromMs + 10 * at + 5, { scope, remaining, ...given });
  });

const emptied = (server: string) => [
  ...counted('media', 0, 0, { server: 'api/1' }),
  ...counted('standard', 100, 0, { server: 'api/1' }),
  ...counted('media', 20_000, 0, { server }),
  ...counted('standard', 20_100, 0, { server }),
];

const reset = indeterminate(10_000, { failure: 'connection reset (ECONNRESET)' });

describe('a restart is likely', () => {
  test('where all windows were empty at once, and connections broke', () => {
    expect(changesIn([...emptied('api/1'), reset])).toEqual([
      'the service seems to have restarted between +0.1 s and +20.0 s, and to have lost its counts: all windows were empty ' +
        'again at once, and a connection broke. Counts that outlive a restart are kept outside of the process',
    ]);
  });

  test('where a window was full until then, and no other was held', () => {
    const quiet = (given: Given) =>
      times(5, (at) => admitted(10 * at, 10 * at + 5, { remaining: null, ...given }));
    const failed = admitted(9_000, 9_005, { status: 503, remaining: '29' });
    const full = [...quiet({}), failed, limited(10_000, 10_005), ...counted('media', 20_000, 0)];
    const other = [...counted('standard', 100, 0), ...counted('standard', 20_100, 0)];
    // A 429 after two requests, which somebody else may have brought about, and two requests in all.
    const ofB = [...quiet({ key: 'B' }).slice(0, 2), limited(10_000, 10_005, { key: 'B' })];
    const ofC = counted('media', 0, 0, { key: 'C' }).slice(0, 2);
    expect(changesIn([...full, ...other, ...ofB, ...ofC, reset])).toEqual([
      expect.stringContaining('restarted between +10.0 s and +20.0 s'),
    ]);
  });

  test('where what another key had held had left by the time it was asked again', () => {
    const ofB: Given = { key: 'B', server: 'api/1' };
    const left = [...counted('standard', 0, 0, ofB), ...counted('standard', 70_000, 0, ofB)];
    expect(changesIn([...emptied('api/1'), ...left, reset])).toEqual([
      expect.stringContaining('restarted between +0.1 s and +20.0 s'),
    ]);
    // An answer that still counts one of two shows that the window was kept.
    const again = (remaining: string) => admitted(30_000, 30_005, { ...ofB, scope: 'standard', remaining });
    const kept = (remaining: string) =>
      changesIn([...emptied('api/1'), ...left.slice(0, 2), again(remaining), reset]).length;
    expect([kept('117'), kept('118'), kept('119')]).toEqual([0, 0, 1]);
  });

  test('unless another key shows that it was kept: what it held until the last answer of before, from the first of after on', () => {
    const sentAt = (ms: number, receivedMs: number, remaining: string) =>
      admitted(ms, receivedMs, { key: 'B', scope: 'standard', remaining });
    const changes = (held: number, again: Exchange) => {
      const before = [sentAt(100, 105, '119'), sentAt(110, 115, '118'), sentAt(135, 140, '117')].slice(-held);
      return changesIn([...emptied('api/1'), ...before, again, reset]).length;
    };
    expect(changes(3, sentAt(30_000, 30_005, '117'))).toBe(0);
    expect(changes(2, sentAt(20_005, 20_010, '117'))).toBe(0);
    expect(changes(2, sentAt(20_004, 20_009, '117'))).toBe(1);
    expect(changes(1, sentAt(30_000, 30_005, '118'))).toBe(1);
  });

  test.each<readonly [string, (held: number) => readonly Exchange[]]>([
    ['that Remaining counted', (held) => counted('media', 0, 0, { key: 'B' }).slice(0, held)],
    [
      'that a 429 counted',
      (held) => [
        ...times(held, () => admitted(0, 5, { key: 'B', remaining: null })),
        limited(9_000, 9_005, { key: 'B' }),
      ],
    ],
  ])('where another window lost three requests %s, and not where it lost two', (_how, held) => {
    const one = [...counted('media', 0, 0), ...counted('media', 20_000, 0), reset];
    const again = admitted(20_000, 20_005, { key: 'B', remaining: '29' });
    expect([2, 3].map((count) => changesIn([...one, ...held(count), again]).length)).toEqual([0, 1]);
  });

  test('where all windows were empty at once, and another version answers', () => {
    const unnamed = [30, 21_000].map((ms) => admitted(ms, ms + 5, { scope: 'messages', remaining: null }));
    const failing = [500, 502].map((status) => admitted(40, 45, { status, server: 'edge', remaining: null }));
    expect(changesIn([...emptied('api/2'), ...unnamed, ...failing])).toEqual([
      expect.stringContaining(
        'all windows were empty again at once, and Server changed from api/1 to api/2.',
      ),
    ]);
  });
});

describe('what else began anew', () => {
  const kindsOf = (exchanges: readonly Exchange[]) =>
    changesIn(exchanges).map((text) => / at once, and ([^.]*)\. Counts/.exec(text.replaceAll('/1', ''))?.[1]);
  const broken = (ms: number, failure = reset.failure) => indeterminate(ms, { failure });

  test.each<readonly [string, readonly Exchange[], readonly string[]]>([
    ['a connection until two seconds after', [broken(21_000)], ['a connection broke']],
    ['a connection from two seconds before', [broken(-800)], ['a connection broke']],
    ['two', [broken(9_000), broken(9_000)], ['2 connections broke']],
    ['more than at all other times', [broken(9_000), broken(9_000), broken(30_000)], ['2 connections broke']],
    ['no more than at other times', [broken(9_000), broken(30_000)], []],
    ['none later', [broken(23_000)], []],
    ['none sooner', [broken(-3_000)], []],
    ['none that was merely slow', [broken(9_000, 'no answer within 10 s')], []],
  ])('may be connections: %s', (_which, breaks, expected) => {
    expect(kindsOf([...emptied('api/1'), ...breaks])).toEqual(expected);
  });

  /** Which answers name which server: the last before the windows were empty, and the next after it was seen. */
  const named = (before: readonly string[], after: readonly string[]) => [
    ...counted('media', 0, 0),
    ...counted('standard', 100, 0).slice(0, 4),
    ...before.map((server, at) =>
      admitted(140 - at, 145, { scope: at === 0 ? 'standard' : 'messages', remaining: '115', server }),
    ),
    ...(before.length === 0 ? counted('standard', 100, 0).slice(4) : []),
    ...counted('media', 20_000, 0),
    ...counted('standard', 20_100, 0),
    ...after.map((server, at) =>
      admitted(20_005 + at, 20_015, { scope: 'messages', remaining: null, server }),
    ),
  ];
  test.each<readonly [readonly string[], readonly string[], readonly string[]]>([
    [['a'], ['b'], ['Server changed from a to b']],
    [['a', 'b'], ['c'], []],
    [['a'], ['b', 'c'], []],
    [[], ['b'], []],
    [['a'], [], []],
  ])('may be the server: from %j to %j', (before, after, expected) => {
    expect(kindsOf(named(before, after))).toEqual(expected);
  });

  test('a window that lacks one of those it held was kept, one that lacks two was not', () => {
    const back = (remaining: number) => admitted(20_000, 20_005, { remaining: String(remaining) });
    const other = [...counted('standard', 100, 0), ...counted('standard', 20_100, 0), reset];
    const kinds = (remaining: number) => kindsOf([...counted('media', 0, 0), back(remaining), ...other]);
    expect([kinds(26), kinds(25)]).toEqual([['a connection broke'], []]);
  });
});

describe('nothing points to a restart', () => {
  test.each<readonly [string, readonly Exchange[]]>([
    ['where nothing else changed', emptied('api/1')],
    [
      'where connections broke long before',
      [...emptied('api/1'), { ...reset, sentMs: reset.sentMs - 20_000 }],
    ],
    [
      'where one window was kept',
      [
        ...emptied('api/2'),
        ...counted('standard', 30_000, 10, { key: 'B', server: 'api/2' }),
        ...counted('media', 0, 0, { key: 'B', server: 'api/1' }),
        ...counted('media', 25_000, 5, { key: 'B', server: 'api/2' }),
      ],
    ],
    [
      'where one window alone was emptied',
      [...counted('media', 0, 0), ...counted('media', 20_000, 0), reset],
    ],
    [
      'where one window still counted after another was empty, though a connection broke at about that time',
      [
        ...counted('media', 0, 0),
        ...counted('media', 1_000, 0),
        ...counted('standard', 2_000, 0),
        ...counted('standard', 3_000, 0),
        { ...reset, sentMs: reset.sentMs - 8_500 },
      ],
    ],
    [
      'where one window was full after another was empty, though a connection broke in between',
      [
        ...times(5, () => admitted(0, 5, { remaining: null })),
        limited(500, 505),
        ...counted('media', 1_000, 0),
        ...times(5, () => admitted(0, 5, { scope: 'standard', remaining: null })),
        limited(4_000, 4_005, { scope: 'standard' }),
        ...counted('standard', 9_000, 0),
        { ...reset, sentMs: reset.sentMs - 7_500 },
      ],
    ],
    [
      'where windows were emptied one after the other',
      [
        ...counted('media', 0, 0),
        ...counted('media', 1_000, 0),
        ...counted('standard', 5_000, 0),
        ...counted('standard', 9_000, 0),
        { ...reset, sentMs: reset.sentMs - 5_000 },
      ],
    ],
  ])('%s', (_where, exchanges) => {
    expect(changesIn(exchanges)).toEqual([]);
  });
});

describe('versions behind one address', () => {
  const answers = (servers: readonly (string | null)[]): Exchange[] =>
    servers.map((server, at) => admitted(100 * at, 100 * at + 5, { server, remaining: String(29 - at) }));

  test('answer in turn', () => {
    expect(changesIn(answers(['a/1', 'a/2', 'a/1', 'a/2']))).toEqual([
      'several versions seem to answer behind http://127.0.0.1:1: Server is a/1 and a/2 in turn. What one of them counts or ' +
        'says, the other may not',
    ]);
  });

  test('are named, four of them at most', () => {
    expect(changesIn(answers(['a/1', 'a/2', 'a/3', 'a/4', 'a/5']))).toEqual([
      expect.stringContaining('Server is a/1 and a/2 and a/3 and a/4 in turn.'),
    ]);
  });

  test.each([
    [['a/1', 'a/1', 'a/2', 'a/2']],
    [['a/1', 'a/2', 'a/1', 'a/1']],
    [[null, null, null, null]],
    [['a/1', null, 'a/1', null]],
    [['a/1', 'a/1', 'b/1', 'a/1']],
  ])('are not seen in %j', (servers) => {
    expect(changesIn(answers(servers))).toEqual([]);
  });

  test('are none where another layer answers in between, or the API fails', () => {
    const page: Given = { limit: null, remaining: null, reset: null, status: 502, server: 'nginx' };
    const mixed = (between: Given) =>
      [0, 200, 400].flatMap((ms, at) => [
        admitted(ms, ms + 5, { server: 'a/1', remaining: String(29 - at) }),
        admitted(ms + 100, ms + 105, between),
      ]);
    expect(changesIn(mixed(page))).toEqual([]);
    expect(changesIn(mixed({ ...page, status: 413 }))).toEqual([]);
    expect(changesIn(mixed({ status: 500, server: 'b/1' }))).toEqual([]);
  });
});

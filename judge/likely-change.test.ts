import { describe, expect, test } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { caseOf } from './case.ts';
import { likelyChanges } from './likely-change.ts';
import { admitted, type Given, indeterminate, times, traceOf } from './testing/traces.ts';

function changesIn(exchanges: readonly Exchange[]): readonly string[] {
  return likelyChanges(caseOf(traceOf(exchanges)));
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

  test('where all windows were empty at once, and another version answers', () => {
    expect(changesIn(emptied('api/2'))).toEqual([
      expect.stringContaining(
        'all windows were empty again at once, and Server changed from api/1 to api/2.',
      ),
    ]);
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

  test.each([
    [['a/1', 'a/1', 'a/2', 'a/2']],
    [['a/1', 'a/2', 'a/1', 'a/1']],
    [[null, null, null, null]],
    [['a/1', null, 'a/1', null]],
  ])('are not seen in %j', (servers) => {
    expect(changesIn(answers(servers))).toEqual([]);
  });

  test('are none where another layer answers in between', () => {
    const page: Given = { limit: null, remaining: null, reset: null, status: 502, server: 'nginx' };
    const mixed = [0, 200, 400].flatMap((ms, at) => [
      admitted(ms, ms + 5, { server: 'a/1', remaining: String(29 - at) }),
      admitted(ms + 100, ms + 105, page),
    ]);
    expect(changesIn(mixed)).toEqual([]);
  });
});

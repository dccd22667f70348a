import { describe, expect, it, test } from 'vitest';
import { deploymentSchema } from '../contract/deployment.ts';
import type { Exchange } from '../contract/exchange.ts';
import { type Group, groupsOf } from './entries.ts';
import { cappable, capsLeft } from './per-second-cap.ts';
import { admitted, limited, traceOf } from './testing/traces.ts';

const standard = { scope: 'standard' } as const;
const setting = (deployment: object = {}, stepped = false) => ({
  deployment: deploymentSchema.parse({ baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'], ...deployment }),
  stepped: () => stepped,
});

function groupOf(exchanges: readonly Exchange[]): Group {
  const [group] = groupsOf(traceOf(exchanges));
  if (group === undefined) throw new Error('no group');
  return group;
}

/** Admitted at these moments, where two per second are documented. */
const passedAt = (...moments: readonly number[]) => groupOf(moments.map((ms) => admitted(ms, ms, standard)));

const rolling = 'a rolling second';
const calendar = 'a second of the clock';
const bucket = 'a token bucket';
const gap = 'a gap between requests';

describe('the kinds of cap that two per second may be', () => {
  test.each<readonly [string, Group, readonly string[]]>([
    [
      'evenly, a little more than half a second apart',
      passedAt(0, 510, 1_020, 1_530, 2_040),
      [rolling, calendar, bucket, gap],
    ],
    ['two at once', passedAt(0, 0, 1_010, 1_010), [rolling, calendar, bucket]],
    ['two at once, and one each half second', passedAt(0, 0, 510, 1_020, 1_530), [calendar, bucket]],
    ['two at once, and one each 480 ms', passedAt(0, 0, 480, 960), [calendar]],
    ['two at once, then half a second late, and one too many later', passedAt(0, 0, 510, 980), [calendar]],
    ['four at once', passedAt(0, 0, 0, 0, 1_010), [calendar]],
    ['five at once', passedAt(0, 0, 0, 0, 980), []],
  ])('where requests passed %s', (_what, group, expected) => {
    expect(capsLeft(group, setting())).toEqual(expected);
  });

  test('are none by the settings, or where there is no such figure', () => {
    expect(capsLeft(passedAt(0), setting({ perSecond: 'average' }))).toEqual([]);
    expect(capsLeft(groupOf([admitted(0, 5)]), setting())).toEqual([]);
  });

  test('are all where the machine’s clocks moved apart meanwhile', () => {
    expect(capsLeft(passedAt(0, 0, 0, 0, 0), setting({}, true))).toEqual([rolling, calendar, bucket, gap]);
  });
});

describe('a 429 may come from such a cap', () => {
  const refused = (exchanges: readonly Exchange[], deployment: object = {}) =>
    [...cappable(groupOf(exchanges), setting(deployment))].map(
      ({ lowMs }, _at, all) => lowMs - (all[0]?.lowMs ?? 0),
    );
  const later = (ms: number) => [
    admitted(0, 0, standard),
    admitted(10_000, 10_000, standard),
    limited(ms, ms, standard),
  ];

  it('where another request came up to two seconds before', () => {
    expect(refused(later(11_990))).toHaveLength(1);
    expect(refused(later(12_010))).toHaveLength(0);
    expect(
      refused([
        admitted(0, 0, standard),
        limited(10_000, 10_000, standard),
        limited(10_010, 10_010, standard),
      ]),
    ).toHaveLength(1);
  });

  it('where it comes so soon that somebody else’s last requests may have filled the second', () => {
    expect(refused([limited(0, 0, standard), admitted(9_000, 9_000, standard)])).toHaveLength(1);
    expect(refused([admitted(0, 0, standard), limited(2_010, 2_010, standard)])).toHaveLength(0);
  });

  it('always where others use the key, and never where no kind of cap is left', () => {
    expect(refused(later(15_000), { exclusiveKeys: false })).toHaveLength(1);
    const five = [0, 0, 0, 0, 100].map((ms) => admitted(ms, ms, standard));
    expect(refused([...five, limited(200, 200, standard)])).toEqual([]);
  });
});

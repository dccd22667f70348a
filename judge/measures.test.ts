import { describe, expect, it } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import type { LoadLine } from '../contract/trace-lines.ts';
import { judgeTrace } from './judge-trace.ts';
import { latenciesOf, latencyText } from './latencies.ts';
import { admitted, type Given, indeterminate, limited, times, traceOf } from './testing/traces.ts';

const limits = { standard: 4, messages: 4, media: 4 };
const refused = (given: Given = {}): Exchange =>
  admitted(200, 205, { status: 503, outcome: 'refused', ...given });

function measured(exchanges: readonly Exchange[], loads: readonly LoadLine[] = []) {
  return judgeTrace({ ...traceOf(exchanges, { limits }), loads });
}

describe('what one key did in one scope', () => {
  it('is counted by what became of it', () => {
    const exchanges = [
      ...times(3, () => admitted(0, 5)),
      ...times(2, () => limited(100, 105)),
      ...times(2, () => refused()),
      indeterminate(300),
    ];
    expect(measured(exchanges).groups).toMatchObject([
      {
        scope: 'media',
        key: 'A',
        sent: 8,
        admitted: 3,
        limited: 2,
        refused: 2,
        indeterminate: 1,
        rejections: 'unknown',
      },
    ]);
  });

  it('is counted once where Go may have sent it twice', () => {
    const twice: Given = { driver: 'k6', method: 'GET' };
    const exchanges = [admitted(0, 5, twice), refused(twice), indeterminate(300, twice)];
    const once = times(3, () => admitted(400, 409));
    const [group] = measured([...exchanges, ...once]).groups;
    expect(group).toMatchObject({
      sent: 6,
      admitted: 4,
      refused: 1,
      indeterminate: 1,
      latencyMs: { p50: 9 },
    });
  });

  it('has a window as far as it was measured', () => {
    const filled = times(4, () => admitted(0, 5));
    const windowsMs = [
      filled,
      [...filled, admitted(61_000, 61_005)],
      [...filled, limited(59_000, 59_005)],
      // Somebody else had used the key before.
      [limited(-50_000, -49_995), ...filled, limited(59_000, 59_005), admitted(61_000, 61_005)],
    ].map((exchanges) => measured(exchanges).groups[0]?.windowMs);
    expect(windowsMs).toEqual([
      null,
      { low: null, high: expect.closeTo(61_030, 0) },
      { low: expect.closeTo(58_970, 0), high: null },
      { low: expect.closeTo(58_970, 0), high: expect.closeTo(61_030, 0) },
    ]);
  });

  it('has a window where its length is what is wrong, and none where that is something else', () => {
    const filled = [...times(4, () => admitted(0, 5)), limited(100, 105)];
    const windowOf = (exchanges: readonly Exchange[]) => measured(exchanges).groups[0]?.windowMs;
    // Filled again and as short again: places that had all gone at one moment would not explain it.
    const again = [...times(4, () => admitted(59_200, 59_205)), limited(59_300, 59_305)];
    const short = [...filled, limited(58_800, 58_805), ...again, admitted(118_400, 118_405)];
    expect(windowOf(short)).toMatchObject({
      low: expect.closeTo(58_770, 0),
      high: expect.closeTo(59_230, 0),
    });
    expect(windowOf([...filled, admitted(30_000, 30_005)])).toBeNull();
  });

  it('says whether rejections count where that was seen', () => {
    const again = [...times(4, () => admitted(0, 5)), ...times(4, () => limited(30_000, 30_005))];
    const [group] = measured([...again, ...times(4, () => admitted(60_100, 60_105))]).groups;
    expect(group?.rejections).toBe('not-counted');
  });
});

describe('what a load scenario did', () => {
  const line: LoadLine = {
    kind: 'load',
    scenario: 'sustained',
    state: 'incomplete',
    reason: 'k6 was killed',
    key: 'A',
    scope: 'media',
    requestsSent: 9,
  };
  const own: Given = { driver: 'k6', scenario: 'sustained' };

  it('is counted by what became of it, with valid keys, from its first request to its last answer', () => {
    const exchanges = [
      admitted(-500, -495),
      admitted(100, 105, own),
      admitted(0, 900, own),
      limited(50, 60, own),
      refused(own),
      indeterminate(300, own),
      admitted(2_000, 2_005, { ...own, credential: 'absent', key: null, outcome: 'refused', status: 401 }),
    ];
    expect(measured(exchanges, [line]).bursts).toEqual([
      {
        scenario: 'sustained',
        scope: 'media',
        key: 'A',
        state: 'incomplete',
        reason: 'k6 was killed',
        sent: 5,
        admitted: 2,
        limited: 1,
        unexpected: 2,
        spanMs: 900,
      },
    ]);
  });

  it('is nothing where it sent nothing', () => {
    expect(measured([], [line]).bursts).toMatchObject([{ sent: 0, spanMs: null }]);
  });

  it('is found by driver, key and scope in traces that do not name it', () => {
    const unnamed: Given = { driver: 'k6' };
    const exchanges = [
      ...times(2, () => admitted(0, 5, unnamed)),
      admitted(0, 5),
      admitted(0, 5, { ...unnamed, key: 'B' }),
      admitted(0, 5, { ...unnamed, scope: 'messages' }),
      admitted(0, 5, { ...unnamed, key: null, credential: 'absent' }),
      admitted(0, 5, { ...unnamed, scenario: 'nodes' }),
    ];
    expect(measured(exchanges, [line]).bursts).toMatchObject([{ sent: 2 }]);
    expect(measured(exchanges, [{ ...line, key: null }]).bursts).toMatchObject([{ sent: 0 }]);
  });
});

describe('latencies', () => {
  it('are those of answers, by the nearest rank', () => {
    const exchanges = [...times(100, (at) => admitted(0, 100 - at)), indeterminate(0)];
    expect(latenciesOf(exchanges)).toEqual({ p50: 50, p99: 99, max: 100 });
  });

  it('are none where nothing was answered', () => {
    expect(latenciesOf([indeterminate(0)])).toBeNull();
    expect(latencyText([indeterminate(0)])).toBe('none answered');
  });
});

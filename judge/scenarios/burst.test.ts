import { describe, expect, it, test } from 'vitest';
import type { ClauseId } from '../../contract/clauses/registry.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { LoadLine } from '../../contract/trace-lines.ts';
import { judgeTrace } from '../judge-trace.ts';
import { admitted, type Given, indeterminate, limited, originMs, times, traceOf } from '../testing/traces.ts';

const limits = { standard: 4, messages: 4, media: 4 };
const own: Given = { scenario: 'nodes', driver: 'k6' };
const line: LoadLine = {
  kind: 'load',
  scenario: 'nodes',
  state: 'complete',
  reason: null,
  key: 'A',
  scope: 'media',
  requestsSent: null,
};

function verdictOf(exchanges: readonly Exchange[], given: Partial<LoadLine> = {}) {
  const { clauses } = judgeTrace({
    ...traceOf(exchanges, { limits, mode: 'load' }),
    loads: [{ ...line, ...given }],
  });
  return clauses.find(({ clause }) => clause === ('load.nodes' as ClauseId))?.verdict;
}

const burst = (count: number, given: Given = {}) =>
  times(count, (at) => admitted(at, at + 10, { ...own, node: at % 2, ...given }));
const refused = limited(20, 30, own);

describe('more than the limit of one burst', () => {
  it('says how many were admitted, within what, by node, and how often that is the limit', () => {
    expect(verdictOf([...burst(7), refused, indeterminate(40, own)])).toMatchObject({
      kind: 'violated',
      reason: 'counted-per-node',
      evidence: {
        expected: 'at most 4 of a burst of 9 admitted',
        observed: '7 admitted within 0.030 s, 1.8 × the limit; by node 4, 3',
        exchangesTotal: 5,
      },
    });
  });

  it('is counted for each node only where there are several and none admitted more', () => {
    const three = (at: number): number => (at === 0 ? 1 : 0);
    const uneven = burst(7).map((one, at) => ({ ...one, node: three(at) }));
    expect(verdictOf(uneven)).toMatchObject({
      reason: 'over-admission',
      evidence: { observed: expect.stringContaining('; by node 6, 1') },
    });
    expect(verdictOf(burst(7, { node: 0 }))).toMatchObject({
      reason: 'over-admission',
      evidence: { observed: '7 admitted within 0.016 s, 1.8 × the limit' },
    });
  });

  it('proves nothing across a step of the machine’s clocks', () => {
    const wallMs = originMs + 9_000;
    const stepped = admitted(50, 60, {
      ...own,
      driver: 'simulation',
      wallSentMs: wallMs,
      wallReceivedMs: wallMs + 10,
    });
    expect(verdictOf([...burst(4, { driver: 'simulation' }), stepped])?.kind).not.toBe('violated');
  });
});

describe('one burst on a window that does not roll', () => {
  const elsewhere: Given = { scope: 'standard' };
  const back = times(4, () => admitted(-3_000, -2_990, elsewhere));
  /** All places of another scope come back at about −4 s, whenever they were taken. */
  const emptied = [
    ...times(3, () => admitted(-50_000, -49_990, elsewhere)),
    admitted(-20_000, -19_990, elsewhere),
    limited(-5_000, -4_990, elsewhere),
    ...back,
    limited(-2_900, -2_890, elsewhere),
  ];
  const justBefore = (ms: number) => admitted(ms, ms + 5);

  it('admits exactly the limit after the window began anew', () => {
    expect(verdictOf([...emptied, justBefore(-6_000), ...burst(4), refused])).toEqual({
      kind: 'held',
      summary:
        '4 of 5 admitted within 0.030 s; 1 just before no longer counted, since the window does not roll',
    });
  });

  it('is not judged where what came just before it makes too many', () => {
    expect(verdictOf([...emptied, justBefore(-1_000), ...burst(4), refused])).toMatchObject({
      kind: 'inconclusive',
      reason: 'not judged: limits.media is violated',
    });
  });

  it('is not held where fewer were admitted, or none was refused', () => {
    const fewer = [...emptied, ...times(2, () => justBefore(-6_000)), ...burst(3), refused];
    expect(verdictOf(fewer)?.kind).toBe('inconclusive');
    expect(verdictOf([...emptied, justBefore(-6_000), ...burst(4)])?.kind).not.toBe('held');
    // What filled the new window came before the burst.
    const first = [...emptied, justBefore(-6_000), justBefore(-1_000), ...burst(3), refused];
    expect(verdictOf(first)?.kind).toBe('inconclusive');
  });
});

it('is not held by what another 429 of the scope lacked elsewhere', () => {
  const standard: Given = { scope: 'standard' };
  const messages: Given = { scope: 'messages', path: '/v1/messages' };
  /** One below /v1/messages is counted apart, and a 429 of standard long before the burst lacks just that one. */
  const apart = [
    admitted(-230_000, -229_990, standard),
    admitted(-165_000, -164_990, { ...messages, route: 'subpath', method: 'GET', path: '/v1/messages/1' }),
    ...times(2, () => admitted(-164_000, -163_990, standard)),
    ...times(4, () => admitted(-162_000, -161_990, messages)),
    limited(-161_900, -161_890, messages),
    admitted(-161_000, -160_990, standard),
    limited(-158_000, -157_990, standard),
  ];
  const slow = times(4, () => admitted(0, 100, { ...own, ...standard }));
  const late = [admitted(-59_960, -59_955, standard), ...slow, limited(20, 120, { ...own, ...standard })];
  expect(verdictOf([...apart, ...late], { scope: 'standard' })).toMatchObject({
    kind: 'inconclusive',
    reason: '4 of 5 admitted within 0.120 s instead of 3: the key may have been in use before',
  });
});

describe('exactly the limit of one burst', () => {
  test.each<readonly [string, readonly Exchange[], object]>([
    ['is held', [...burst(4), refused], { kind: 'held', summary: '4 of 5 admitted within 0.030 s' }],
    [
      'is held with what came just before it',
      [admitted(-30_000, -29_995), ...burst(3), refused],
      { kind: 'held', summary: '3 of 4 admitted within 0.030 s, 1 just before' },
    ],
    [
      'is not reduced by what came a window before, nor by what came after',
      [admitted(-59_975, -59_970), ...burst(4), refused, admitted(61_000, 61_005)],
      { kind: 'held', summary: '4 of 5 admitted within 0.030 s' },
    ],
    [
      'is not shown where none was refused',
      burst(4),
      {
        kind: 'inconclusive',
        reason: '4 of 4 admitted within 0.013 s instead of 4: the key may have been in use before',
      },
    ],
    [
      'is not shown by fewer',
      [admitted(-100, -95), ...burst(2), refused],
      {
        kind: 'inconclusive',
        reason: '2 of 3 admitted within 0.030 s instead of 3: the key may have been in use before',
      },
    ],
    [
      'is not shown where something else was answered, or nothing',
      [
        ...burst(3),
        refused,
        indeterminate(20, own),
        admitted(20, 25, { ...own, status: 503, outcome: 'refused' }),
      ],
      {
        kind: 'inconclusive',
        reason: '3 of 6 admitted within 0.030 s; 2 answered neither 2xx nor 429, or not at all',
      },
    ],
  ])('%s', (_what, exchanges, expected) => {
    expect(verdictOf(exchanges)).toMatchObject(expected);
  });

  it('is not left to a clause that was violated at another time', () => {
    const tooMany = times(5, () => admitted(-200_000, -199_995));
    for (const sent of [[...burst(3), refused], burst(4)]) {
      expect(verdictOf([...tooMany, ...sent])).toMatchObject({
        kind: 'inconclusive',
        reason: expect.stringContaining('instead of 4: the key may have been in use before'),
      });
    }
  });

  it('is about the key and scope of the scenario', () => {
    const other = [...burst(2, { key: 'B' }), limited(20, 25, { ...own, key: 'B' })];
    expect(verdictOf([...other, ...burst(4), refused])).toMatchObject({
      summary: '4 of 5 admitted within 0.030 s',
    });
    const messages = [...burst(2, { scope: 'messages' }), limited(20, 25, { ...own, scope: 'messages' })];
    expect(verdictOf([...messages, ...burst(4), refused])).toMatchObject({ kind: 'held' });
    // Traces of before lines named a key: the first that there is.
    expect(verdictOf([...burst(4, { key: 'B' }), limited(20, 30, { ...own, key: 'B' })])).toMatchObject({
      kind: 'held',
    });
  });

  it('is not reduced by what another key, or the same in another scope, had sent before', () => {
    const others = [{ key: 'B' }, { scope: 'messages' }].map((given) =>
      admitted(-30_000, -29_995, given as Given),
    );
    expect(verdictOf([...others, ...burst(4), refused])).toEqual({
      kind: 'held',
      summary: '4 of 5 admitted within 0.030 s',
    });
  });

  it('is judged by the line of its own scenario', () => {
    const killed: LoadLine = { ...line, scenario: 'sustained', state: 'incomplete', reason: 'k6 was killed' };
    const trace = traceOf([...burst(4), refused], { limits, mode: 'load' });
    const { clauses } = judgeTrace({ ...trace, loads: [line, killed] });
    expect(clauses.find(({ clause }) => clause === 'load.nodes')?.verdict.kind).toBe('held');
  });

  it('is not shown by a scenario that ended early, or sent nothing', () => {
    const state = 'incomplete';
    expect(verdictOf([...burst(4), refused], { state, reason: 'k6 was killed' })).toMatchObject({
      reason: 'k6 was killed',
    });
    expect(verdictOf([...burst(4), refused], { state })).toMatchObject({
      reason: 'the scenario did not complete',
    });
    expect(verdictOf([])).toMatchObject({ reason: 'the scenario sent nothing with a valid key' });
  });
});

import { describe, expect, test } from 'vitest';
import type { DecidedLoadClauseId } from '../../contract/clauses/load.ts';
import type { ClauseId } from '../../contract/clauses/registry.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Trace } from '../../contract/trace.ts';
import type { LoadLine } from '../../contract/trace-lines.ts';
import type { Verdict } from '../../contract/verdict.ts';
import { judgeTrace } from '../judge-trace.ts';
import { flawsOf, provenOf } from '../testing/certified.ts';
import { admitted, type Given, indeterminate, limited, times, traceOf } from '../testing/traces.ts';
import { exchangesOfLoad } from './load-case.ts';

/** A limit of 4 in 60 s, for all scopes. */
const limits = { standard: 4, messages: 4, media: 4 };

function verdictOf(
  scenario: string,
  exchanges: readonly Exchange[],
  line: Partial<LoadLine> = {},
  clause = `load.${scenario}`,
): Verdict {
  const found = judgeTrace(traceWith(scenario, exchanges, line)).clauses.find(
    (one) => one.clause === (clause as ClauseId),
  );
  if (found === undefined) throw new Error(`no verdict on ${clause}`);
  if (found.verdict.kind === 'crashed') throw new Error(found.verdict.message);
  return found.verdict;
}

function traceWith(scenario: string, exchanges: readonly Exchange[], line: Partial<LoadLine> = {}): Trace {
  const trace = traceOf(
    exchanges.map((one) => ({ scenario, ...one })),
    { limits, mode: 'load' },
  );
  const load: LoadLine = {
    kind: 'load',
    scenario,
    state: 'complete',
    reason: null,
    key: 'A',
    scope: 'media',
    requestsSent: null,
    ...line,
  };
  return { ...trace, loads: [load] };
}

const by = (purpose: string, more: Given = {}): Given => ({ driver: 'k6', purpose, ...more });
const four = (atMs: number, given: Given = {}) => times(4, () => admitted(atMs, atMs + 5, by('wave', given)));

/** Two full windows, and a refusal in each. */
const rolling = [
  ...four(0),
  limited(100, 105, by('wave')),
  ...four(61_100),
  limited(61_200, 61_205, by('wave')),
];

/** The same, and a refusal just before the first places come back. */
const returning = [...rolling.slice(0, 5), limited(59_900, 59_905, by('wave')), ...rolling.slice(5)];

describe('what a scenario shows is held', () => {
  const held: readonly (readonly [string, readonly Exchange[], RegExp])[] = [
    ['rolling-window', returning, /^media 60\.\d+ s ± 0\.6\d+$/],
    ['over-pressure', rolling, /^media 8 of 10 admitted; watched for 61 s, not beyond$/],
    [
      'sustained',
      times(9, (at) => admitted(at * 20_000, at * 20_000 + 5, by('sustained'))),
      /^all 9 admitted$/,
    ],
    [
      'noisy-neighbour',
      [
        admitted(0, 5, by('alone', { key: 'B' })),
        ...four(1_000, by('flood')),
        limited(1_100, 1_105, by('flood')),
        admitted(1_200, 1_205, by('beside-flood', { key: 'B' })),
      ],
      /^the request of the neighbour admitted, beside 5 of the flood$/,
    ],
    [
      'mixed-scopes',
      (['media', 'standard'] as const).flatMap((scope) => [
        admitted(0, 5, by('anchor', { scope })),
        ...four(61_100, by('all-at-once', { scope })),
        limited(61_200, 61_205, by('excess', { scope })),
      ]),
      /^admitted at once: media 4, standard 4$/,
    ],
    [
      'many-keys',
      ['key-1', 'key-2'].flatMap((key) => [
        admitted(0, 5, by('keys-2', { key })),
        admitted(61_100, 61_105, by('again', { key })),
        ...(key === 'key-1' ? times(3, () => admitted(61_200, 61_205, by('fill', { key }))) : []),
        ...(key === 'key-1' ? [limited(61_200, 61_205, by('fill', { key }))] : []),
      ]),
      /^2 keys, none refused because of another; admitted at once: media 3 after 1$/,
    ],
    ['nodes', [...four(0), limited(0, 5, by('in-turn', { node: 1 }))], /^4 of 5 admitted within 0\.005 s$/],
  ];
  test.each(held)('%s', (scenario, exchanges, summary) => {
    const verdict = verdictOf(scenario, exchanges);
    expect(verdict).toMatchObject({ kind: 'held', summary: expect.stringMatching(summary) });
  });
});

test('what a window that does not roll explains elsewhere is not held against what a scenario shows', () => {
  const elsewhere: Given = { scope: 'standard', scenario: 'nodes' };
  /** All places of another scope come back at about −4 s, whenever they were taken. */
  const emptied = [
    ...times(3, () => admitted(-50_000, -49_990, elsewhere)),
    admitted(-20_000, -19_990, elsewhere),
    limited(-5_000, -4_990, elsewhere),
    ...times(4, () => admitted(-3_000, -2_990, elsewhere)),
    limited(-2_900, -2_890, elsewhere),
  ];
  const own = [admitted(-6_000, -5_995, by('sustained')), ...four(0)];
  expect(verdictOf('sustained', [...emptied, ...own])).toMatchObject({
    kind: 'inconclusive',
    because: ['window.rolling'],
  });
});

test.each<readonly [string, Given, number]>([
  ['names it', { scenario: 'nodes', key: 'B', scope: 'messages' }, 1],
  ['names another', { scenario: 'sustained', driver: 'k6' }, 0],
  ['names none, but is k6’s of its key at its scope', { driver: 'k6' }, 1],
  ['names none, and is not k6’s', {}, 0],
  ['names none, and is of another key', { driver: 'k6', key: 'B' }, 0],
  ['names none, and is of another scope', { driver: 'k6', scope: 'messages' }, 0],
])('what %s is or is not of a scenario', (_what, given, expected) => {
  const trace = traceWith('nodes', []);
  const [line] = trace.loads;
  const exchanges = [admitted(0, 5, given)];
  expect(exchangesOfLoad({ ...trace, exchanges }, line!)).toHaveLength(expected);
});

test('a window that may last a tenth of a second as well as a minute is not seen to roll', () => {
  expect(verdictOf('rolling-window', rolling)).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringMatching(/media may last from 0\.09\d s to 61\.1\d\d s/),
  });
});

describe('what the same key sent for other purposes is not counted as the scenario’s own', () => {
  const elsewhere = (atMs: number, given: Given = {}) =>
    times(3, () => admitted(atMs, atMs + 5, by('pressure', { scenario: 'over-pressure', ...given })));

  test('mixed-scopes after two other scenarios', () => {
    const exchanges = [
      ...elsewhere(0),
      ...elsewhere(100_000, { scenario: undefined, driver: 'undici', purpose: 'fill' }),
      admitted(200_000, 200_005, by('anchor')),
      ...four(261_100, { purpose: 'all-at-once' }),
      limited(262_200, 262_205, by('excess')),
    ];
    const summary = 'admitted at once: media 4';
    expect(verdictOf('mixed-scopes', exchanges)).toEqual({ kind: 'held', summary });
  });

  test('many-keys on a key that another scenario filled', () => {
    const exchanges = [
      ...elsewhere(0, { purpose: 'fill', scenario: 'rolling-window' }),
      admitted(200_000, 200_005, by('keys-1')),
      ...times(3, () => admitted(201_000, 201_005, by('fill'))),
      limited(201_100, 201_105, by('fill')),
    ];
    const summary = '1 key, none refused because of another; admitted at once: media 3 after 1';
    expect(verdictOf('many-keys', exchanges)).toEqual({ kind: 'held', summary });
  });

  test('many-keys where a slow answer leaves open whether its place was free again', () => {
    const filled = (count: number) => [
      admitted(0, 3_000, by('keys-1')),
      admitted(61_100, 61_105, by('again')),
      ...times(count, () => admitted(61_700, 61_705, by('fill'))),
      limited(61_700, 61_705, by('fill')),
    ];
    const summary = (count: number) =>
      `1 key, none refused because of another; admitted at once: media ${count} after 1 to 2`;
    expect(verdictOf('many-keys', filled(3))).toEqual({ kind: 'held', summary: summary(3) });
    expect(verdictOf('many-keys', filled(2))).toEqual({ kind: 'held', summary: summary(2) });
    expect(verdictOf('many-keys', filled(1))).toMatchObject({ kind: 'violated', reason: 'wrongful-429' });
  });

  test('over-pressure beside probes of the same key', () => {
    const exchanges = [...rolling, ...elsewhere(200_000, { scenario: undefined, driver: 'undici' })];
    const summary = 'media 8 of 10 admitted; watched for 61 s, not beyond';
    expect(verdictOf('over-pressure', exchanges)).toEqual({ kind: 'held', summary });
  });
});

describe('what its exchanges prove is violated, whole or not', () => {
  const five = (given: Given = {}) => times(5, () => admitted(61_100, 61_105, by('wave', given)));
  const late = [admitted(0, 5, by('x')), limited(61_500, 61_505, by('x'))];
  type Bad = readonly [exchanges: readonly Exchange[], reason: RegExp];
  const badTraces: Readonly<Record<DecidedLoadClauseId, readonly Bad[]>> = {
    'load.messages-burst': [[five(), /^over-admission$/]],
    'load.media-burst': [[five(), /^over-admission$/]],
    'load.rolling-window': [[[...rolling, ...four(61_300)], /^(over-admission|early-return|too-short)$/]],
    'load.over-pressure': [[late, /^wrongful-429$/]],
    'load.sustained': [[late, /^wrongful-429$/]],
    'load.noisy-neighbour': [
      [
        [
          admitted(0, 5, by('alone', { key: 'B' })),
          ...four(60_000, by('flood')),
          limited(61_500, 61_505, by('beside-flood', { key: 'B' })),
        ],
        /^one-window-for-keys$/,
      ],
    ],
    'load.mixed-scopes': [
      [
        [
          admitted(0, 5, by('anchor')),
          ...four(60_000, by('all-at-once', { scope: 'messages' })),
          limited(61_500, 61_505, by('all-at-once')),
        ],
        /^one-window-for-scopes$/,
      ],
    ],
    'load.many-keys': [[five({ key: 'key-1' }), /^over-admission$/]],
    'load.nodes': [
      [times(8, (at) => admitted(0, 5, by('in-turn', { node: at % 2 }))), /^counted-per-node$/],
      [times(8, (at) => admitted(0, 5, by('in-turn', { node: at < 2 ? 0 : 1 }))), /^over-admission$/],
    ],
  };
  const bad = Object.entries(badTraces).flatMap(([clause, rows]) =>
    rows.map(([exchanges, reason]) => ({ scenario: clause.slice('load.'.length), exchanges, reason })),
  );
  test.each(bad)('$scenario: a certificate proves it whole (%#)', ({ scenario, exchanges, reason }) => {
    const proven = provenOf(traceWith(scenario, exchanges)).find(
      ({ clause }) => clause === `load.${scenario}`,
    );
    expect(proven).toMatchObject({ reason: expect.stringMatching(reason) });
    expect(flawsOf(proven)).toEqual([]);
  });
  test.each(bad)('$scenario: $reason (%#)', ({ scenario, exchanges, reason }) => {
    const expected = { kind: 'violated', reason: expect.stringMatching(reason) };
    expect(verdictOf(scenario, exchanges)).toMatchObject(expected);
    expect(verdictOf(scenario, exchanges, { state: 'incomplete', reason: 'k6 was killed' })).toMatchObject(
      expected,
    );
  });
});

describe('what proves nothing is inconclusive, and says why', () => {
  const open: readonly (readonly [string, readonly Exchange[], RegExp])[] = [
    ['rolling-window', four(0), /^capacity was not seen returning at media/],
    ['over-pressure', [...four(0), limited(100, 105, by('x'))], /^no refusal at media was late enough/],
    [
      'over-pressure',
      [...rolling, admitted(500, 505, by('x', { status: 503, outcome: 'refused' }))],
      /^1 of 11 answered neither/,
    ],
    ['over-pressure', [...rolling, indeterminate(500, by('x'))], /^1 of 11 answered neither/],
    [
      'sustained',
      [admitted(0, 5, by('x')), limited(100, 105, by('x'))],
      /^1 of 2 got a 429, the first at media: the key may have been in use before, or k6 was held up and sent too much at once$/,
    ],
    [
      'noisy-neighbour',
      four(0, by('alone', { key: 'B' })),
      /^the neighbour and the flood did not both send$/,
    ],
    [
      'mixed-scopes',
      [admitted(0, 5, by('anchor')), ...times(3, () => admitted(61_100, 61_105, by('all-at-once')))],
      /^3 admitted at media instead of 4/,
    ],
    ['many-keys', [admitted(0, 5, by('keys-1')), limited(100, 105, by('keys-1'))], /^1 of 2 got a 429/],
    ['nodes', times(3, () => admitted(0, 5, by('in-turn'))), /instead of 4: the key may have been in use/],
    [
      'rolling-window',
      [...returning, indeterminate(500, by('x'))],
      /^1 of 12 answered neither 2xx nor 429, or not at all$/,
    ],
    ['sustained', [admitted(0, 5, by('x')), indeterminate(500, by('x'))], /^1 of 2 answered neither/],
    [
      'mixed-scopes',
      [admitted(0, 5, by('anchor')), ...four(61_100, by('all-at-once')), indeterminate(61_200, by('excess'))],
      /^1 of 6 answered neither/,
    ],
    ['mixed-scopes', [], /^the scenario sent nothing with a valid key$/],
    [
      'noisy-neighbour',
      [admitted(0, 5, by('alone', { key: 'B' })), ...four(0, by('flood'))],
      /^the neighbour and the flood did not both send$/,
    ],
    [
      'noisy-neighbour',
      [admitted(0, 5, by('beside-flood', { key: 'B' })), admitted(0, 5, by('alone', { key: 'B' }))],
      /^the neighbour and the flood did not both send$/,
    ],
    [
      'noisy-neighbour',
      [
        ...four(0, by('flood')),
        ...four(0, by('beside-flood', { key: 'B' })),
        limited(10, 15, by('beside-flood', { key: 'B' })),
      ],
      /^1 of 5 got a 429: the key may have been in use before$/,
    ],
    [
      'noisy-neighbour',
      [...four(0, by('flood')), indeterminate(10, by('beside-flood', { key: 'B' }))],
      /^1 of 5 answered neither/,
    ],
    ['many-keys', [admitted(0, 5, by('keys-1'))], /^no key was filled$/],
    ['many-keys', [admitted(0, 5, by('keys-1')), indeterminate(10, by('fill'))], /^1 of 2 answered neither/],
    [
      'many-keys',
      [admitted(0, 5, by('keys-1')), limited(100, 105, by('fill'))],
      /^0 admitted at media instead of 3: key A may/,
    ],
  ];
  test.each(open)('%s (%#)', (scenario, exchanges, reason) => {
    const verdict = verdictOf(scenario, exchanges);
    expect(verdict).toMatchObject({ kind: 'inconclusive', reason: expect.stringMatching(reason) });
  });

  test('what other scenarios saturated shows nothing of this one', () => {
    const elsewhere = rolling.map((one) => ({ ...one, scenario: 'over-pressure' }));
    const verdict = verdictOf('rolling-window', [...elsewhere, admitted(130_000, 130_005, by('wave'))]);
    const reason = expect.stringMatching(/^capacity was not seen returning at media: media 1 of 1 admitted$/);
    expect(verdict).toMatchObject({ kind: 'inconclusive', reason });
  });

  test('an incomplete scenario that shows nothing wrong', () => {
    const verdict = verdictOf('rolling-window', rolling, { state: 'incomplete', reason: 'k6 was killed' });
    expect(verdict).toMatchObject({ kind: 'inconclusive', reason: 'k6 was killed' });
  });

  const ofProbes: Given = { scenario: undefined, driver: 'undici', purpose: 'fill' };
  const probed = (exchanges: readonly Exchange[]) => exchanges.map((one) => ({ ...one, ...ofProbes }));

  test('a window that the probes alone found full again shows no return', () => {
    const notSeen = (counts: string) => ({
      kind: 'inconclusive',
      reason: `capacity was not seen returning at media: media ${counts} admitted`,
    });
    const first = [...returning.slice(0, 6), ...probed(returning.slice(6))];
    expect(verdictOf('rolling-window', first)).toMatchObject(notSeen('4 of 6'));
    const refused = returning.map((one) => (one.outcome === 'limited' ? { ...one, ...ofProbes } : one));
    expect(verdictOf('rolling-window', refused)).toMatchObject(notSeen('8 of 8'));
  });

  test('a refusal that the probes alone got is none of the scenario’s', () => {
    const own = [...rolling.slice(0, -1), ...probed(rolling.slice(-1))];
    const reason = 'no refusal at media was late enough to be judged';
    expect(verdictOf('over-pressure', own)).toMatchObject({ kind: 'inconclusive', reason });
    const trace = traceWith('over-pressure', rolling);
    const { header } = trace;
    const deployment = { ...header.deployment, exclusiveKeys: false };
    const { clauses } = judgeTrace({ ...trace, header: { ...header, deployment } });
    const verdict = clauses.find(({ clause }) => clause === 'load.over-pressure')?.verdict;
    expect(verdict).toMatchObject({ kind: 'inconclusive', reason });
  });

  test('a 429 that a cap per second explains', () => {
    const standard: Given = { scope: 'standard' };
    const trace = traceWith('sustained', [
      ...[0, 70_000, 70_003].map((ms) => admitted(ms, ms + 2, by('x', standard))),
      limited(70_300, 70_302, by('x', standard)),
    ]);
    const { header } = trace;
    const deployment = { ...header.deployment, perSecond: 'cap' as const };
    const { clauses } = judgeTrace({ ...trace, header: { ...header, deployment } });
    expect(clauses.find(({ clause }) => clause === 'load.sustained')?.verdict).toMatchObject({
      kind: 'not-applicable',
      reason: expect.stringContaining('cap of 2 per second'),
    });
  });

  test('a deviation of another key or scope says nothing of the scenario', () => {
    const five = (given: Given) => times(5, () => admitted(0, 5, { ...given, scenario: undefined }));
    const before = [...five({ key: 'B' }), ...five({ scope: 'messages' })];
    const few = times(3, (at) => admitted(1_000 + at, 1_005 + at, by('x')));
    expect(verdictOf('sustained', [...before, ...few])).toMatchObject({ kind: 'held' });
    const more = times(5, (at) => admitted(1_000 + at, 1_005 + at, by('x')));
    const own = admitted(500, 505, { scenario: undefined });
    expect(verdictOf('sustained', [...before, own, ...more])).toMatchObject({ reason: 'over-admission' });
  });

  test('a deviation that was there before the scenario', () => {
    const before = times(5, () => admitted(0, 5, { scenario: undefined }));
    const verdict = verdictOf('rolling-window', [...before, admitted(70_000, 70_005, by('wave'))]);
    expect(verdict).toMatchObject({ kind: 'inconclusive', because: ['limits.media'] });
  });
});

test('what was not possible is not applicable, and says why', () => {
  const trace = traceOf([]);
  const leftOut = ['nodes', 'many-keys'].map(
    (scenario) => ({ kind: 'left-out', scenario, reason: `${scenario} needs more` }) as const,
  );
  const { clauses } = judgeTrace({ ...trace, leftOut });
  const reasons = ['load.nodes', 'load.many-keys', 'load.sustained'].map(
    (id) => clauses.find(({ clause }) => clause === id)?.verdict,
  );
  expect(reasons).toEqual([
    { kind: 'not-applicable', reason: 'not possible here: nodes needs more' },
    { kind: 'not-applicable', reason: 'not possible here: many-keys needs more' },
    { kind: 'not-applicable', reason: 'not run: this load scenario was left out' },
  ]);
});

test('a request that Go may have sent twice is counted once in what is said of a burst', () => {
  const gets = { method: 'GET' };
  const exchanges = [...four(0, gets), limited(0, 5, by('burst', gets))];
  expect(verdictOf('messages-burst', exchanges)).toEqual({
    kind: 'held',
    summary: '4 of 5 admitted within 0.005 s',
  });
});

test('a refusal that requests sent twice may explain is not wrong', () => {
  const late = [admitted(0, 5, by('x')), ...times(3, () => admitted(61_400, 61_405, by('x')))];
  const refusal = limited(61_500, 61_505, by('x'));
  const twice = late.map((one) => ({ ...one, method: 'GET' }));
  const once = twice.map((one) => ({ ...one, sentOnce: true as const }));
  expect(verdictOf('sustained', [...late, refusal])).toMatchObject({ kind: 'violated' });
  expect(verdictOf('sustained', [...once, refusal])).toMatchObject({ kind: 'violated' });
  expect(verdictOf('sustained', [...twice, refusal])).toMatchObject({ kind: 'inconclusive' });
});

describe('places that other requests had taken before what was sent at once', () => {
  const filled = (before: readonly Exchange[], count: number, endMs = 60_105): readonly Exchange[] => [
    ...before,
    ...times(count, () => admitted(60_100, endMs, by('fill'))),
    limited(60_100, 60_105, by('fill')),
  ];
  const summaryOf = (exchanges: readonly Exchange[]) => {
    const verdict = verdictOf('many-keys', exchanges);
    return verdict.kind === 'held' ? verdict.summary.replace(/^.*; /, '') : verdict.kind;
  };
  const once = (sentMs: number, receivedMs: number) => admitted(sentMs, receivedMs, by('keys-1'));

  test.each<readonly [string, readonly Exchange[], string]>([
    [
      'surely, where the window still held them when the last was answered',
      filled([once(200, 205)], 3),
      'admitted at once: media 3 after 1',
    ],
    // The shortest window is 59,975 ms, the longest 60,025 ms.
    [
      'perhaps, where it may have held them',
      filled([once(100, 105)], 3),
      'admitted at once: media 3 after 0 to 1',
    ],
    [
      'perhaps, where it may have held them',
      filled([once(100, 105)], 4),
      'admitted at once: media 4 after 0 to 1',
    ],
    ['not, where they were gone', filled([once(0, 5)], 4), 'admitted at once: media 4'],
    [
      'perhaps, where their answers were too late to tell',
      filled([once(200, 60_100)], 3),
      'admitted at once: media 3 after 0 to 1',
    ],
    [
      'perhaps, where what was sent at once was answered late',
      filled([once(200, 205)], 3, 60_180),
      'admitted at once: media 3 after 0 to 1',
    ],
  ])('%s (%#)', (_what, exchanges, expected) => {
    expect(summaryOf(exchanges)).toBe(expected);
  });

  test('perhaps, from the first that was sent at once on', () => {
    const exchanges = [
      once(110, 115),
      ...[60_100, 60_100, 60_300].map((ms) => admitted(ms, ms + 5, by('fill'))),
      limited(60_300, 60_305, by('fill')),
    ];
    expect(summaryOf(exchanges)).toBe('admitted at once: media 3 after 0 to 1');
  });

  test('perhaps, where they were not admitted', () => {
    const missing = admitted(200, 205, { scenario: undefined, status: 404, outcome: 'refused' });
    expect(summaryOf(filled([missing], 3))).toBe('admitted at once: media 3 after 0 to 1');
  });

  test('of too many it is not known: then nothing exact is seen', () => {
    expect(verdictOf('many-keys', filled([once(100, 105), once(101, 106)], 3))).toMatchObject({
      kind: 'inconclusive',
      reason: '3 admitted at media instead of 4: key A may have been in use before',
    });
  });

  test('are none of what came later, of another key, or without a key', () => {
    const beside = [
      admitted(200, 205, by('keys-1', { key: 'B' })),
      admitted(121_000, 121_005, by('keys-1')),
      admitted(200, 205, { key: null, credential: 'absent', status: 401, outcome: 'refused' }),
    ];
    expect(summaryOf(filled(beside, 4))).toBe('admitted at once: media 4');
  });
});

describe('what is measured is observed', () => {
  test('latencies by the client’s own figure, 2xx and 429 apart', () => {
    const exchanges = [
      ...times(3, (at) => admitted(0, 5, by('x', { latencyMs: 1 + at / 4 }))),
      limited(100, 105, by('x', { latencyMs: 0.5 })),
    ];
    expect(verdictOf('over-pressure', exchanges, {}, 'load.latency')).toEqual({
      kind: 'observed',
      value: '2xx 1.25 ms (p99 1.50, n = 3); 429 0.50 ms (p99 0.50, n = 1)',
    });
  });

  test('a neighbour alone, and beside the flood', () => {
    const exchanges = [
      admitted(0, 5, by('alone', { key: 'B', latencyMs: 1 })),
      admitted(0, 5, by('beside-flood', { key: 'B', latencyMs: 3 })),
      admitted(0, 5, by('flood', { latencyMs: 9 })),
    ];
    expect(verdictOf('noisy-neighbour', exchanges, {}, 'load.neighbour-latency')).toEqual({
      kind: 'observed',
      value: 'alone 1.00 ms (p99 1.00, n = 1); beside the flood 3.00 ms (p99 3.00, n = 1)',
    });
  });

  test('nothing of a scenario that sent nothing, or was not run', () => {
    expect(verdictOf('over-pressure', [], {}, 'load.latency')).toMatchObject({ reason: 'nothing was sent' });
    expect(verdictOf('sustained', [admitted(0, 5, by('x'))], {}, 'load.latency')).toEqual({
      kind: 'not-applicable',
      reason: 'not shown: needs the load scenario over-pressure',
    });
  });

  test('the ladder of keys in its order', () => {
    const ladder = [10, 1].map((keys) => admitted(0, 5, by(`keys-${keys}`, { latencyMs: keys })));
    const exchanges = [
      ...ladder,
      ...['fill', 'keys-x', 'keys-0', 'more-keys-5', 'keys-5-more'].map((purpose) =>
        admitted(0, 5, by(purpose)),
      ),
    ];
    expect(verdictOf('many-keys', exchanges, {}, 'load.keys-cost')).toMatchObject({
      value: '1 key 1.00 ms (p99 1.00, n = 1); 10 keys 10.00 ms (p99 10.00, n = 1)',
    });
  });
});

import { describe, expect, it } from 'vitest';
import { deploymentSchema } from './deployment.ts';
import type { Exchange } from './exchange.ts';
import { MergeError, mergeTraces } from './merge-traces.ts';
import type { Trace } from './trace.ts';
import type { TraceHeader } from './trace-header.ts';
import type { LoadLine } from './trace-lines.ts';

const header: TraceHeader = {
  kind: 'trace',
  schemaVersion: 1,
  tool: { name: 'messaging-conformance', version: '0.0.0' },
  runId: 'r1',
  startedAt: '2026-01-01T00:00:10.000Z',
  mode: 'load',
  windowMs: 60_000,
  limits: { standard: 120, messages: 300, media: 30 },
  deployment: deploymentSchema.parse({ baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'] }),
  keys: ['A'],
  clocks: [{ id: 'undici', kind: 'monotonic', offsetMsMax: 0 }],
  plan: { requestsMax: 10, peakRequestsPerSecond: 5, seconds: 2 },
};

const line: LoadLine = {
  kind: 'load',
  scenario: 'nodes',
  state: 'complete',
  reason: null,
  key: 'A',
  scope: 'media',
  requestsSent: 4,
};

/** A trace of one exchange, timed by a clock. */
function trace(requestId: string, clock: string, changes: Partial<TraceHeader> = {}): Trace {
  const exchange = { kind: 'exchange', requestId, clock } as Exchange;
  const clocks = [
    { id: clock, kind: 'wall' as const, offsetMsMax: 0 },
    { id: `${clock}-k6`, kind: 'wall' as const, offsetMsMax: 2 },
  ];
  return {
    header: { ...header, clocks, ...changes },
    exchanges: [exchange],
    loads: [line],
    notes: [],
    end: { kind: 'end', endedAt: '2026-01-01T00:01:00.000Z', complete: true, reason: null },
  };
}

const bound = { clockOffsetMsMax: 500 };

describe('mergeTraces', () => {
  it('leaves one trace as it is', () => {
    const one = trace('a', 'c');
    expect(mergeTraces([one], bound)).toBe(one);
  });

  it('puts the bound on every clock of another machine, also where it has the same name', () => {
    const merged = mergeTraces(
      [trace('a', 'c'), trace('b', 'c', { runId: 'r2' }), trace('d', 'other')],
      bound,
    );
    expect(merged.header.clocks.map(({ id, offsetMsMax }) => [id, offsetMsMax])).toEqual([
      ['c', 0],
      ['c-k6', 2],
      ['c#2', 500],
      ['c-k6#2', 502],
      ['other#3', 500],
      ['other-k6#3', 502],
    ]);
    expect(merged.exchanges.map(({ clock }) => clock)).toEqual(['c', 'c#2', 'other#3']);
  });

  it('takes parts of one run that name one clock first by the offsets they state', () => {
    const merged = mergeTraces([trace('a', 'c'), trace('b', 'c')], bound);
    expect(merged.header.clocks.map(({ id, offsetMsMax }) => [id, offsetMsMax])).toEqual([
      ['c', 0],
      ['c-k6', 2],
    ]);
    expect(merged.header.plan).toEqual(header.plan);
  });

  it('adds up the parts of one scenario, and keeps runs of it apart', () => {
    const parts = mergeTraces([trace('a', 'c'), trace('b', 'c')], bound);
    expect(parts.loads).toEqual([{ ...line, requestsSent: 8 }]);
    const runs = mergeTraces([trace('a', 'c'), trace('b', 'c', { runId: 'r2' })], bound);
    expect(runs.loads).toEqual([line, line]);
    expect(runs.header.plan).toEqual({ requestsMax: 20, peakRequestsPerSecond: 10, seconds: 2 });
  });

  it('is as incomplete as its worst part', () => {
    const killed = {
      ...trace('b', 'c'),
      loads: [{ ...line, state: 'incomplete' as const, reason: 'killed' }],
    };
    expect(mergeTraces([trace('a', 'c'), killed], bound).loads).toMatchObject([
      { state: 'incomplete', reason: 'killed' },
    ]);
    const broken = {
      ...trace('b', 'c'),
      end: { kind: 'end' as const, endedAt: '2026-01-01T00:02:00.000Z', complete: false, reason: 'stopped' },
    };
    expect(mergeTraces([trace('a', 'c'), broken], bound).end).toEqual(broken.end);
    expect(mergeTraces([trace('a', 'c'), { ...trace('b', 'c'), end: null }], bound).end).toBeNull();
  });

  it('counts a copy, and a part beside its whole, once', () => {
    const [a, b] = [trace('a', 'c'), trace('b', 'c')];
    const whole = {
      ...a,
      exchanges: [...a.exchanges, ...b.exchanges],
      loads: [{ ...line, requestsSent: 8 }],
    };
    const merged = mergeTraces([b, whole, whole], bound);
    expect(merged.exchanges).toEqual(whole.exchanges);
    expect(merged.loads).toEqual(whole.loads);
    expect(merged.notes).toMatchObject([{ text: '3 lines stand in the trace twice; each counts once' }]);
  });

  it('keeps the first of several copies', () => {
    const [note, other] = ['the first', 'a copy'].map((text) => ({ kind: 'note', atMs: 0, text }) as const);
    const one = { ...trace('a', 'c'), notes: [note!] };
    expect(mergeTraces([one, { ...one, notes: [other!] }, trace('b', 'c')], bound).notes).toMatchObject([
      { text: '1 line stands in the trace twice; it counts once' },
      note!,
    ]);
  });

  it('copies no exchange whose clock keeps its name', () => {
    const [one, other] = [trace('a', 'c'), trace('b', 'c')];
    const { exchanges } = mergeTraces([one, other], bound);
    expect(exchanges[0]).toBe(one.exchanges[0]);
    expect(exchanges[1]).toBe(other.exchanges[0]);
  });

  it('takes the answer of a request from the part that has it', () => {
    const answered = trace('a', 'c');
    const [exchange] = answered.exchanges;
    const died = {
      ...answered,
      exchanges: [
        { ...exchange!, status: null, failure: 'the run died before the answer' },
        ...trace('b', 'c').exchanges,
      ],
      end: null,
      unknownRequests: 'it died',
    };
    for (const order of [
      [answered, died],
      [died, answered],
    ]) {
      const merged = mergeTraces(order, bound);
      expect(merged.exchanges.find(({ requestId }) => requestId === 'a')).toEqual(exchange);
      expect(merged.unknownRequests).toBe('it died');
    }
  });

  it('names all clocks of another machine anew, those of its looks and ties too', () => {
    const [first, other] = [trace('a', 'c'), trace('b', 'c', { runId: 'r2' })];
    const [clock] = other.header.clocks;
    const tied = { ...other.header, clocks: [{ ...clock!, tiedBy: 'm' }] };
    const look = { kind: 'clock', clock: 'm', monotonicMs: 1, wallMs: 2 } as const;
    const merged = mergeTraces(
      [
        { ...first, clockLines: [look] },
        { ...other, header: tied, clockLines: [look] },
      ],
      bound,
    );
    expect(merged.clockLines).toEqual([look, { ...look, clock: 'm#2' }]);
    expect(merged.header.clocks).toEqual([
      ...first.header.clocks,
      { id: 'c#2', kind: 'wall', offsetMsMax: 500, tiedBy: 'm#2' },
    ]);
    expect(merged.header.clocks[0]).not.toHaveProperty('tiedBy');
  });

  it('has the mode that all have, and the earliest start', () => {
    const at = (startedAt: string, mode: TraceHeader['mode']) => trace(startedAt, 'c', { startedAt, mode });
    const [late, early] = ['2026-01-01T00:00:10.000Z', '2026-01-01T00:00:05.000Z'];
    const { header: alike } = mergeTraces([at(late, 'light'), at(early, 'light')], bound);
    expect([alike.mode, alike.startedAt]).toEqual(['light', early]);
    expect(mergeTraces([at(late, 'light'), at(early, 'load')], bound).header.mode).toBe('full');
  });

  it('says nothing that no part says', () => {
    const merged = mergeTraces([trace('a', 'c'), trace('b', 'c')], bound);
    expect(merged).toMatchObject({ notes: [], leftOut: [], clockLines: [] });
    expect(merged.end).toEqual(trace('a', 'c').end);
    expect(Object.keys(merged)).not.toContain('unknownRequests');
    expect(Object.keys(merged.end ?? {})).not.toContain('stoppedBy');
  });

  it('keeps what was left out, why a part was stopped, and the latest end', () => {
    const left = { kind: 'left-out', scenario: 'nodes', reason: 'one base URL' } as const;
    const [one, other] = [trace('a', 'c'), trace('b', 'c')];
    const stopped = {
      ...other,
      leftOut: [left],
      end: {
        ...other.end!,
        endedAt: '2026-01-01T00:00:30.000Z',
        complete: false,
        stoppedBy: 'preflight' as const,
      },
    };
    const merged = mergeTraces([one, stopped], bound);
    expect(merged.leftOut).toEqual([left]);
    expect(merged.end).toEqual({ ...one.end, complete: false, reason: 'not said', stoppedBy: 'preflight' });
  });

  it('ends with the last of its parts', () => {
    const endingAt = (id: string, endedAt: string) => {
      const part = trace(id, 'c');
      return { ...part, end: { ...part.end!, endedAt } };
    };
    const ends = ['2026-01-01T00:03:00.000Z', '2026-01-01T00:01:00.000Z', '2026-01-01T00:02:00.000Z'];
    const merged = mergeTraces(
      ends.map((end, at) => endingAt(String(at), end)),
      bound,
    );
    expect(merged.end?.endedAt).toBe(ends[0]);
  });

  it('keeps a part without exchanges: it may say what did not run', () => {
    const silent = { ...trace('a', 'c'), exchanges: [], loads: [{ ...line, scenario: 'burst' }] };
    expect(mergeTraces([trace('b', 'c'), silent], bound).loads).toHaveLength(2);
    expect(mergeTraces([trace('b', 'c'), trace('b', 'c'), silent], bound).loads).toHaveLength(2);
  });

  it('takes what two parts share once', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => trace(id, 'c'));
    const shared = (...parts: readonly Trace[]): Trace => ({
      ...parts[0]!,
      exchanges: parts.flatMap(({ exchanges }) => exchanges),
    });
    const merged = mergeTraces([shared(a!, b!), shared(b!, c!)], bound);
    expect(merged.exchanges.map(({ requestId }) => requestId)).toEqual(['a', 'b', 'c']);
    expect(merged.notes).toMatchObject([{ text: '1 line stands in the trace twice; it counts once' }]);
  });

  it.each<readonly [Partial<LoadLine>, Partial<LoadLine>, Partial<LoadLine>]>([
    [{}, { state: 'not-run', requestsSent: null }, { state: 'incomplete', requestsSent: null }],
    [{ state: 'not-run', requestsSent: null }, {}, { state: 'incomplete', requestsSent: null }],
    [{ state: 'not-run' }, { state: 'not-run' }, { state: 'not-run', requestsSent: 8 }],
    [{ reason: 'killed' }, { reason: 'killed' }, { reason: 'killed', requestsSent: 8 }],
    [{ reason: 'killed' }, { reason: 'late' }, { reason: 'killed; late', requestsSent: 8 }],
  ])('parts of a scenario with %j and %j are one with %j', (one, other, both) => {
    const parts = [one, other].map((changes, at) => ({
      ...trace(String(at), 'c'),
      loads: [{ ...line, ...changes }],
    }));
    expect(mergeTraces(parts, bound).loads).toEqual([{ ...line, ...both }]);
  });

  it('plans for as long as the longest of several runs', () => {
    const plan = { requestsMax: 1, peakRequestsPerSecond: 1, seconds: 1 };
    const merged = mergeTraces([trace('a', 'c'), trace('b', 'c', { runId: 'r2', plan })], bound);
    expect(merged.header.plan).toEqual({ requestsMax: 11, peakRequestsPerSecond: 6, seconds: 2 });
  });

  it('refuses what cannot be one trace, and says why', () => {
    const other = trace('a', 'c');
    const changed = { ...other, exchanges: [{ ...other.exchanges[0]!, status: 200 }] };
    const beside = { ...changed, exchanges: [...changed.exchanges, ...trace('b', 'c').exchanges] };
    expect(() =>
      mergeTraces(
        [{ ...other, exchanges: [...other.exchanges, ...trace('d', 'c').exchanges] }, beside],
        bound,
      ),
    ).toThrow('they have two different exchanges of request a');
    // Neither is a part of the other, though all requests of the one are in the other.
    for (const order of [
      [other, beside],
      [beside, other],
      [other, changed],
    ])
      expect(() => mergeTraces(order, bound)).toThrow('they have two different exchanges of request a');
    expect(() => mergeTraces([trace('a', 'c'), trace('b', 'c', { windowMs: 1_000 })], bound)).toThrow(
      'trace 2 differs from the first in windowMs',
    );
    expect(() => mergeTraces([], bound)).toThrow(MergeError);
    expect(() => mergeTraces([], bound)).toThrow(expect.objectContaining({ name: 'MergeError' }));
  });
});

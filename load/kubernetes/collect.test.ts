import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { formatTrace, parseTrace } from '../../contract/trace.ts';
import { traceHeader } from '../../contract/trace-header.ts';
import { exchangeLine } from '../runner/testing/fake-k6.ts';
import { collect } from './collect.ts';
import { type DeployedTrace, ManifestError, readManifest } from './deployed.ts';
import { CollectError } from './log-rows.ts';

const deployed: DeployedTrace = {
  header: traceHeader({
    tool: { name: 'messaging-conformance', version: '0.0.0' },
    runId: 'run-1',
    startedAtMs: Date.parse('2026-01-01T00:00:00.000Z'),
    mode: 'load',
    limits: { standard: 120, messages: 300, media: 30 },
    deployment: deploymentSchema.parse({ baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'] }),
    keys: ['A'],
    clocks: [
      { id: 'k6-burst-1', kind: 'wall', offsetMsMax: 0 },
      { id: 'k6-burst-2', kind: 'wall', offsetMsMax: 0 },
    ],
    plan: { requestsMax: 4, peakRequestsPerSecond: 4, seconds: 1 },
  }),
  scenarios: [
    {
      runners: ['burst-1', 'burst-2'],
      load: {
        ...{ kind: 'load', scenario: 'burst', state: 'complete', reason: null },
        ...{ key: null, scope: 'messages', requestsSent: 4 },
      },
    },
  ],
};

function line(index: number, runner: string, change: Partial<Exchange> = {}): string {
  return exchangeLine(index, {
    clock: `k6-${runner}`,
    requestId: `run-1-burst-${index}`,
    sentMs: 1_000_000 + index,
    receivedMs: 1_000_010 + index,
    ...change,
  });
}

/** The logs, whose bytes are given a few at a time, and what is written of them, read again. */
function collected(logs: readonly string[], bytesAtATime = 1_000) {
  const { trace, incomplete } = collect(
    deployed,
    logs.map((log) => inPieces(Buffer.from(log), bytesAtATime)),
  );
  return { trace: parseTrace(formatTrace(trace)), incomplete };
}

function* inPieces(bytes: Uint8Array, length: number): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length);
}

const one = [line(0, 'burst-1'), line(2, 'burst-1')].join('\n');
const other = [line(3, 'burst-2'), line(1, 'burst-2')].join('\n');

describe('collecting', () => {
  it('makes one whole trace of the logs of all pods, in the order of sending', () => {
    const { trace, incomplete } = collected([one, other]);
    expect([trace.exchanges.length, incomplete]).toEqual([4, []]);
    expect(trace.exchanges.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(trace.header.startedAt).toBe('1970-01-01T00:16:40.000Z');
    expect(trace.loads).toEqual(deployed.scenarios.map(({ load }) => load));
    expect(trace.end).toEqual({
      kind: 'end',
      endedAt: '1970-01-01T00:16:40.013Z',
      complete: true,
      reason: null,
    });
  });

  it('passes over everything else in a log, and what a collector puts before a line', () => {
    const log = ['', 'level=info', `[pod/burst-1-abcde/k6] ${line(0, 'burst-1')}`, '{"kind":"note"}'];
    expect(collected([log.join('\n'), line(2, 'burst-1'), other]).incomplete).toEqual([]);
  });

  it('counts what was collected twice once', () => {
    expect(collected([one, other, one]).trace.exchanges).toHaveLength(4);
  });

  it('keeps what each pod saw of its clocks, once', () => {
    const look = (clock: string, wallMs: number) => ({ kind: 'clock', clock, monotonicMs: 1_000, wallMs });
    const first = JSON.stringify(look('k6-burst-1', 1_000));
    const log = [first, `[pod/x] ${first}`, first.slice(0, -3), JSON.stringify(look('k6-other-1', 5))];
    const { trace } = collected([`${one}\n${log.join('\n')}`, other]);
    expect(trace.clockLines).toEqual([look('k6-burst-1', 1_000)]);
  });

  it('names the runner whose log is missing', () => {
    const { trace, incomplete } = collected([one]);
    expect(incomplete).toEqual(['burst: 2 of 4 requests were collected; none of burst-2']);
    expect(trace).toMatchObject({
      loads: [{ state: 'incomplete', requestsSent: null }],
      end: { complete: false },
    });
  });

  it.each([1, 7, 100])('reads the same in pieces of %i bytes', (bytesAtATime) => {
    const noise = [
      '',
      'level=info',
      '{"kind":"note"}',
      `[pod/x] ${line(1, 'burst-2')}`,
      `${line(3, 'burst-2')}\r`,
    ];
    const logs = [one.replaceAll('\n', `\n${noise.join('\n')}\n`), other.slice(0, -20)];
    expect(collected(logs, bytesAtATime)).toEqual(collected([one, other]));
  });

  it('reads each exchange whatever stands between them, and wherever a piece ends', () => {
    const sent = fc.record({
      sentMs: fc.integer({ min: 1, max: 1e9 }),
      key: fc.constantFrom('A', 'B'),
      status: fc.constantFrom(200, 429),
      remaining: fc.constantFrom(null, '1', '299'),
      noise: fc.constantFrom('', 'x\n', '{"kind":"exchange"\n', `${'time="now" '.repeat(20)}\n`),
    });
    fc.assert(
      fc.property(
        fc.array(sent, { maxLength: 12 }),
        fc.integer({ min: 1, max: 900 }),
        (all, bytesAtATime) => {
          const lines = all.map(({ sentMs, key, status, remaining }, at) =>
            line(at, 'burst-1', {
              ...{ sentMs, receivedMs: sentMs + 1, key, status },
              headers: { limit: '300', remaining, reset: null },
            }),
          );
          const log = all.map(({ noise }, at) => `${noise}${lines[at]}\n`).join('');
          const { trace } = collect(deployed, [inPieces(Buffer.from(log), bytesAtATime)]);
          expect(trace.exchanges.map((exchange) => JSON.stringify(exchange))).toEqual(
            lines.toSorted((left, right) => JSON.parse(left).sentMs - JSON.parse(right).sentMs),
          );
        },
      ),
    );
  });

  it('says that lines were cut off', () => {
    const { incomplete } = collected([one, other.slice(0, -20)]);
    expect(incomplete).toEqual(['burst: 3 of 4 requests were collected; 1 line was cut off']);
  });

  it.each([
    ['another clock', line(0, 'burst-3')],
    ['another run', line(0, 'burst-1', { requestId: 'run-2-burst-0' })],
    ['a manifest that was applied twice', line(0, 'burst-1', { sentMs: 2_000_000, receivedMs: 2_000_010 })],
    ['two pods for one request', line(0, 'burst-2')],
  ])('refuses exchanges of %s', (_what, stranger) => {
    expect(() => collected([one, stranger])).toThrow(CollectError);
  });

  it('says what to do where a manifest was applied twice', () => {
    expect(() => collected([one, line(0, 'burst-1', { status: 500 })])).toThrow(
      'Request run-1-burst-0 stands in the logs twice, with different answers: they are of several runs of one manifest. ' +
        'Write a new manifest, apply it once, and collect its logs alone',
    );
  });
});

describe('reading the manifest', () => {
  it.each([
    ['', 'it holds no ConfigMap'],
    ['a: [', 'it is not YAML'],
    ['kind: ConfigMap\nmetadata: {name: a}\ndata: {b: c}', 'it holds no ConfigMap'],
    [
      'kind: ConfigMap\nmetadata: {name: a}\ndata: {trace-header.json: "{}", load.json: "{}"}',
      'it holds no TestRun a',
    ],
  ])('says of %j that %s', (text, says) => {
    expect(() => readManifest(text)).toThrow(ManifestError);
    expect(() => readManifest(text)).toThrow(says);
  });
});

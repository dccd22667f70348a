import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { assembleTrace } from '../../contract/trace.ts';
import { exchangeLine } from '../runner/testing/fake-k6.ts';
import { CollectError, collect } from './collect.ts';
import { type DeployedTrace, ManifestError, readManifest } from './deployed.ts';

const deployed = {
  header: {
    kind: 'trace',
    runId: 'run-1',
    startedAt: '2026-01-01T00:00:00.000Z',
    windowMs: 60_000,
    limits: { standard: 120, messages: 300, media: 30 },
    deployment: deploymentSchema.parse({ baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'] }),
    clocks: [
      { id: 'k6-burst-1', kind: 'wall' },
      { id: 'k6-burst-2', kind: 'wall' },
    ],
  },
  scenarios: [
    {
      runners: ['burst-1', 'burst-2'],
      load: { kind: 'load', scenario: 'burst', state: 'complete', reason: null, requestsSent: 4 },
    },
  ],
} as unknown as DeployedTrace;

function line(index: number, runner: string, change: Partial<Exchange> = {}): string {
  return exchangeLine(index, {
    clock: `k6-${runner}`,
    requestId: `run-1-burst-${index}`,
    sentMs: 1_000_000 + index,
    receivedMs: 1_000_010 + index,
    ...change,
  });
}

const one = [line(0, 'burst-1'), line(2, 'burst-1')].join('\n');
const other = [line(3, 'burst-2'), line(1, 'burst-2')].join('\n');

describe('collecting', () => {
  it('makes one whole trace of the logs of all pods, in the order of sending', () => {
    const { lines, exchanges, incomplete } = collect(deployed, [one, other]);
    const trace = assembleTrace(lines);
    expect([exchanges, incomplete]).toEqual([4, []]);
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
    expect(collect(deployed, [log.join('\n'), line(2, 'burst-1'), other]).incomplete).toEqual([]);
  });

  it('counts what was collected twice once', () => {
    expect(collect(deployed, [one, other, one]).exchanges).toBe(4);
  });

  it('keeps what each pod saw of its clocks, once', () => {
    const look = (clock: string, wallMs: number) => ({ kind: 'clock', clock, monotonicMs: 1_000, wallMs });
    const first = JSON.stringify(look('k6-burst-1', 1_000));
    const log = [first, `[pod/x] ${first}`, first.slice(0, -3), JSON.stringify(look('k6-other-1', 5))];
    const { lines } = collect(deployed, [`${one}\n${log.join('\n')}`, other]);
    expect(assembleTrace(lines).clockLines).toEqual([look('k6-burst-1', 1_000)]);
  });

  it('names the runner whose log is missing', () => {
    const { lines, incomplete } = collect(deployed, [one]);
    expect(incomplete).toEqual(['burst: 2 of 4 requests were collected; none of burst-2']);
    expect(assembleTrace(lines)).toMatchObject({
      loads: [{ state: 'incomplete', requestsSent: null }],
      end: { complete: false },
    });
  });

  it('says that lines were cut off', () => {
    const { incomplete } = collect(deployed, [one, other.slice(0, -20)]);
    expect(incomplete).toEqual(['burst: 3 of 4 requests were collected; 1 line was cut off']);
  });

  it.each([
    ['another clock', line(0, 'burst-3')],
    ['another run', line(0, 'burst-1', { requestId: 'run-2-burst-0' })],
  ])('refuses exchanges of %s', (_what, stranger) => {
    expect(() => collect(deployed, [one, stranger])).toThrow(CollectError);
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

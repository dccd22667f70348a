import { expect, it } from 'vitest';
import { formatLine, kindOfTrace, TraceError } from '../ndjson.ts';
import {
  type Arrival,
  assembleClientTrace,
  type ClientHeader,
  clientTraceSchemaVersion,
  parseClientTrace,
} from './trace.ts';

const header: ClientHeader = {
  kind: 'client-trace',
  schemaVersion: clientTraceSchemaVersion,
  tool: { name: 'test', version: '0' },
  runId: 'run',
  startedAt: '2025-11-01T12:00:00.000Z',
  windowMs: 60_000,
  limits: { standard: 120, messages: 300, media: 30 },
  lessons: { A: 'limits', B: 'refusals' },
  requestsExpected: {},
};

const arrival = (index: number): Arrival => ({
  kind: 'arrival',
  index,
  key: 'A',
  scope: 'media',
  method: 'POST',
  path: '/v1/media',
  connection: 1,
  identity: { by: 'content', digest: `d${index}` },
  arrivedMs: index,
  answeredMs: null,
  status: null,
  retryAfterSeconds: null,
});

const end = { kind: 'end', endedAtMs: 9, clientIsDone: true } as const;

it('comes back from its text as it was, arrivals in their order, without a line that was cut off', () => {
  const repeated = { ...arrival(1), identity: { by: 'idempotency-key', digest: 'd' } } as const;
  const lines = [header, repeated, end, arrival(0)] as const;
  const text = lines.map(formatLine).join('');
  expect(kindOfTrace(text)).toBe('client');
  const trace = parseClientTrace(`${text}{"kind":"arr`);
  expect(trace).toEqual(assembleClientTrace(lines));
  expect(trace.arrivals.map(({ index }) => index)).toEqual([0, 1]);
  expect(trace.end).toEqual(end);
  expect(parseClientTrace(formatLine(header)).end).toBeNull();
});

it.each([
  ['no header', [arrival(0)], 'line 1 is not the header'],
  ['two headers', [header, arrival(0), header], 'line 3 is a second header'],
])('%s is refused, with the line', (_name, lines, message) => {
  const text = lines.map(formatLine).join('');
  expect(() => parseClientTrace(text)).toThrow(TraceError);
  expect(() => parseClientTrace(text)).toThrow(message);
});

it('names what does not fit', () => {
  const text = formatLine(header) + JSON.stringify({ ...arrival(0), key: 1 });
  expect(() => parseClientTrace(`${text}\n`)).toThrow(/line 2 .*key/);
  expect(() => parseClientTrace('not JSON\n')).toThrow('line 1 is not JSON');
});

import { expect, test } from 'vitest';
import { deploymentSchema } from './deployment.ts';
import { formatLine } from './ndjson.ts';
import { parseTrace, type TraceHeader, type TraceLine } from './trace.ts';

const header: TraceHeader = {
  kind: 'trace',
  schemaVersion: 1,
  tool: { name: 'messaging-conformance', version: '0.0.0' },
  runId: 'r1',
  startedAt: '2026-01-01T00:00:00.000Z',
  mode: 'full',
  windowMs: 60_000,
  limits: { standard: 120, messages: 300, media: 30 },
  deployment: deploymentSchema.parse({ baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'] }),
  keys: ['A'],
  clocks: [{ id: 'undici', kind: 'monotonic', offsetMsMax: 0 }],
  plan: { requestsMax: 1, peakRequestsPerSecond: 1, seconds: 1 },
};
const note: TraceLine = { kind: 'note', atMs: 5, text: 'waited' };
const end: TraceLine = { kind: 'end', endedAt: '2026-01-01T00:01:00.000Z', complete: true, reason: null };
const text = [header, note, end].map(formatLine).join('');

test('a trace read back is the one that was written', () => {
  expect(parseTrace(text)).toEqual({ header, exchanges: [], loads: [], notes: [note], end });
});

test('a line cut off by a run that died is dropped, and the trace has no end', () => {
  const cut = text.slice(0, -20);
  expect(parseTrace(cut)).toMatchObject({ notes: [note], end: null });
});

test.each([
  ['', 'line 1 is not the header'],
  ['{"kind":"trace"', 'line 1 is not a whole line'],
  [formatLine(note), 'line 1 is not the header'],
  [`${text}nonsense\n`, 'line 4 is not JSON'],
  [`${text}{"kind":"note","atMs":"late","text":""}\n`, 'line 4 does not fit the schema: atMs'],
  [text + formatLine(header), 'line 4 is a second header'],
  [formatLine({ ...header, schemaVersion: 2 } as unknown as TraceLine), 'schemaVersion'],
])('what cannot be read is named by its line: %j', (broken, message) => {
  expect(() => parseTrace(broken)).toThrow(message);
});

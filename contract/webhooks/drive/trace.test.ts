import { expect, test } from 'vitest';
import { TraceError } from '../../ndjson.ts';
import { type DriveLine, driveTraceSchemaVersion, parseDriveTrace } from './trace.ts';

const header: DriveLine = {
  kind: 'webhook-drive',
  schemaVersion: driveTraceSchemaVersion,
  tool: { name: 'test', version: '0' },
  runId: 'r',
  startedAt: '2026-01-01T00:00:00.000Z',
  target: 'http://127.0.0.1:3000/',
  secretEnv: ['SECRET'],
  effects: null,
  budgetMs: 5_000,
  effectsWaitMs: 0,
  burst: { eventsPerSecond: 15, seconds: 10 },
  cases: ['valid.received'],
};
const end: DriveLine = { kind: 'end', endedAt: header.startedAt, complete: true, reason: null };
const textOf = (...lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

test('a trace is read as it was written; a last line that was cut off is dropped', () => {
  const note: DriveLine = { kind: 'note', atMs: 1, text: 'x' };
  const trace = parseDriveTrace(`${textOf(header, note, end)}{"kind":"deliv`);
  expect(trace).toEqual({ header, deliveries: [], effects: [], notes: [note], end });
});

test.each([
  ['', 'line 1 is not the header'],
  [textOf(end), 'line 1 is not the header'],
  [textOf(header, header), 'line 2 is a second header'],
  [`${textOf(header)}x\n`, 'line 2 is not JSON'],
  [textOf(header, { kind: 'delivery' }), 'line 2 does not fit the schema: index'],
  [textOf({ ...header, schemaVersion: 2 }), 'line 1 does not fit the schema: schemaVersion'],
])('%j says which line is wrong', (text, says) => {
  expect(() => parseDriveTrace(text)).toThrow(TraceError);
  expect(() => parseDriveTrace(text)).toThrow(says);
});

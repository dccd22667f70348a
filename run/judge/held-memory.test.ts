import { execFile } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { formatLine } from '../../contract/ndjson.ts';
import { captured, capturedHeader } from '../../contract/webhooks/testing/captured.ts';
import type { WebhookTraceLine } from '../../contract/webhooks/trace.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { traceFileName } from './trace-file.ts';

/** What judging has in all, and what the trace alone would take of it. */
const [heapMegabytesMax, traceMegabytes] = [64, 96];

const bodyCharacters = 100_000;
const startedMs = Date.UTC(2026, 0, 1);

/** Few deliveries, each with a long text: they are quickly judged. */
function writeDeliveries(path: string): number {
  const count = (traceMegabytes * 1e6) / bodyCharacters;
  const file = openSync(path, 'w');
  const write = (line: WebhookTraceLine) => writeSync(file, formatLine(line));
  write(capturedHeader);
  for (let index = 0; index < count; index += 1) {
    const data = { message_id: `msg_${index}`, status: 'sent', text: 'a'.repeat(bodyCharacters) };
    const text = JSON.stringify({ event: 'message.sent', timestamp: startedMs / 1_000, data });
    const atMs = startedMs + index;
    write(
      captured({
        index,
        headers: [['Content-Type', 'application/json']],
        body: { text },
        bodyBytes: text.length,
        ...{ arrivedMs: atMs, completeMs: atMs, answeredMs: atMs },
      }),
    );
  }
  closeSync(file);
  return count;
}

test('a long capture is judged, and its page written, in less memory than its rows would take', async () => {
  const folder = await temporaryFolder();
  const count = writeDeliveries(join(folder, traceFileName));
  const moduleOf = (name: string): string => pathToFileURL(join(import.meta.dirname, name)).href;
  const program = `
    const { documentAlone } = await import(${JSON.stringify(moduleOf('judging.ts'))});
    const { judgeAndReport } = await import(${JSON.stringify(moduleOf('judge-file.ts'))});
    await judgeAndReport('capture', ${JSON.stringify(join(folder, traceFileName))}, documentAlone);`;
  const heap = `--max-old-space-size=${heapMegabytesMax}`;
  await promisify(execFile)(process.execPath, [heap, '--input-type=module', '--eval', program]);
  const report: unknown = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  expect(report).toMatchObject({ deliveries: { total: count } });
}, 300_000);

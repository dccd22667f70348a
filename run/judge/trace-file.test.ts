import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { formatLine } from '../../contract/ndjson.ts';
import { captured, capturedHeader as header } from '../../contract/webhooks/testing/captured.ts';
import { parseWebhookTrace } from '../../contract/webhooks/trace.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { judgeFile } from './judge-file.ts';
import { documentAlone } from './judging.ts';
import { parsedFile, readTrace, readTraceWithin } from './trace-file.ts';

/** Two megabytes, whose letters of three bytes each are cut by every chunk that is read. */
const deliveries = Array.from({ length: 200 }, (_, index) =>
  captured({
    index,
    body: { text: '你'.repeat(3_000 + index) },
    bodyBytes: 3 * (3_000 + index),
    ...{ arrivedMs: index, completeMs: index, answeredMs: index },
  }),
);

async function saved(lines: readonly { readonly kind: string }[]): Promise<string> {
  const path = join(await temporaryFolder(), 'trace.ndjson');
  await writeFile(path, lines.map(formatLine).join(''));
  return path;
}

it('reads a trace that is too long for one text by its rows, and finds the same', async () => {
  const path = await saved([header, ...deliveries]);
  const read = (bytesMax: number) =>
    readTraceWithin(bytesMax, path).then((file) => parsedFile(file, parseWebhookTrace, 'is none'));
  const whole = await read(1e9);
  expect(whole.deliveries).toHaveLength(200);
  expect(await read(1_000)).toEqual(whole);
  const { text, rows } = await readTraceWithin(1_000, path);
  expect(text.length).toBeLessThan(1_000);
  expect(rows).toBeDefined();
});

it('finds in a trace of a deployment that is read row by row what it finds in its text', async () => {
  const path = join(import.meta.dirname, '../../judge/testdata/limit-minus-one.ndjson');
  const judged = async (bytesMax: number) => {
    const found = await judgeFile(await readTraceWithin(bytesMax, path), documentAlone);
    return JSON.stringify(found, (name, value) => (name === 'judgedAt' ? null : value));
  };
  expect(await judged(1_000)).toBe(await judged(1e9));
});

it.each([
  ['is compressed', gzipSync(formatLine(header)), 'It is compressed: unpack it first (gunzip).'],
  [
    'begins with a byte order mark',
    Buffer.from(`\ufeff${formatLine(header)}`),
    'save it as UTF-8 without one.',
  ],
  ['is in UTF-16', Buffer.from(`\ufeff${formatLine(header)}`, 'utf16le'), 'It is in UTF-16'],
  ['is something else', Buffer.from('nonsense\n'), 'Give the path of a trace.ndjson, or of its folder.'],
])('says what to do with a file that %s', async (_what, bytes, advice) => {
  const path = join(await temporaryFolder(), 'trace.ndjson');
  await writeFile(path, bytes);
  const file = await readTrace(path);
  expect(() => parsedFile(file, parseWebhookTrace, 'is none')).toThrow(advice);
});

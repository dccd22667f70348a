import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatLine, TraceError } from '../ndjson.ts';
import { openWebhookLog } from './log.ts';
import { captured, capturedHeader as header } from './testing/captured.ts';
import { parseWebhookTrace, type WebhookTraceLine } from './trace.ts';

/** @param connection tells deliveries of one index apart. */
const delivery = (index: number, connection: number) => captured({ index, connection });

const others: readonly WebhookTraceLine[] = [
  { kind: 'injected', atMs: 1, messages: 2 },
  { kind: 'injected', atMs: 2, messages: 3 },
  { kind: 'unheard', dropped: 1, silent: 2, unreadable: 3 },
  { kind: 'end', endedAt: '2026-01-01T00:00:09.000Z', complete: true, reason: null },
];

test('a trace that is read row by row says what the same trace says that is held, in whatever order it was written', () => {
  const index = fc.oneof(fc.nat(8), fc.nat(1_000));
  fc.assert(
    fc.property(fc.array(index, { maxLength: 30 }), fc.subarray([...others]), (indexes, more) => {
      const rows = [header, ...indexes.map(delivery), ...more].map((line) => formatLine(line).trimEnd());
      const text = `${rows.join('\n')}\n`;
      const { deliveries, ...whole } = parseWebhookTrace(text);
      for (const log of [openWebhookLog(() => rows), openWebhookLog(() => text)]) {
        expect(log).toMatchObject(whole);
        expect([...log.deliveries]).toEqual(deliveries);
        expect(log.deliveries).toHaveLength(deliveries.length);
        // As often as they are asked for.
        expect([...log.deliveries]).toEqual(deliveries);
      }
    }),
    { seed: 4, numRuns: 200 },
  );
});

test('deliveries of one index wait for one that comes later with a lower index', () => {
  const rows = [header, ...[5, 5, 3, 7].map(delivery)].map((line) => formatLine(line).trimEnd());
  const { deliveries } = parseWebhookTrace(`${rows.join('\n')}\n`);
  expect([...openWebhookLog(() => rows).deliveries]).toEqual(deliveries);
  expect(deliveries.map(({ index }) => index)).toEqual([3, 5, 5, 7]);
});

test('a torn last line is dropped', () => {
  const text = `${[header, delivery(0, 1)].map(formatLine).join('')}{"kind":"deliv`;
  expect([...openWebhookLog(() => text).deliveries]).toEqual([delivery(0, 1)]);
});

test.each<readonly [string, readonly string[], string]>([
  ['nothing', [''], 'line 1 is not the header'],
  ['no header', [formatLine(delivery(0, 1)), ''], 'line 1 is not the header'],
  ['two headers', [formatLine(header), formatLine(header), ''], 'line 2 is a second header'],
  ['a line that is no JSON', [formatLine(header), 'no', ''], 'line 2 is not JSON'],
])('%s is said at once', (_what, rows, message) => {
  expect(() => openWebhookLog(() => rows)).toThrow(TraceError);
  expect(() => openWebhookLog(() => rows)).toThrow(message);
});

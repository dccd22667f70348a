import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatLine, kindOfTrace, TraceError } from '../ndjson.ts';
import { anyCharacter } from '../testing/any-character.ts';
import { bytesOf, keptBody } from './body.ts';
import { captured, capturedHeader as header } from './testing/captured.ts';
import { assembleWebhookTrace, type Delivery, parseWebhookTrace } from './trace.ts';

const delivery = (index: number) => captured({ index });

test('any bytes are kept as they came', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.string({ unit: anyCharacter }).map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        const kept: unknown = JSON.parse(JSON.stringify(keptBody(bytes)));
        expect(Buffer.from(bytesOf(kept as Delivery['body']))).toEqual(Buffer.from(bytes));
      },
    ),
    { seed: 5, numRuns: 60 },
  );
  expect(keptBody(Buffer.from('\ufeff{"a":"ü"}'))).toEqual({ text: '\ufeff{"a":"ü"}' });
  expect(keptBody(Buffer.from([0xff]))).toEqual({ base64: '/w==' });
});

test('deliveries are in order of arrival, whenever they were answered, and a torn last line is dropped', () => {
  const text = [header, delivery(1), delivery(0)].map(formatLine).join('');
  expect(kindOfTrace(text)).toBe('capture');
  const trace = parseWebhookTrace(`${text}{"kind":"deliv`);
  expect(trace).toEqual(assembleWebhookTrace([header, delivery(0), delivery(1)]));
  expect(trace.deliveries.map(({ index }) => index)).toEqual([0, 1]);
  expect(trace.end).toBeNull();
});

test.each([
  ['no header', [delivery(0)], 'line 1 is not the header'],
  ['two headers', [header, header], 'line 2 is a second header'],
] as const)('%s is said', (_what, lines, message) => {
  expect(() => parseWebhookTrace(lines.map(formatLine).join(''))).toThrow(TraceError);
  expect(() => parseWebhookTrace(lines.map(formatLine).join(''))).toThrow(message);
});

test.each([
  ['not JSON\n', 'line 2 is not JSON'],
  ['{"kind":"delivery"}\n', 'line 2 does not fit the schema: index'],
])('a line that cannot be read is named: %j', (row, message) => {
  expect(() => parseWebhookTrace(formatLine(header) + row)).toThrow(message);
});

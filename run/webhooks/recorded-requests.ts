import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isOfConnection } from '../../checks/webhooks/capture/forward.ts';
import type { WebhookRequest } from '../../checks/webhooks/drive/compose-request.ts';
import { kindOfTrace } from '../../contract/ndjson.ts';
import { withheld } from '../../contract/secret/withheld.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { bytesOf } from '../../contract/webhooks/body.ts';
import { parseDriveTrace } from '../../contract/webhooks/drive/trace.ts';
import { type Delivery as CapturedDelivery, parseWebhookTrace } from '../../contract/webhooks/trace.ts';
import { plainText } from '../../reports/plain-text.ts';
import { parsedFile, type TraceFile } from '../judge/trace-file.ts';

/** A request of a trace, ready to be sent again; `null` where it was not kept whole, and why. */
export type RecordedRequest = {
  /** Its position in the trace. */
  readonly index: number;
  readonly request: WebhookRequest | null;
  readonly why: string;
};

/** What must not go to another host. */
const credentials = new Set(['authorization', 'proxy-authorization', 'cookie']);

/**
 * What a trace of `capture` or of `drive` holds: the same headers in the same order and spelling, and the same bytes.
 * @param host where they are sent this time.
 * @throws {UsageError} where the file is neither; names the line.
 */
export function recordedRequests(file: TraceFile, host: string): readonly RecordedRequest[] {
  return linesIn(file).map((line): RecordedRequest => {
    refuseBadHeaders(file, line);
    const { index, headers, why } = line;
    if (why !== null) return { index, request: null, why };
    const body = Buffer.from(bytesOf(line.body));
    const isChunked = headers.some(
      ([name, value]) => name.toLowerCase() === 'transfer-encoding' && /chunked/i.test(value),
    );
    const length: readonly [string, string] = isChunked
      ? ['Transfer-Encoding', 'chunked']
      : ['Content-Length', String(body.length)];
    const kept = headers.filter(
      ([name, value]) => !isOfConnection(name) && !credentials.has(name.toLowerCase()) && value !== withheld,
    );
    const request: WebhookRequest = {
      headers: [['Host', host], ...kept, length],
      body,
      framing: isChunked ? 'chunked' : 'content-length',
    };
    return { index, request, why: '' };
  });
}

/** @throws {UsageError} where no request can have such a header: the trace was changed by hand. */
function refuseBadHeaders(file: TraceFile, { index, headers }: Line): void {
  for (const [name, value] of headers) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new UsageError(
        `${file.path} cannot be replayed: line ${lineOf(file, index)} (delivery ${index}) has a header that cannot ` +
          `be sent: ${plainText(`${name}: ${value}`, 120)}`,
      );
    }
  }
}

/** Number of the line that holds a delivery, from 1. */
function lineOf({ text, rows }: TraceFile, index: number): number {
  let number = 0;
  for (const row of rows?.() ?? text.split('\n')) {
    number += 1;
    if (isDelivery(row, index)) break;
  }
  return number;
}

function isDelivery(row: string, index: number): boolean {
  const line = JSON.parse(row) as { readonly kind?: unknown; readonly index?: unknown };
  return line.kind === 'delivery' && line.index === index;
}

type Line = {
  readonly index: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Parameters<typeof bytesOf>[0];
  readonly why: string | null;
};

function linesIn(file: TraceFile): readonly Line[] {
  const kind = kindOfTrace(file.text);
  if (kind === 'drive') {
    const { deliveries } = parsedFile(file, parseDriveTrace, 'cannot be replayed');
    return deliveries.map((line) => ({ ...line, why: null })).sort((a, b) => a.index - b.index);
  }
  if (kind === 'capture') {
    const { deliveries } = parsedFile(file, parseWebhookTrace, 'cannot be replayed');
    return deliveries.map((line) => ({ ...line, why: whyNotWhole(line) }));
  }
  throw new UsageError(
    `${file.path} is no trace of webhooks: give one of "webhooks capture" or "webhooks drive", or its folder.`,
  );
}

function whyNotWhole({ completeMs, bodyBytes, body }: CapturedDelivery): string | null {
  if (completeMs === null) return 'it broke off';
  return bodyBytes === bytesOf(body).length
    ? null
    : 'it was not kept whole: it was too long, or held the secret';
}

import type { ClientRequest } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WebhookRequest } from './compose-request.ts';

/** Chunks that a body is sent in, at most. */
const chunksMax = 8;

/** Writes a body as its framing says: whole, in chunks that break a character, or half of it and no more. */
export async function writeRequest(request: ClientRequest, { body, framing }: WebhookRequest): Promise<void> {
  switch (framing) {
    case 'content-length':
      request.end(body);
      return;
    case 'chunked':
      for (const chunk of chunksOf(body)) {
        request.write(chunk);
        // Each goes to the connection by itself.
        await nextTurn();
      }
      request.end();
      return;
    case 'cut-off':
      request.write(body.subarray(0, Math.floor(body.length / 2)), () => request.socket?.end());
      return;
    default:
      framing satisfies never;
  }
}

/** Pieces of a body; the first cut goes through a character of several bytes where there is one. */
function chunksOf(body: Buffer): readonly Buffer[] {
  const within = body.findIndex((byte) => (byte & 0xc0) === 0x80);
  const first = within === -1 ? 1 : within;
  const size = Math.max(1, Math.ceil((body.length - first) / (chunksMax - 1)));
  const rest = body.subarray(first);
  const count = Math.ceil(rest.length / size);
  return [
    body.subarray(0, first),
    ...Array.from({ length: count }, (_, at) => rest.subarray(at * size, (at + 1) * size)),
  ];
}

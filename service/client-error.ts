import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer } from './answers.ts';
import type { ApiError } from './behaviour.ts';
import { apiErrorOf } from './errors.ts';

const known: ReadonlyMap<string, readonly [status: number, message: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'The head of the request is too large.']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'The chunk extensions of the request are too large.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time.']],
]);

/** What to say to bytes that Node could not read as an HTTP request. */
export function clientErrorOf({ code = '' }: { readonly code?: string }): ApiError {
  const [statusCode, message] = known.get(code) ?? [400, 'This is not a valid HTTP request.'];
  return apiErrorOf({ statusCode, message });
}

/** Writes an answer past Node's HTTP, and ends the connection: where a next request would start is unknown. */
export function giveBytes(socket: Socket, { status, headers, body }: Answer): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

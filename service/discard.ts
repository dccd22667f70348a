import type { IncomingMessage } from 'node:http';
import { uploadBytesMax } from './choices.ts';

/** A slow client gets its answer after this long, while its body is still arriving. */
const answerAfterMs = 2_000;

/** Bytes of an unwanted body that are read before its connection is closed. */
const discardBytesMax = 2 * uploadBytesMax;

/**
 * Reads and drops the rest of a request's body, then calls `answer`, once. A client that gets an answer while it still
 * sends closes the connection (undici), or loses the answer when the server resets the connection (RFC 9112 §9.6). So
 * the answer waits for the body: at most `answerAfterMs`, and for at most `uploadBytesMax`. Then the connection stays
 * open for as many bytes again.
 */
export function afterBody(request: IncomingMessage, answer: () => void): void {
  if (!hasBody(request) || request.readableEnded || request.destroyed) {
    answer();
    return;
  }
  let bytes = 0;
  let answered = false;
  const once = () => {
    if (answered) return;
    answered = true;
    clearTimeout(timer);
    answer();
  };
  const timer = setTimeout(once, answerAfterMs);
  // A parser that stopped half way would hold the body back.
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > uploadBytesMax) once();
    if (bytes > discardBytesMax) request.destroy();
  });
  request.once('end', once);
  request.once('error', once);
  request.once('close', once);
  request.resume();
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

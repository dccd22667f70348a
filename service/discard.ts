import type { IncomingMessage } from 'node:http';
import { uploadBytesMax } from './choices.ts';

/** A client that sends slowly gets its answer after this long, its body still on the way. */
const answerAfterMs = 2_000;

/** What is read of a body that nobody wants, before its connection is given up. */
const discardBytesMax = 2 * uploadBytesMax;

/**
 * Reads and drops what is left of a request's body, then calls `answer`, once. Clients that get an answer in the middle
 * of sending close the connection (undici), or lose the answer to the reset that closing it under them causes
 * (RFC 9112 §9.6). So the answer waits for the body, but no longer than `answerAfterMs` nor for more than
 * `uploadBytesMax`; the connection stays open after that for as much again.
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

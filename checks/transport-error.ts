import type { transportCodes } from '../contract/unreachable.ts';

/** Why there is no connection, where Node has no error of its own: a code, and a sentence that says what to set. */
export class TransportError extends Error {
  readonly code: (typeof transportCodes)[number];

  constructor(code: (typeof transportCodes)[number], message: string) {
    super(message);
    this.code = code;
  }
}

/** Unusable input: the message is a sentence that says what, where and what to do. Exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

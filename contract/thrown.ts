/** What was thrown, as an error: anything may be. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** What it says of itself. */
export function messageOf(thrown: unknown): string {
  return asError(thrown).message;
}

/** Its code, such as `ENOENT`; `null` where it has none. */
export function codeOf(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
}

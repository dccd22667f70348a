/** Codes that say that a request never reached the service. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const texts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name could not be looked up',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EPIPE: 'connection closed while sending',
  UND_ERR_SOCKET: 'connection closed by the other side',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the body broke off',
  UND_ERR_HEADERS_OVERFLOW: 'the headers are too large',
  HPE_INVALID_CONSTANT: 'the answer is not HTTP',
};

/** Why a request has no answer, in a few words with the error's code. Never holds what was sent. */
export function failureText(error: unknown): string {
  const code = codeOf(error);
  if (code === null) return 'no answer';
  return `${texts[code] ?? 'no answer'} (${code})`;
}

/** Whether a failure text says that nothing listens, or nothing that speaks HTTP. */
export function isUnreachable(failure: string): boolean {
  return [...unreachable].some((code) => failure.includes(`(${code})`)) || isNotHttp(failure);
}

export function isNotHttp(failure: string): boolean {
  return failure.includes('(HPE_');
}

/** The code of an error or of what caused it; an attempt at several addresses fails with one error each. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}

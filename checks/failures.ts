import { isUnreached, type unreachableCodes } from '../contract/unreachable.ts';

const trust = 'NODE_EXTRA_CA_CERTS=ca.pem adds a certificate authority to trust';

const connecting: Readonly<Record<(typeof unreachableCodes)[number], string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name could not be looked up',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  EPROTO: 'the TLS handshake failed',
  DEPTH_ZERO_SELF_SIGNED_CERT: `the certificate is signed by itself; ${trust}`,
  SELF_SIGNED_CERT_IN_CHAIN: `the certificate is not signed by a trusted authority; ${trust}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `the certificate is not signed by a trusted authority; ${trust}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `the certificate is not signed by a trusted authority; ${trust}`,
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

const texts: Readonly<Record<string, string>> = {
  ...connecting,
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed while sending',
  UND_ERR_SOCKET: 'connection closed by the other side',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the body broke off',
  UND_ERR_HEADERS_OVERFLOW: 'the headers are too large',
  HPE_INVALID_CONSTANT: 'the answer is not HTTP',
};

/** Why a request has no answer: the run ended first. */
export const interrupted = 'the run was interrupted';

/** Why a request has no answer: the connection was closed before it. */
export const endedUnanswered = 'the connection ended without an answer';

/** Why a request has no answer: it took too long. */
export function noAnswerWithin(timeoutMs: number): string {
  return `no answer within ${timeoutMs / 1_000} s`;
}

/** Why a request has no answer, in a few words with the code of the error. Never contains anything that was sent. */
export function failureText(error: unknown): string {
  const code = codeOf(error);
  if (code === null) return 'no answer';
  return `${texts[code] ?? 'no answer'} (${code})`;
}

/** Whether a failure text says that nothing listens there, or something that does not speak HTTP. */
export function isUnreachable(failure: string): boolean {
  return isUnreached(failure) || isNotHttp(failure);
}

export function isNotHttp(failure: string): boolean {
  return failure.includes('(HPE_');
}

/** The code of an error or of its cause. An attempt at several addresses fails with one error for each. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}

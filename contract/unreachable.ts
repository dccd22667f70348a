/** Codes of our own, for what a proxy or a version of HTTP made impossible. */
export const transportCodes = [
  'PROXY_UNREACHABLE',
  'PROXY_AUTHENTICATION',
  'PROXY_REFUSED',
  'HTTP2_REFUSED',
] as const;

/**
 * Codes of errors after which a request certainly never reached the service. A failure text ends with its code in
 * parentheses.
 */
export const unreachableCodes = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'EPROTO',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
  'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN',
  ...transportCodes,
] as const;

/** The code with which a failure text ends; `null` where it has none. */
export function codeIn(failure: string): string | null {
  return /\(([\w/]+)\)$/.exec(failure)?.[1] ?? null;
}

/** Whether a failure text says that no connection was made. */
export function isUnreached(failure: string): boolean {
  return unreachable.has(codeIn(failure));
}

const unreachable: ReadonlySet<string | null> = new Set(unreachableCodes);

/** Why a request has no answer: the run ended first. */
export const interrupted = 'the run was interrupted';

/** Why a request has no answer: the connection was closed before it. */
export const endedUnanswered = 'the connection ended without an answer';

/** Whether a failure text says that a connection broke before an answer. */
export function isBroken(failure: string): boolean {
  return failure === endedUnanswered || broken.has(codeIn(failure));
}

const broken: ReadonlySet<string | null> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

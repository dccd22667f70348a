import { expect, test } from 'vitest';
import { endedUnanswered, interrupted, isBroken, isUnreached } from './unreachable.ts';

test.each([
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
  'PROXY_UNREACHABLE',
  'PROXY_AUTHENTICATION',
  'PROXY_REFUSED',
  'HTTP2_REFUSED',
])('after %s a request cannot have been counted', (code) => {
  expect(isUnreached(`what happened, in words (${code})`)).toBe(true);
});

test.each(['the connection was reset (ECONNRESET)', 'none within 10 s', 'ECONNREFUSED'])(
  'after "%s" it can',
  (failure) => {
    expect(isUnreached(failure)).toBe(false);
  },
);

test.each([endedUnanswered, 'read (ECONNRESET)', 'write (EPIPE)', 'other side closed (UND_ERR_SOCKET)'])(
  'after "%s" a connection broke',
  (failure) => {
    expect(isBroken(failure)).toBe(true);
  },
);

test.each([interrupted, 'none (ECONNREFUSED)', '(ECONNRESET) after an answer'])(
  'after "%s" it did not',
  (failure) => {
    expect(isBroken(failure)).toBe(false);
  },
);

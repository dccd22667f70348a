import type { Signature } from './cases/words.ts';

/** Deliveries of this case were sent to find out what a receiver computes that refuses a right signature. */
export const diagnosisCase = 'diagnosis';

/** The signatures that are tried, best guess first, and what it means if one is accepted. */
export const diagnoses = [
  ['absent', 'it accepts events without a signature, and refuses those with the right one'],
  ['no-prefix', 'it expects the bare hex digits, without "sha256=" before them'],
  ['upper-case', 'it computes upper-case hex; the convention is lower case'],
  ['base64', 'it computes base64; the convention is lower-case hex'],
  ['by-decoded-hex-secret', 'it decodes the secret from hex; the secret’s own characters are the key'],
  ['by-decoded-base64-secret', 'it decodes the secret from base64; the secret’s own characters are the key'],
  ['by-empty-secret', 'its secret is empty: the variable is not set where the receiver runs'],
  ['timestamp-prefixed', 'it puts the timestamp and a dot before the body; the body alone is signed'],
  ['sha256-of-secret-and-body', 'it computes SHA-256 of secret and body, which is not an HMAC'],
  ['plain-sha256', 'it computes SHA-256 of the body without the secret: anybody can'],
  ['sha1', 'it computes HMAC-SHA1'],
] as const satisfies readonly (readonly [Signature, string])[];

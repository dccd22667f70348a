import { createHmac } from 'node:crypto';
import { parseBody } from '../../contract/error-body.ts';
import { begun } from './digests.ts';
import {
  type convention,
  departures,
  likelyCause,
  type SignatureFit,
  signatureFit,
} from './signature-fits.ts';
import { signatureValue } from './signature-values.ts';
import { withoutByteOrderMark, withoutLineBreak } from './signed-texts.ts';

export type VerificationQuestion = {
  readonly body: Uint8Array;
  /** The whole value of `X-Service-Signature`. */
  readonly value: string;
  /** One, or two while the first is rotated. */
  readonly secrets: readonly string[];
  /** What came with the body and may have been signed with it. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** `POST` where it is left out. */
  readonly method?: string;
  readonly path: string;
};

export type Verification = {
  /** Whether a receiver that keeps to the convention accepts it. */
  readonly verifies: boolean;
  /** What is wrong with the value's form, whatever was signed; `null` where it is `sha256=` and something. */
  readonly form: string | null;
  /** The computation that gives the value; `null` where none in common use does. */
  readonly fit: SignatureFit | null;
  /** What that makes likely, and what to change. */
  readonly advice: readonly string[];
  /** What is right by the convention, for each secret. */
  readonly right: readonly string[];
};

/** Why a signature verifies or does not: every computation in common use is tried. */
export function verifySignature(question: VerificationQuestion): Verification {
  const { body, value, secrets, headers, method = 'POST', path } = question;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const [signature] = signatureValue(value).signatures;
  // What the body says is looked for without a mark that no parser of JSON takes.
  const parsed = parseBody(text.replace(/^\ufeff/, ''));
  const fit = signatureFit({ bytes: body, text, parsed, headers, method, path, value, secrets });
  const form = formFault(value);
  const right = secrets.map((secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const verifies = right.includes(value);
  return { verifies, form, fit, advice: verifies ? [] : adviceOn(fit, signature), right };
}

function formFault(value: string): string | null {
  if (value === '') return 'it is empty';
  if (value !== value.trim()) return 'it has white space around it';
  if (/^sha256=/.test(value)) return valueFault(value.slice('sha256='.length));
  const prefix = /^([a-z0-9-]+)=(?=[^=])/i.exec(value)?.[1];
  return prefix === undefined
    ? 'it has no "sha256=" before the signature'
    : `it begins with "${prefix}=" in place of "sha256="`;
}

function valueFault(signature: string): string | null {
  if (signature === '') return 'nothing follows sha256=';
  if (/^\s/.test(signature)) return 'it has white space after "sha256="';
  if (/^["']/.test(signature)) return 'it has quotes around the signature';
  return /[,;\s]/.test(signature) ? 'it holds several values' : null;
}

function adviceOn(fit: SignatureFit | null, signature: string): readonly string[] {
  if (fit?.over === withoutLineBreak)
    return ['remove the line break at the end of the body: it was not signed'];
  if (fit?.over === withoutByteOrderMark)
    return ['remove the byte order mark (BOM) at the beginning of the body: it was not signed'];
  if (fit?.encoding.startsWith(begun) === true) return [likelyCause(signature)];
  if (fit !== null) return departures(fit).map((part) => mends[part]);
  return signature === '' ? [] : [likelyCause(signature), ...unknownAdvice];
}

const mends: Readonly<Record<keyof typeof convention, string>> = {
  algorithm: 'use HMAC-SHA256, keyed with the secret',
  key: 'use the characters of the secret as the key: not decoded, not trimmed, nothing added',
  over: 'sign the exact bytes of the body, taken before anything parses them',
  encoding: 'write the digest as lower-case hex',
};

const unknownAdvice = [
  'check whether the file holds the bytes that were sent: an editor may have added a line break, or changed other bytes',
  'check whether the secret is the one of this subscription, and has no quotes or white space around it',
];

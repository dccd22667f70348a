import type { DriveCase } from '../../../contract/webhooks/drive/case.ts';
import { firstCase } from '../../../contract/webhooks/drive/cases/valid.ts';
import type { Signature } from '../../../contract/webhooks/drive/delivery.ts';
import type { DeliveryLine, DriveTrace } from '../../../contract/webhooks/drive/trace.ts';
import { isAccepted } from './answer-faults.ts';

/** Lines of this case were sent to tell what a receiver computes that refuses what is right. */
export const diagnosisCase = 'diagnosis';

/** What is tried, best guess first, and what its acceptance says. */
export const diagnoses = [
  ['absent', 'it takes events without a signature, and refuses those that carry the right one'],
  ['no-prefix', 'it expects the bare hex digits, without "sha256=" before them'],
  ['upper-case', 'it computes upper-case hex; the convention is lower case'],
  ['base64', 'it computes base64; the convention is lower-case hex'],
  ['by-decoded-hex-secret', 'it decodes the secret from hex; the secret’s own characters are the key'],
  ['by-decoded-base64-secret', 'it decodes the secret from base64; the secret’s own characters are the key'],
  ['by-empty-secret', 'its secret is empty: the variable is not set where the receiver runs'],
  ['timestamp-prefixed', 'it puts the timestamp and a dot before the body; the body alone is signed'],
  ['sha256-of-secret-and-body', 'it computes SHA-256 of secret and body, which is no HMAC'],
  ['plain-sha256', 'it computes SHA-256 of the body without the secret: anybody can'],
  ['sha1', 'it computes HMAC-SHA1'],
] as const satisfies readonly (readonly [Signature, string])[];

/** What the failure of a case most likely means, as far as the answer tells. */
export function likelyCause(one: DriveCase, line: DeliveryLine, trace: DriveTrace): string {
  const { target, budgetMs, secretEnv } = trace.header;
  const ofStatus = likelyByStatus(line.status, target);
  if (ofStatus !== null) return ofStatus;
  if (one.id !== firstCase) return one.failure;
  if (line.status === null) return silent;
  const tried = trace.deliveries.filter((delivery) => delivery.case === diagnosisCase);
  const taken = tried.find((delivery) => isAccepted(delivery, budgetMs));
  const found = diagnoses.find(([signature]) => signature === taken?.name);
  if (found !== undefined) return found[1];
  const others = `${tried.length} other computations were tried and refused too`;
  return tried.length === 0
    ? one.failure
    : `its secret is not the one in ${secretEnv[0]}, or something else than the raw bytes is signed; ${others}`;
}

const silent =
  'the answer waits for work to be done (answer first, work later), or this is not the address of a receiver';

function likelyByStatus(status: number | null, target: string): string | null {
  if (status === null) return null;
  if (status >= 300 && status < 400)
    return 'the receiver redirects, and senders do not follow: give the final address';
  const texts: Readonly<Record<number, string>> = {
    404: `nothing is served at ${target}: see the path`,
    405: `POST is not served at ${target}: see the path and the method`,
    411: 'Content-Length is demanded, which a chunked body has not',
    413: 'the body is larger than the framework is set to take',
    415: 'application/json is not taken',
    429: 'the receiver limits how often it is called, and the sender has no say in how often it calls',
  };
  return texts[status] ?? null;
}

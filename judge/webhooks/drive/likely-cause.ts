import { grouped } from '../../../contract/quantities.ts';
import { isAccepted, isSuccess } from '../../../contract/webhooks/drive/answer-faults.ts';
import type { DriveCase } from '../../../contract/webhooks/drive/case.ts';
import { firstCase } from '../../../contract/webhooks/drive/cases/valid.ts';
import { diagnoses, diagnosisCase } from '../../../contract/webhooks/drive/diagnosis.ts';
import type { DeliveryLine, DriveTrace } from '../../../contract/webhooks/drive/trace.ts';
import { convention } from '../signature-fits.ts';
import { refusedFirstText } from './refused-first.ts';

/** What the failure of a case most likely means, as far as the answer tells. */
export function likelyCause(one: DriveCase, line: DeliveryLine, trace: DriveTrace): string {
  const { target, budgetMs, secretEnv } = trace.header;
  const ofOrder = refusedFirstText(line, trace);
  if (ofOrder !== null) return ofOrder;
  const isServed = trace.deliveries.some(({ status }) => isSuccess(status));
  const ofStatus = (isServed ? null : unservedText(line, target)) ?? likelyByStatus(line);
  if (ofStatus !== null) return ofStatus;
  if (line.status !== null && line.status >= 500) return thrownText(one);
  if (one.id !== firstCase) return one.failure;
  if (line.status === null) return silent;
  const tried = trace.deliveries.filter((delivery) => delivery.case === diagnosisCase);
  const taken = tried.find((delivery) => isAccepted(delivery, budgetMs));
  const found = diagnoses.find(([signature]) => signature === taken?.name);
  if (found !== undefined) return found[1];
  if (taken !== undefined) return `it computes ${taken.name}; the convention is ${conventionText}`;
  const others = `${tried.length} other computations were tried and refused too`;
  return tried.length === 0
    ? one.failure
    : `its secret is not the one in ${secretEnv[0]}, or it signs something other than the raw bytes; ${others}`;
}

/** A 5xx is an exception, not a decision: what a case says of decisions does not explain it. */
function thrownText({ failure, isThrown }: DriveCase): string {
  const thrown = 'an exception that nobody caught, not a decision of the receiver: its log shows it';
  return isThrown === true ? `${thrown}; perhaps ${failure}` : thrown;
}

const { algorithm, over, key, encoding } = convention;
const conventionText = `${algorithm} over ${over}, by ${key}, as ${encoding}`;

const silent =
  'the answer waits for work to be done (answer first, work later), or this is not the address of a receiver';

/** Where anything else was accepted at the same path, it is served. */
function unservedText({ status }: DeliveryLine, target: string): string | null {
  if (status === 404) return `nothing is served at ${target}: check the path`;
  return status === 405 ? `POST is not served at ${target}: check the path and the method` : null;
}

function likelyByStatus({ status, headers }: DeliveryLine): string | null {
  if (status === null) return null;
  if (status >= 300 && status < 400)
    return 'the receiver redirects, and senders do not follow redirects: give the final address';
  const texts: Readonly<Record<number, string>> = {
    411: 'the receiver demands Content-Length, which a chunked body does not have',
    413: `${sizeText(headers)} is more than the framework, or a proxy before it, is set to accept`,
    415: 'the receiver does not accept application/json',
    429: 'the receiver limits how often it is called, but a sender cannot choose how often it calls',
  };
  return texts[status] ?? null;
}

function sizeText(headers: DeliveryLine['headers']): string {
  const [, length] = headers.find(([name]) => name === 'Content-Length') ?? [];
  return length === undefined ? 'the body' : `a body of ${grouped(Number(length))} bytes`;
}

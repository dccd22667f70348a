import { type AnswerFault, isSuccess } from '../../../contract/webhooks/drive/answer-faults.ts';
import { deliveriesOf } from '../../../contract/webhooks/drive/case.ts';
import { forgedCases } from '../../../contract/webhooks/drive/cases/forged.ts';
import type { Signature } from '../../../contract/webhooks/drive/cases/words.ts';
import type { DeliveryLine, DriveTrace } from '../../../contract/webhooks/drive/trace.ts';
import { effectsSeen, notYetText } from './effects-seen.ts';

/**
 * What a 2xx to a forgery means: `null` where the event was dropped in silence. Its effect shows that. Where nobody can
 * look at effects, another refusal does: who refuses a signature of the right form has verified it before the answer.
 */
export function meaningOfSuccess(line: DeliveryLine, trace: DriveTrace): AnswerFault | null {
  const answered = `it was answered ${line.status}`;
  const seen = effectsSeen(trace, line.messageId);
  if (seen === null) {
    return verifiesFirst(trace)
      ? { kind: 'fault', reason: 'accepted', observed: answered }
      : { kind: 'unclear', reason: 'accepted', observed: silenceText(trace) };
  }
  if (seen.isShown) return { kind: 'fault', reason: 'accepted', observed: `${answered}, and had its effect` };
  if (seen.last.kind === 'unreadable') {
    const detail = `the effects URL answers ${seen.last.detail}`;
    return { kind: 'unclear', reason: 'accepted', observed: `${answered}, and ${detail}` };
  }
  if (seen.isAfterLater) return null;
  return { kind: 'unclear', reason: 'accepted', observed: `${answered}, and ${notYetText(trace)}` };
}

/** Signatures of the right form, so that only their value is wrong. */
const rightForms: readonly Signature[] = [
  'by-wrong-secret',
  'by-empty-secret',
  'first-bit-flipped',
  'last-bit-flipped',
  'of-altered-body',
];

const forgeries = new Map(
  forgedCases.flatMap((one) => deliveriesOf(one).map((each) => [`${one.id} ${each.name}`, each.signature])),
);

function signatureOf(line: DeliveryLine): Signature | undefined {
  return forgeries.get(`${line.case} ${line.name}`);
}

function verifiesFirst({ deliveries }: DriveTrace): boolean {
  return deliveries.some((line) => {
    const { status } = line;
    const signature = signatureOf(line);
    if (signature === undefined || status === null || status === 429) return false;
    return rightForms.includes(signature) && !isSuccess(status);
  });
}

/** One sentence for all forgeries that were answered 2xx. */
function silenceText({ deliveries }: DriveTrace): string {
  const sent = deliveries.filter((line) => signatureOf(line) !== undefined);
  const taken = sent.filter(({ status }) => isSuccess(status));
  const statuses = [...new Set(taken.map(({ status }) => status))].join(', ');
  return (
    `${taken.length} of ${sent.length} forgeries were answered ${statuses}, as valid events are: either nothing is ` +
    'verified, or they are dropped in silence after the answer. --effects shows which'
  );
}

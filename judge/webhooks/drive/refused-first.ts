import { isSuccess } from '../../../contract/webhooks/drive/answer-faults.ts';
import { deliveriesOf } from '../../../contract/webhooks/drive/case.ts';
import type { Content } from '../../../contract/webhooks/drive/cases/words.ts';
import { findDriveCase } from '../../../contract/webhooks/drive/registry.ts';
import type { DeliveryLine, DriveTrace } from '../../../contract/webhooks/drive/trace.ts';

/** Kinds of events that come after another one of their message, where nothing is lost on the way. */
const followers = ['delivered', 'read'] as const satisfies readonly Content[];

/**
 * What a refusal means where a kind of event is always refused as the first of its message, and taken after another one;
 * `null` where that is not so.
 */
export function refusedFirstText(line: DeliveryLine, trace: DriveTrace): string | null {
  const kinds = followers.filter((kind) => isRefusedFirst(kind, trace));
  if (!isRefused(line) || !kinds.some((kind) => kind === contentOf(line))) return null;
  const are = kinds.length === 1 ? 'is' : 'are';
  return (
    `${kinds.join(' and ')} ${are} refused where no earlier event of the message came: take events in any order, for ` +
    'the document promises none'
  );
}

function isRefusedFirst(kind: Content, { deliveries }: DriveTrace): boolean {
  // Whether an event of a message was taken, as far as the deliveries go.
  const known = new Set<string>();
  let isTakenFirst = false;
  let isRefusedOnce = false;
  let isTakenLater = false;
  for (const line of deliveries.toSorted((a, b) => a.index - b.index)) {
    const isFirst = !known.has(line.messageId);
    if (contentOf(line) === kind) {
      isTakenFirst ||= isFirst && isSuccess(line.status);
      isRefusedOnce ||= isFirst && isRefused(line);
      isTakenLater ||= !isFirst && isSuccess(line.status);
    }
    if (isSuccess(line.status)) known.add(line.messageId);
  }
  return isRefusedOnce && !isTakenFirst && isTakenLater;
}

function isRefused({ status }: DeliveryLine): boolean {
  return status !== null && status >= 400 && status < 500;
}

/** What a delivery of a case holds; nobody needs to know it of the burst, whose events come in order. */
function contentOf(line: DeliveryLine): Content | null {
  const one = findDriveCase(line.case);
  return one === undefined
    ? null
    : (deliveriesOf(one).find(({ name }) => name === line.name)?.content ?? null);
}

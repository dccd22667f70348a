import { grouped } from '../../../contract/quantities.ts';
import { burstContents, wholeMessages } from '../../../contract/webhooks/drive/burst-messages.ts';
import {
  type DriveCase,
  messageIdOf,
  messagesAwaitedIn,
  showsEffect,
} from '../../../contract/webhooks/drive/case.ts';
import { later } from '../../../contract/webhooks/drive/delivery.ts';
import { findDriveCase } from '../../../contract/webhooks/drive/registry.ts';
import type { DriveTrace } from '../../../contract/webhooks/drive/trace.ts';
import type { DriveVerdict } from '../../../contract/webhooks/drive/verdict.ts';
import { type EffectFault, faultOf } from './effect-faults.ts';
import { deliveriesAbout, type EffectsSeen, effectsSeen } from './effects-seen.ts';
import { failedCase, openCase } from './verdicts.ts';

type Looked = {
  readonly messageId: string;
  readonly seen: EffectsSeen | null;
  readonly fault: EffectFault | null;
};

/** Judges what became of the burst's events, which were all answered 2xx, by the messages that were asked about. */
export function judgeBurstEffects(one: DriveCase, trace: DriveTrace): DriveVerdict {
  const { header } = trace;
  const isCounted = countsEveryEvent(trace);
  const looked = messagesAwaitedIn(one, header).map((message): Looked => {
    const messageId = messageIdOf({ runId: header.runId, ...message });
    const seen = effectsSeen(trace, messageId);
    const tooFew = isCounted && handledIn(seen) < burstContents.length ? tooFewHandled : null;
    return { messageId, seen, fault: faultOf(seen, 'read', trace) ?? tooFew };
  });
  if (looked.length === 0) {
    const reason = 'the burst was too short for all events of one message: raise --burst-seconds';
    return { kind: 'not-applicable', reason };
  }
  const [unclear] = looked.filter(({ fault }) => fault?.kind === 'open');
  if (unclear?.fault) return openCase(`messages of the burst: ${unclear.fault.observed}`);
  const wrong = looked.filter(({ fault }) => fault !== null);
  const all = wholeMessages(header.burst);
  const of = looked.length === all ? `${all}` : `${looked.length} (a sample of the burst’s ${grouped(all)})`;
  if (wrong.length === 0) return { kind: 'held', summary: `as expected for ${of} messages` };
  if (isStillWorking(one, trace)) {
    const wait = `within ${header.effectsWaitMs / 1_000} s`;
    return openCase(
      `${wrong.length} of ${of} messages had not all their effects ${wait}, and more came to the end: raise --effects-wait`,
    );
  }
  return failed({ one, trace, wrong, of });
}

const tooFewHandled: EffectFault = { kind: 'lost', observed: 'not handled for each of its events' };

/** How many events of a message had an effect, as far as the last look tells. */
function handledIn(seen: EffectsSeen | null): number {
  return seen?.last.kind === 'known' ? (seen.last.handled ?? 0) : 0;
}

/**
 * Whether a receiver counts an event that comes after a later one of its message: some do not, and for them a count of two
 * is no loss where three events overtook one another.
 */
function countsEveryEvent(trace: DriveTrace): boolean {
  const one = findDriveCase('effect.any-order');
  const asked = one === undefined ? [] : messagesAwaitedIn(one, trace.header);
  return asked.every((message) => {
    const seen = effectsSeen(trace, messageIdOf({ runId: trace.header.runId, ...message }));
    return handledIn(seen) === burstContents.length;
  });
}

/**
 * Whether effects still appeared in the second half of the time after the later event had its own: then a queue does not
 * keep to the order of arrival, and that event's effect does not show that the others have had their time.
 */
function isStillWorking(one: DriveCase, { header, effects }: DriveTrace): boolean {
  const looks = effects.filter((line) => line.case === one.id);
  const laterId = messageIdOf({ runId: header.runId, caseId: one.id, message: later.message });
  const laterMs =
    looks.find(({ messageId, found }) => messageId === laterId && showsEffect(found))?.atMs ?? 0;
  const lastMs = looks.at(-1)?.atMs ?? 0;
  const before = new Map<string, string>();
  return looks.some(({ messageId, atMs, found }) => {
    const now = JSON.stringify(found);
    const was = before.get(messageId);
    before.set(messageId, now);
    return was !== undefined && was !== now && atMs > (laterMs + lastMs) / 2;
  });
}

type Failed = {
  readonly one: DriveCase;
  readonly trace: DriveTrace;
  readonly wrong: readonly Looked[];
  /** Of how many messages. */
  readonly of: string;
};

function failed({ one, trace, wrong, of }: Failed): DriveVerdict {
  const lines = deliveriesAbout(wrong, trace);
  const unhandled = wrong.filter(({ seen }) => seen !== null && !showsEffect(seen.last)).length;
  const parts = [
    ...(unhandled === 0
      ? []
      : [`${unhandled} without any effect, so that ${unhandled * burstContents.length} events are lost`]),
    ...(unhandled === wrong.length
      ? []
      : [`${wrong.length - unhandled} in another state than "read", or with fewer effects than events`]),
  ];
  const observed = `of ${of} messages of the burst, all of whose events were answered 2xx: ${parts.join(', and ')}`;
  const likely = wrong.every(isOvertaken) ? overtaken : one.failure;
  return failedCase({ reason: 'wrong-effect', observed, likely }, lines);
}

/** Whether all events of a message were handled, so that none is lost. */
function isOvertaken({ seen }: Looked): boolean {
  return seen?.last.kind === 'known' && (seen.last.handled ?? 0) >= burstContents.length;
}

const overtaken =
  'no event is lost, but some overtook others, and the state of the last one to be handled is stored: let it only go ' +
  'forward';

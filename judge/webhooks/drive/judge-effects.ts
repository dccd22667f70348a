import {
  awaitedIn,
  type DriveCase,
  deliveriesOf,
  messageIdOf,
  messagesAskedIn,
} from '../../../contract/webhooks/drive/case.ts';
import { findDriveCase } from '../../../contract/webhooks/drive/registry.ts';
import type { DriveTrace } from '../../../contract/webhooks/drive/trace.ts';
import type { DriveVerdict } from '../../../contract/webhooks/drive/verdict.ts';
import { type EffectFault, faultOf } from './effect-faults.ts';
import { deliveriesAbout, type EffectsSeen, effectsSeen, nothingKnownText } from './effects-seen.ts';
import { judgeBurstEffects } from './judge-burst-effects.ts';
import { failedCase, openCase } from './verdicts.ts';

type Seen = {
  readonly message: string;
  readonly messageId: string;
  readonly seen: EffectsSeen | null;
  readonly fault: EffectFault | null;
};

/** Judges what the events of a case did, by the looks at each message; `null` where none is asked about. */
export function judgeEffects(one: DriveCase, trace: DriveTrace): DriveVerdict | null {
  const step = awaitedIn(one);
  if (step === null) return null;
  const nowhere = nothingKnownText(trace);
  if (nowhere !== null) return openCase(nowhere);
  if (step.messages === 'of-burst') return judgeBurstEffects(one, trace);
  const { header } = trace;
  const deciding = messagesAskedIn(one, header).filter(({ caseId }) => decides(one, caseId));
  const asked = deciding.map(({ caseId, message }): Seen => {
    const messageId = messageIdOf({ runId: header.runId, caseId, message });
    const seen = effectsSeen(trace, messageId);
    const name = caseId === one.id ? message : `${message} of ${caseId}`;
    return { message: name, messageId, seen, fault: faultOf(seen, step.awaited, trace) };
  });
  // A message of a case that was not chosen was never sent.
  const sent = new Set(trace.deliveries.map(({ messageId }) => messageId));
  const about = asked.filter(({ messageId }) => sent.has(messageId));
  const wrong = about.filter(({ fault }) => fault !== null && fault.kind !== 'open');
  if (wrong.length > 0) return failed({ one, trace, wrong, all: about.length });
  const [unclear] = about.filter(({ fault }) => fault !== null);
  if (unclear !== undefined) return openCase(`${unclear.message}: ${unclear.fault?.observed}`);
  return {
    kind: 'held',
    summary: about.length === 1 ? 'as expected' : `as expected for ${about.length} messages`,
  };
}

/** Whether an effect of a message of a case, often another one, decides this one: whoever has no secret could not have sent the others. */
function decides({ level }: DriveCase, caseId: string): boolean {
  return findDriveCase(caseId)?.level === level;
}

type Wrong = {
  readonly one: DriveCase;
  readonly trace: DriveTrace;
  readonly wrong: readonly Seen[];
  readonly all: number;
};

function failed({ one, trace, wrong, all }: Wrong): DriveVerdict {
  const lines = deliveriesAbout(wrong, trace);
  const [first] = wrong;
  const more = wrong.length === 1 ? '' : `; ${wrong.length} of ${all} messages are wrong`;
  const observed = `the message "${first?.message}" is ${first?.fault?.observed}${more}`;
  return failedCase({ reason: 'wrong-effect', observed, likely: likelyOf(one, wrong) }, lines);
}

function likelyOf(one: DriveCase, wrong: readonly Seen[]): string {
  if (wrong.every(({ fault }) => fault?.kind === 'lost'))
    return 'the event was acknowledged and then lost: keep it before the answer, and handle it until that succeeds';
  if (wrong.every((seen) => isStillTheFirst(one, seen))) return idAlone;
  return one.failure;
}

const idAlone =
  'only the id of the message is remembered, which all of its events share, so that the later ones are taken for ' +
  'repetitions: remember kind and id';

/** Whether the first event of a message had an effect, and none after it. */
function isStillTheFirst(one: DriveCase, { message, seen, fault }: Seen): boolean {
  if (fault?.kind !== 'state' || seen?.last.kind !== 'known') return false;
  const first = deliveriesOf(one).find((delivery) => delivery.message === message);
  const { state, handled } = seen.last;
  return state === first?.content && (handled === null || handled === 1);
}

import { awaitedIn, type DriveCase } from '../../../contract/webhooks/drive/case.ts';
import { messageIdOf } from '../../../contract/webhooks/drive/message-id.ts';
import type { DriveTrace } from '../../../contract/webhooks/drive/trace.ts';
import type { DriveVerdict } from '../../../contract/webhooks/drive/verdict.ts';
import { type EffectFault, effectFault } from './effects.ts';
import { openCase } from './open-case.ts';
import { quoted } from './quote.ts';

type Told = { readonly message: string; readonly messageId: string; readonly fault: EffectFault | null };

/** Judges what the events of a case did, by the last look at each message; `null` where none is asked about. */
export function judgeEffects(one: DriveCase, trace: DriveTrace): DriveVerdict | null {
  const step = awaitedIn(one);
  if (step === null) return null;
  const { runId } = trace.header;
  const told = step.messages.map((message): Told => {
    const messageId = messageIdOf({ runId, caseId: one.id, message });
    const last = trace.effects.findLast((line) => line.case === one.id && line.messageId === messageId);
    const fault = last === undefined ? notAsked : effectFault(last.found, step.awaited);
    return { message, messageId, fault };
  });
  const wrong = told.filter(({ fault }) => fault?.kind === 'fault');
  if (wrong.length > 0) return violated({ one, trace, wrong, all: told.length });
  const [unclear] = told.filter(({ fault }) => fault !== null);
  if (unclear !== undefined) return openCase(`${unclear.message}: ${unclear.fault?.observed}`);
  return {
    kind: 'held',
    summary: told.length === 1 ? 'as expected' : `as expected for ${told.length} messages`,
  };
}

const notAsked: EffectFault = {
  kind: 'unclear',
  observed: 'the run ended before the effects URL was asked',
};

type Wrong = {
  readonly one: DriveCase;
  readonly trace: DriveTrace;
  readonly wrong: readonly Told[];
  readonly all: number;
};

function violated({ one, trace, wrong, all }: Wrong): DriveVerdict {
  const ids = new Set(wrong.map(({ messageId }) => messageId));
  const lines = trace.deliveries.filter((line) => line.case === one.id && ids.has(line.messageId));
  const [first] = wrong;
  const more = wrong.length === 1 ? '' : `; ${wrong.length} of ${all} messages are wrong`;
  return {
    kind: 'violated',
    reason: 'wrong-effect',
    observed: `the message "${first?.message}" is ${first?.fault?.observed}${more}`,
    likely: one.failure,
    deliveries: quoted(lines),
    deliveriesTotal: lines.length,
  };
}

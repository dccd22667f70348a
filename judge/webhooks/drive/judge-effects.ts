import {
  type Awaited,
  awaitedIn,
  type DriveCase,
  messageIdOf,
} from '../../../contract/webhooks/drive/case.ts';
import type { DriveTrace, EffectLine } from '../../../contract/webhooks/drive/trace.ts';
import type { DriveVerdict } from '../../../contract/webhooks/drive/verdict.ts';
import { failedCase, openCase } from './verdicts.ts';

type Seen = { readonly message: string; readonly messageId: string; readonly fault: EffectFault | null };

/** Judges what the events of a case did, by the last look at each message; `null` where none is asked about. */
export function judgeEffects(one: DriveCase, trace: DriveTrace): DriveVerdict | null {
  const step = awaitedIn(one);
  if (step === null) return null;
  const { runId } = trace.header;
  const seen = step.messages.map((message): Seen => {
    const messageId = messageIdOf({ runId, caseId: one.id, message });
    const last = trace.effects.findLast((line) => line.messageId === messageId);
    const fault = last === undefined ? notAsked : effectFault(last.found, step.awaited);
    return { message, messageId, fault };
  });
  const wrong = seen.filter(({ fault }) => fault?.kind === 'fault');
  if (wrong.length > 0) return failed({ one, trace, wrong, all: seen.length });
  const [unclear] = seen.filter(({ fault }) => fault !== null);
  if (unclear !== undefined) return openCase(`${unclear.message}: ${unclear.fault?.observed}`);
  return {
    kind: 'held',
    summary: seen.length === 1 ? 'as expected' : `as expected for ${seen.length} messages`,
  };
}

const notAsked: EffectFault = {
  kind: 'unclear',
  observed: 'the run ended before the effects URL was asked',
};

type Wrong = {
  readonly one: DriveCase;
  readonly trace: DriveTrace;
  readonly wrong: readonly Seen[];
  readonly all: number;
};

function failed({ one, trace, wrong, all }: Wrong): DriveVerdict {
  const ids = new Set(wrong.map(({ messageId }) => messageId));
  const lines = trace.deliveries.filter((line) => ids.has(line.messageId));
  const [first] = wrong;
  const more = wrong.length === 1 ? '' : `; ${wrong.length} of ${all} messages are wrong`;
  const observed = `the message "${first?.message}" is ${first?.fault?.observed}${more}`;
  return failedCase({ reason: 'wrong-effect', observed, likely: one.failure }, lines);
}

type Found = EffectLine['found'];

/** What is wrong with the last look at a message; `unclear` where it proves neither. */
type EffectFault = { readonly kind: 'fault' | 'unclear'; readonly observed: string };

function effectFault(found: Found, awaited: Awaited): EffectFault | null {
  if (found.kind === 'unreadable') return unclear(`the effects URL answers ${found.detail}`);
  switch (awaited) {
    case 'handled':
      return found.kind === 'unknown' ? fault('not known') : handledFault(found.handled);
    case 'read':
      if (found.kind === 'unknown') return fault('not known');
      if (found.state === null) return unclear('the answer of the effects URL has no "state"');
      return found.state === 'read' ? null : fault(`in the state "${found.state}"`);
    case 'nothing':
      return found.kind === 'unknown' || found.handled === 0 ? null : fault('known, and was handled');
    default:
      return awaited satisfies never;
  }
}

function handledFault(handled: number | null): EffectFault | null {
  if (handled === null) return unclear('the answer of the effects URL has no "handled"');
  if (handled === 1) return null;
  return fault(handled === 0 ? 'never handled' : `handled ${handled} times`);
}

function fault(observed: string): EffectFault {
  return { kind: 'fault', observed };
}

function unclear(observed: string): EffectFault {
  return { kind: 'unclear', observed };
}

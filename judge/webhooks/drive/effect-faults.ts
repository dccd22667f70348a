import type { Awaited } from '../../../contract/webhooks/drive/case.ts';
import type { DriveTrace } from '../../../contract/webhooks/drive/trace.ts';
import { type EffectsSeen, notYetText } from './effects-seen.ts';

/** What the looks at a message show; `open` where they prove neither. */
export type EffectFault = {
  readonly kind: 'twice' | 'lost' | 'state' | 'forged' | 'open';
  readonly observed: string;
};

/** What is wrong with what was seen; `null` where nothing is. */
export function faultOf(seen: EffectsSeen | null, awaited: Awaited, trace: DriveTrace): EffectFault | null {
  if (seen === null) return open('the run ended before the effects URL was asked');
  const { last, isAfterLater, isShown } = seen;
  if (last.kind === 'unreadable') return open(`the effects URL answers ${last.detail}`);
  const found = effectFault(last, awaited, isShown);
  if (found?.kind === 'twice' || found?.kind === 'forged' || found?.kind === 'open') return found;
  // What is not there yet may still come, and what is there once may come again.
  return isAfterLater ? found : open(`${found?.observed ?? 'as expected'}, and ${notYetText(trace)}`);
}

type Readable = Exclude<EffectsSeen['last'], { kind: 'unreadable' }>;

function effectFault(last: Readable, awaited: Awaited, isShown: boolean): EffectFault | null {
  switch (awaited) {
    case 'handled':
      return last.kind === 'unknown' ? lost('not known') : handledFault(last.handled);
    case 'read':
      if (last.kind === 'unknown') return lost('not known');
      if (last.state === null) return open('the answer of the effects URL has no "state"');
      return last.state === 'read' ? null : { kind: 'state', observed: `in the state "${last.state}"` };
    case 'nothing':
      return isShown ? { kind: 'forged', observed: 'known, and was handled' } : null;
    default:
      return awaited satisfies never;
  }
}

function handledFault(handled: number | null): EffectFault | null {
  if (handled === null) return open('the answer of the effects URL has no "handled"');
  if (handled === 1) return null;
  return handled === 0 ? lost('never handled') : { kind: 'twice', observed: `handled ${handled} times` };
}

function lost(observed: string): EffectFault {
  return { kind: 'lost', observed };
}

function open(observed: string): EffectFault {
  return { kind: 'open', observed };
}

import type { Awaited } from '../../../contract/webhooks/drive/case.ts';
import type { EffectLine } from '../../../contract/webhooks/drive/trace.ts';

type Found = EffectLine['found'];

/** What is wrong with the last look at a message; `unclear` where it cannot be told. */
export type EffectFault = { readonly kind: 'fault' | 'unclear'; readonly observed: string };

export function effectFault(found: Found, awaited: Awaited): EffectFault | null {
  if (found.kind === 'unreadable') return unclear(`the effects URL answers ${found.detail}`);
  switch (awaited) {
    case 'handled':
      return found.kind === 'unknown' ? fault('not known') : handledFault(found.handled);
    case 'read':
      if (found.kind === 'unknown') return fault('not known');
      if (found.state === null) return unclear('the effects URL tells no "state"');
      return found.state === 'read' ? null : fault(`in the state "${found.state}"`);
    case 'nothing':
      return found.kind === 'unknown' || found.handled === 0 ? null : fault('known, and was handled');
    default:
      return awaited satisfies never;
  }
}

function handledFault(handled: number | null): EffectFault | null {
  if (handled === null) return unclear('the effects URL tells no "handled"');
  if (handled === 1) return null;
  return fault(handled === 0 ? 'never handled' : `handled ${handled} times`);
}

function fault(observed: string): EffectFault {
  return { kind: 'fault', observed };
}

function unclear(observed: string): EffectFault {
  return { kind: 'unclear', observed };
}

import type { Document } from '../../contract/document/document.ts';
import type { Limits } from '../../contract/scopes.ts';
import type { Trace } from '../../contract/trace.ts';
import type { Deviation } from '../../service/faults/fault.ts';
import { offlineService } from '../../service/offline.ts';
import { openingOf } from '../simulation/document-opening.ts';
import { simulatedTrace } from '../simulation/simulated-trace.ts';
import { calmWorld } from '../simulation/world.ts';

/** A service as a document has it, but for what is other: faults, and limits of single scopes. */
type Played = { readonly faults?: readonly (Deviation | undefined)[]; readonly limits?: Limits };

/** The trace of a whole run of a document in virtual time, over a network that does nothing to it. */
export function playedDocument(document: Document, { faults = [], limits = {} }: Played = {}): Trace {
  const opening = openingOf(document);
  const service = offlineService({
    document,
    limits: { ...opening.limits, ...limits },
    windowMs: opening.windowMs,
    faults: faults.filter((fault) => fault !== undefined),
  });
  return simulatedTrace(service, calmWorld, 1, opening);
}

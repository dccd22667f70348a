import fc from 'fast-check';
import type { Document } from '../../contract/document/document.ts';
import type { Trace } from '../../contract/trace.ts';
import { type HostileSetting, hostileSetting } from '../soundness/hostile-world.ts';
import { drawnDocument } from './drawn-document.ts';
import { hostileTrace } from './hostile-trace.ts';
import { drawnOutage, type Outage } from './outage.ts';
import { serviceOf } from './promise-run.ts';

/** Whatever a document can say, in a hostile world; plain data. */
export type DocumentSetting = {
  readonly document: Document;
  readonly hostile: HostileSetting;
  readonly outage: Outage | null;
};

export const documentSetting: fc.Arbitrary<DocumentSetting> = fc.record({
  document: drawnDocument,
  hostile: hostileSetting(1),
  outage: fc.option(drawnOutage, { freq: 2 }),
});

/** What a whole run writes against the reference service that plays the document; every other run does not announce itself. */
export function documentTrace({ document, hostile, outage }: DocumentSetting): Trace {
  const { seed } = hostile;
  const unannouncedSeed = seed % 2 === 0 ? seed : undefined;
  return hostileTrace(document, serviceOf(document, null), { hostile, outage, unannouncedSeed });
}

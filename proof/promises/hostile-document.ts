import fc from 'fast-check';
import { deploymentSchema } from '../../contract/deployment.ts';
import type { Document } from '../../contract/document/document.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { SentLine } from '../../contract/sent.ts';
import { assembleTrace, type Trace } from '../../contract/trace.ts';
import { openingOf } from '../simulation/document-opening.ts';
import { type SimulatedService, simulate } from '../simulation/simulate.ts';
import { endOf, headerOf } from '../simulation/simulated-trace.ts';
import { throughEdges } from '../soundness/hostile-edges.ts';
import { type HostileSetting, hostileSetting, worldOf } from '../soundness/hostile-world.ts';
import { drawnDocument } from './drawn-document.ts';
import { drawnOutage, isWithin, type Outage, outageAnswer } from './outage.ts';
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
  const usual = openingOf(document);
  // Offset, step and drift of the clocks add up to 9.5 s.
  const deployment = deploymentSchema.parse({
    ...usual.deployment,
    probeWithoutKey: false,
    clockSkewSecondsMax: 10,
  });
  const { seed } = hostile;
  const opening = { ...usual, deployment, unannouncedSeed: seed % 2 === 0 ? seed : undefined };
  const world = worldOf(hostile);
  const header = headerOf(opening, world);
  const own = serviceOf(document, null);
  const service: SimulatedService = (request, nowMs) => {
    const isOut = outage !== null && isWithin(outage, nowMs - world.startMs);
    return (isOut ? outageAnswer(outage, document) : null) ?? own(request, nowMs);
  };
  const lines: (SentLine | Exchange)[] = [];
  simulate({ opening, service, world, seed, onLine: (line) => lines.push(line) });
  return assembleTrace([header, ...throughEdges(lines, endOf(header), hostile)]);
}

import { deploymentSchema } from '../../contract/deployment.ts';
import type { Document } from '../../contract/document/document.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { SentLine } from '../../contract/sent.ts';
import { assembleTrace, type Trace } from '../../contract/trace.ts';
import { openingOf } from '../simulation/document-opening.ts';
import { simulate } from '../simulation/simulate.ts';
import type { SimulatedService } from '../simulation/simulated-service.ts';
import { endOf, headerOf } from '../simulation/simulated-trace.ts';
import { throughEdges } from '../soundness/hostile-edges.ts';
import { type HostileSetting, worldOf } from '../soundness/hostile-world.ts';
import { type Outage, outAt } from './outage.ts';

/** Around a whole run: the world, an outage of the service, and whether the run announces itself. */
export type Around = {
  readonly hostile: HostileSetting;
  readonly outage: Outage | null;
  readonly unannouncedSeed?: number | undefined;
};

/** What a whole run writes in a hostile world against a service that plays a document. */
export function hostileTrace(
  document: Document,
  own: SimulatedService,
  { hostile, outage, unannouncedSeed }: Around,
): Trace {
  const usual = openingOf(document);
  // Offset, step and drift of the clocks add up to 9.5 s.
  const deployment = deploymentSchema.parse({
    ...usual.deployment,
    probeWithoutKey: false,
    clockSkewSecondsMax: 10,
  });
  const opening = { ...usual, deployment, unannouncedSeed };
  const world = worldOf(hostile);
  const header = headerOf(opening, world);
  const service: SimulatedService = (request, nowMs) =>
    outAt(outage, document, nowMs - world.startMs) ?? own(request, nowMs);
  const lines: (SentLine | Exchange)[] = [];
  simulate({ opening, service, world, seed: hostile.seed, onLine: (line) => lines.push(line) });
  return assembleTrace([header, ...throughEdges(lines, endOf(header), hostile)]);
}

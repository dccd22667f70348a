import { settledAfterMs } from '../../contract/bounds.ts';
import type { Deployment } from '../../contract/deployment.ts';
import type { Analysis } from '../analysis.ts';
import { judgedRefusals } from '../fits.ts';
import { countedGroup } from '../outer.ts';
import { promisedOf } from './promised-group.ts';
import { provingOf } from './provers.ts';
import { partWindowMs, refusalsOfPart } from './several.ts';

/**
 * What one of several limits of a scope saw: its own count and window, and the refusals that it may explain. Where the
 * scope has one limit alone, the analysis as it is.
 * @param name of the limit; `null` of the first.
 */
export function ofPart(analysis: Analysis, name: string | null, deployment: Deployment): Analysis {
  const { promise, group } = analysis;
  if (promise.kind !== 'several') return analysis;
  const { parts } = promise;
  const part = parts.find((one) => one.name === name) ?? parts[0];
  const promised = promisedOf(group, deployment);
  const windowMs = partWindowMs(group.windowMs, part, parts);
  const alone = {
    ...countedGroup(group),
    limit: part.name === null ? group.limit : part.limit,
    windowMs,
    limited: refusalsOfPart(promised, { part, parts, provingOf }),
    settledMs: promised.begunMs + settledAfterMs(windowMs),
  };
  return {
    ...analysis,
    group: alone,
    promise: part.promise,
    judgedRefusals: analysis.isSoleUser ? judgedRefusals(alone).length : 0,
  };
}

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { loadDocument } from '../../run/document/document-file.ts';
import { findFault } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { openingOf } from '../simulation/document-opening.ts';
import { simulatedTrace } from '../simulation/simulated-trace.ts';
import { calmWorld } from '../simulation/world.ts';

const folder = join(import.meta.dirname, '../../documents/examples');

/** What is said of the bodies of a service with a fault: the kind of the verdict, or its reason, and what was seen. */
async function bodiesWith(file: string, name: string | null) {
  const document = await loadDocument(file, folder);
  const opening = openingOf(document);
  const fault = name === null ? undefined : findFault(name);
  const service = offlineService({
    ...{ document, limits: opening.limits, windowMs: opening.windowMs },
    faults: fault === undefined ? [] : [fault],
  });
  const { clauses } = judgeTrace(simulatedTrace(service, calmWorld, 1, opening));
  const verdict = clauses.find(({ clause }) => clause === 'refusal.body-schema')?.verdict;
  return verdict?.kind === 'violated'
    ? `${verdict.reason}: ${verdict.evidence.observed}`
    : `${verdict?.kind}`;
}

test.each<readonly [string, string | null, RegExp]>([
  ['problem-details.yaml', null, /^held$/],
  ['problem-details.yaml', 'refusal-body-more', /^held$/],
  [
    'problem-details.yaml',
    'refusal-body-numbers-as-texts',
    /^wrong-value: \/status is "429", not 429 \(\d+ of \d+ answers\)$/,
  ],
  ['problem-details.yaml', 'refusal-body-empty', /^absent: \/type is missing \(/],
  ['problem-details.yaml', 'refusal-html', /^inconclusive$/],
  ['wait-in-body.yaml', null, /^held$/],
  ['wait-in-body.yaml', 'refusal-body-more', /^not-allowed: \/traceId is not allowed there \(/],
  [
    'wait-in-body.yaml',
    'refusal-body-numbers-as-texts',
    /^wrong-type: \/errors\/wait is a text, not a whole number \(/,
  ],
])('%s with %s: %s', async (file, fault, said) => expect(await bodiesWith(file, fault)).toMatch(said));

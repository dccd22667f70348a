import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { loadDocument } from '../../run/document/document-file.ts';
import { findFault } from '../../service/faults.ts';
import { playedDocument } from './played-document.ts';

const folder = join(import.meta.dirname, '../../documents/examples');

/** What is said of the bodies of a service with a fault: the kind of the verdict, or its reason, and what was seen. */
async function bodiesWith(file: string, name: string | null) {
  const document = await loadDocument(file, folder);
  const faults = name === null ? [] : [findFault(name)];
  const { clauses } = judgeTrace(playedDocument(document, { faults }));
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

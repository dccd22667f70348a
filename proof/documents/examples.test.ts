import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Opening } from '../../checks/opening.ts';
import { clauseIn, clausesOf } from '../../contract/clauses/of-document.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import { type Document, limitsOf, scopesOf } from '../../contract/document/document.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { readDocument } from '../../run/document/document-file.ts';
import { embeddedRequests } from '../../run/target/embedded-requests.ts';
import { findFault } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { clausesWith, simulatedTrace } from '../simulation/simulated-trace.ts';
import { calmWorld } from '../simulation/world.ts';

const folder = join(import.meta.dirname, '../../documents/examples');
const files = await readdir(folder);
const documents = await Promise.all(
  files.map(async (file) => {
    const read = readDocument(await readFile(join(folder, file), 'utf8'));
    if (read.kind !== 'document') throw new Error(`${file}: ${JSON.stringify(read.flaws)}`);
    return { file, document: read.document };
  }),
);

function openingOf(document: Document): Opening {
  const deployment = deploymentSchema.parse({
    document,
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['KEY_A', 'KEY_B'],
    requests: embeddedRequests(document),
    windowSeconds: document.windowSeconds,
  });
  const windowMs = document.windowSeconds * 1_000;
  return { deployment, limits: limitsOf(document), windowMs, mode: 'full', keys: ['A', 'B'] };
}

function judgedWith(document: Document, name?: string) {
  const opening = openingOf(document);
  const fault = name === undefined ? undefined : findFault(name);
  const { limits, windowMs } = opening;
  const faults = fault === undefined ? [] : [fault];
  const service = offlineService({ document, limits, windowMs, faults });
  return judgeTrace(simulatedTrace(service, calmWorld, 1, opening));
}

/** What a fault has to violate: where a limit is wrong, that of each scope. */
const faults: readonly (readonly [string, (document: Document) => readonly string[]])[] = [
  ['limit-plus-one', limitsIn],
  ['limit-minus-one', limitsIn],
  ['unlimited', limitsIn],
  ['fixed-window-first-request', () => ['window.rolling']],
  ['two-bucket', () => ['window.rolling']],
  ['window-short', () => ['window.length']],
  ['window-long', () => ['window.length']],
  ['remaining-low-by-one', () => ['headers.remaining']],
  ['reset-as-delta', () => ['headers.reset']],
  ['limit-header-off-by-one', () => ['headers.limit']],
  ['retry-after-floored', () => ['error.retry-after-suffices']],
  ['body-flat', () => ['error.shape', 'error.other-shape']],
];

function limitsIn(document: Document): readonly string[] {
  return scopesOf(document).map((scope) => `limits.${scope}`);
}

describe.each(documents)('$file', ({ document }) => {
  test('a service that keeps it holds every clause that decides', () => {
    const judgement = judgeTrace(
      simulatedTrace(
        offlineService({ document, limits: limitsOf(document), windowMs: 60_000, faults: [] }),
        calmWorld,
        1,
        openingOf(document),
      ),
    );
    const unheld = judgement.clauses.filter(({ clause, verdict }) => {
      const { level, needs } = clauseIn(document, clause) ?? {};
      return level === 'must' && needs !== 'load' && verdict.kind !== 'held';
    });
    expect(unheld).toEqual([]);
    expect(clausesWith(judgement, 'violated')).toEqual([]);
    expect(judgement.clauses.map(({ clause }) => clause)).toEqual(clausesOf(document).map(({ id }) => id));
  });

  test.each(faults)('%s violates what it breaks, and nothing else', (name, expected) => {
    expect(clausesWith(judgedWith(document, name), 'violated')).toEqual(expected(document));
  });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { firstRequests } from '../../checks/opening.ts';
import { clausesOf } from '../../contract/clauses/of-document.ts';
import type { Document } from '../../contract/document/document.ts';
import { promisesJson } from '../../contract/document/refusal.ts';
import type { Trace } from '../../contract/trace.ts';
import { isCertifiable } from '../../judge/certificates/certify.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { bodyVariants, refusalVariants } from '../../service/faults/refusals.ts';
import { findFault } from '../../service/faults.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { writeProven } from '../certificates/gate-certificates.ts';
import { clausesWith, mustUnheld } from '../simulation/simulated-trace.ts';
import { faultsOf, readExamples } from './examples.ts';
import { playedDocument } from './played-document.ts';

const checker = join(import.meta.dirname, '../certificates/check.py');
const examples = await readExamples();

/** Folders with a trace and its certificates, of all documents. */
const certificates: string[] = [];
const played = new Map<Document, Map<string, Trace>>(examples.map(({ document }) => [document, new Map()]));

/** Played once, and judged as well as certified. */
function playedWith(document: Document, name: string): Trace {
  const traces = played.get(document);
  const trace = traces?.get(name) ?? simulated(document, name);
  traces?.set(name, trace);
  return trace;
}

function simulated(document: Document, name: string): Trace {
  return playedDocument(document, { faults: [findFault(name)] });
}

/** What a document allows that promises Retry-After in either form, or bodies to which members may be added. */
function allowedBy(document: Document): readonly { readonly name: string }[] {
  const { refusal } = document;
  const shut = new Set(faultsOf(document).map(({ fault }) => fault));
  const hasBody = refusal !== undefined && promisesJson(refusal);
  return [
    ...(refusal?.retryAfter === 'either' ? refusalVariants : []),
    ...(hasBody ? bodyVariants.filter(({ name }) => !shut.has(name)) : []),
  ];
}

describe.each(examples)('$file', ({ document }) => {
  test('a service that keeps it holds every clause that decides', () => {
    const judgement = judgeTrace(simulated(document, 'no fault'));
    expect(mustUnheld(document, judgement)).toEqual([]);
    expect(clausesWith(judgement, 'violated')).toEqual([]);
    expect(judgement.clauses.map(({ clause }) => clause)).toEqual(clausesOf(document).map(({ id }) => id));
  });

  test('nobody uses its keys, and each is asked once in each scope before the run', () => {
    const { exchanges, header } = simulated(document, 'no fault');
    const asked = exchanges.filter(({ purpose }) => purpose === 'preflight');
    expect(asked).toHaveLength(firstRequests(header.deployment, header.keys).length);
  });

  test.each(faultsOf(document))('$fault violates what it breaks, and nothing else', ({ fault, clauses }) => {
    expect(clausesWith(judgeTrace(playedWith(document, fault)), 'violated')).toEqual(clauses);
  });

  test.each(allowedBy(document))('$name keeps what it promises', ({ name }) => {
    const judgement = judgeTrace(playedWith(document, name));
    expect(clausesWith(judgement, 'violated')).toEqual([]);
    const unheld = mustUnheld(document, judgement).filter(({ clause }) => clause.startsWith('refusal.'));
    expect(unheld).toEqual([]);
  });

  test('each of these violations has a certificate', async () => {
    const folder = await temporaryFolder();
    // Other limits than rolling windows have no certificates yet.
    const certified = faultsOf(document).filter(({ clauses }) =>
      clauses.every((clause) => isCertifiable({ document, requests: {}, otherMethods: {} }, clause)),
    );
    for (const { fault } of certified) {
      const { unproven } = await writeProven(join(folder, fault), playedWith(document, fault));
      expect([fault, unproven]).toEqual([fault, []]);
      certificates.push(join(folder, fault));
    }
  });
});

// Once for all: Python takes longer to start than to check one of them.
test('a program that shares nothing with this one confirms each of these violations', async () => {
  const { stdout } = await promisify(execFile)('python3', [checker, ...certificates]);
  const lines = stdout.trim().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(certificates.length);
  expect(lines.filter((line) => !line.endsWith(': confirmed'))).toEqual([]);
});

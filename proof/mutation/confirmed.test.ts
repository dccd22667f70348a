/** The checker in Python, which shares nothing with this code, confirms the proofs of small runs, and misses none. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { certificatePath } from '../../contract/certificate.ts';
import { clauses } from '../../contract/clauses/registry.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { formatTrace, type Trace } from '../../contract/trace.ts';
import { type Case, caseOf } from '../../judge/case.ts';
import { certificatesOf } from '../../judge/certificates/certify.ts';
import { judgeCase } from '../../judge/judge-trace.ts';
import { needing } from '../../testing/needs.ts';
import { hasPython } from '../foreign/foreign-batch.ts';
import { certifiableTraces } from '../testing/certifiable-traces.ts';
import { smallSubjects, smallTraceOf } from './small-subjects.ts';

const checker = join(import.meta.dirname, '../certificates/check.py');

const decided: ReadonlySet<string> = new Set(
  clauses.filter(({ level }) => level !== 'observe').map(({ id }) => id),
);

type Judged = { readonly text: string; readonly subject: Case; readonly judgement: Judgement };

const judged = new Map<string, Judged>();

/** Judged once: what is changed between two plays of a test is how proofs are found. */
function judgedOf(name: string, traceOf: () => Trace): Judged {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const trace = traceOf();
  const subject = caseOf(trace);
  const made = { text: formatTrace(trace), subject, judgement: judgeCase(subject) };
  judged.set(name, made);
  return made;
}

type Source = readonly [name: string, traceOf: () => Trace];

const sources: readonly Source[] = [
  ...certifiableTraces.map(([name, trace]): Source => [name, () => trace]),
  ...smallSubjects
    .filter(({ must }) => must.length > 0)
    .map((subject): Source => [subject.name, () => smallTraceOf(subject)]),
];

/** Starting Python takes longer than what it does. */
const atOnce = 8;
const batches = Array.from({ length: Math.ceil(sources.length / atOnce) }, (_, at) =>
  sources.slice(at * atOnce, (at + 1) * atOnce),
);

type Proof = { readonly name: string; readonly path: string; readonly text: string };

/** Proofs that were confirmed before, word for word: those of a change that makes no difference are not asked about again. */
const confirmed = new Set<string>();

describe('each violation is proved, and confirmed', needing('python', hasPython()), () => {
  it.each(batches.map((batch) => ({ names: batch.map(([name]) => name).join(', '), batch })))(
    'of $names',
    ({ batch }) => {
      const proofs = batch.flatMap(proofsOf);
      expect(proofs.map(({ path }) => path)).toEqual(batch.flatMap(violatedIn));
      const unknown = proofs.filter(({ text }) => !confirmed.has(text));
      expect(saidOf(unknown, batch)).toEqual(unknown.map(({ path }) => `${path}: confirmed`).toSorted());
      for (const { text } of unknown) confirmed.add(text);
    },
  );
});

function proofsOf([name, traceOf]: Source): readonly Proof[] {
  const { text, subject, judgement } = judgedOf(name, traceOf);
  const traceSha256 = createHash('sha256').update(text).digest('hex');
  return certificatesOf(subject, judgement).map((proven) => ({
    name,
    path: join(name, certificatePath(proven.clause)),
    text: JSON.stringify({ ...proven, traceSha256 }),
  }));
}

function violatedIn([name, traceOf]: Source): readonly string[] {
  const { clauses: judgedClauses } = judgedOf(name, traceOf).judgement;
  return judgedClauses
    .filter(({ clause, verdict }) => verdict.kind === 'violated' && decided.has(clause))
    .map(({ clause }) => join(name, certificatePath(clause)));
}

/** What the checker says of proofs, in order. */
function saidOf(proofs: readonly Proof[], batch: readonly Source[]): readonly string[] {
  if (proofs.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'confirmed-'));
  try {
    const names = new Set(proofs.map(({ name }) => name));
    for (const [name, traceOf] of batch.filter(([one]) => names.has(one))) {
      mkdirSync(join(folder, name, 'evidence'), { recursive: true });
      writeFileSync(join(folder, name, 'trace.ndjson'), judgedOf(name, traceOf).text);
    }
    for (const { path, text } of proofs) writeFileSync(join(folder, path), text);
    const { stdout } = spawnSync('python3', ['-B', checker, ...names], { cwd: folder, encoding: 'utf8' });
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .toSorted();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

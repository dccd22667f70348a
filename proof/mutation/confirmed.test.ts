/** The checker in Python, which shares nothing with this code, confirms what is proved of small traces, and misses nothing. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { clauses } from '../../contract/clauses/registry.ts';
import { formatTrace, type Trace } from '../../contract/trace.ts';
import { type Case, caseOf } from '../../judge/case.ts';
import { certificatesOf } from '../../judge/certificates/certify.ts';
import { judgeCase } from '../../judge/judge-trace.ts';
import { seeded } from '../../run/seeded.ts';
import { needing } from '../../testing/needs.ts';
import { hasPython } from '../foreign/foreign-batch.ts';
import { certifiableTraces } from '../testing/certifiable-traces.ts';
import { smallSubjects, smallTraceOf } from './small-subjects.ts';
import { type Claim, claimsOn } from './testing/claims.ts';
import { drawnTrace } from './testing/drawn-traces.ts';
import { edgeTraces } from './testing/edge-traces.ts';

const checker = join(import.meta.dirname, '../certificates/check.py');

const decided: ReadonlySet<string> = new Set(
  clauses.filter(({ level }) => level !== 'observe').map(({ id }) => id),
);

type Source = {
  readonly name: string;
  readonly traceOf: () => Trace;
  /** What is claimed besides what is true. */
  readonly claims: (trace: Trace) => readonly Claim[];
};

const none = (): readonly Claim[] => [];

/** Each change to the code is tried by many; between changes a few are enough, since other tests confirm whole runs. */
const isThorough = process.env['PROOFS'] === 'all';

const random = seeded(1);
const drawn = Array.from({ length: isThorough ? 100 : 12 }, () => drawnTrace(random));

const small = isThorough ? smallSubjects.filter(({ must }) => must.length > 0) : [];

const sources: readonly Source[] = [
  ...[...certifiableTraces, ...edgeTraces].map(
    ([name, trace]): Source => ({ name, traceOf: () => trace, claims: claimsOn }),
  ),
  ...small.map(
    (subject): Source => ({ name: subject.name, traceOf: () => smallTraceOf(subject), claims: none }),
  ),
  ...drawn.map((trace, at): Source => ({ name: `drawn-${at}`, traceOf: () => trace, claims: claimsOn })),
];

/** Starting Python takes longer than what it does. */
const atOnce = 12;
const batches = Array.from({ length: Math.ceil(sources.length / atOnce) }, (_, at) =>
  sources.slice(at * atOnce, (at + 1) * atOnce),
);

type Judged = {
  readonly text: string;
  readonly subject: Case;
  readonly violated: readonly Claim[];
  readonly claims: readonly Claim[];
};

const judged = new Map<string, Judged>();

/** Judged once: what is changed between two plays of a test is how proofs are found. */
function judgedOf({ name, traceOf, claims }: Source): Judged {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const trace = traceOf();
  const subject = caseOf(trace);
  const violated = judgeCase(subject).clauses.flatMap(({ clause, verdict }): readonly Claim[] =>
    verdict.kind === 'violated' && decided.has(clause) ? [{ clause, verdict }] : [],
  );
  const made = { text: formatTrace(trace), subject, violated, claims: claims(trace) };
  judged.set(name, made);
  return made;
}

type Proof = { readonly name: string; readonly path: string; readonly text: string };

/** Proofs that were confirmed before, word for word: those of a change that makes no difference are not asked about again. */
const confirmed = new Set<string>();

describe('each violation is proved, and each proof confirmed', needing('python', hasPython()), () => {
  it.each(batches.map((batch) => ({ names: batch.map(({ name }) => name).join(', '), batch })))(
    'of $names',
    ({ batch }) => {
      const proofs = batch.flatMap(proofsOf);
      const paths = new Set(proofs.map(({ path }) => path));
      expect(batch.flatMap(violatedIn).filter((path) => !paths.has(path))).toEqual([]);
      const unknown = proofs.filter(({ text }) => !confirmed.has(text));
      expect(saidOf(unknown, batch)).toEqual(unknown.map(({ path }) => `${path}: confirmed`).toSorted());
      for (const { text } of unknown) confirmed.add(text);
    },
  );
});

function proofsOf(source: Source): readonly Proof[] {
  const { text, subject, violated, claims } = judgedOf(source);
  const traceSha256 = createHash('sha256').update(text).digest('hex');
  const proofs = certificatesOf(subject, { clauses: [...violated, ...claims] }).map((proven) => ({
    name: source.name,
    path: pathOf(source, proven),
    text: JSON.stringify({ ...proven, traceSha256 }),
  }));
  // What is true may be claimed too.
  return [...new Map(proofs.map((proof) => [proof.path, proof])).values()];
}

function violatedIn(source: Source): readonly string[] {
  return judgedOf(source).violated.map(({ clause, verdict: { reason } }) =>
    pathOf(source, { clause, reason }),
  );
}

function pathOf(
  { name }: Source,
  { clause, reason }: { readonly clause: string; readonly reason: string },
): string {
  return join(name, 'evidence', `${clause} ${reason}.json`);
}

/** What the checker says of proofs, in order. */
function saidOf(proofs: readonly Proof[], batch: readonly Source[]): readonly string[] {
  if (proofs.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'confirmed-'));
  try {
    const names = new Set(proofs.map(({ name }) => name));
    for (const source of batch.filter(({ name }) => names.has(name))) {
      mkdirSync(join(folder, source.name, 'evidence'), { recursive: true });
      writeFileSync(join(folder, source.name, 'trace.ndjson'), judgedOf(source).text);
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

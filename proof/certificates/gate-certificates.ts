import { join } from 'node:path';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import { type Trace, traceTexts } from '../../contract/trace.ts';
import { caseOf } from '../../judge/case.ts';
import { certificatesOf } from '../../judge/certificates/certify.ts';
import { judgeCase } from '../../judge/judge-trace.ts';
import { sealed, writeCertificates } from '../../run/judge/certificate-files.ts';
import { digestOfTexts } from '../../run/judge/trace-file.ts';
import { makeFolder } from '../../run/record/run-directory.ts';
import { faultSubjects, type Subject, variantSubjects } from '../faults/subjects.ts';
import { wholeTrace } from '../faults/whole-run.ts';

/** What was written, and the violations of which no certificate could be made. */
export type WrittenCertificates = { readonly certificates: number; readonly unproven: readonly string[] };

/**
 * Plays every fault and every variant once with a seed, and writes the traces with violations and the certificates of
 * these: `<folder>/<name>-<seed>/trace.ndjson` and `evidence/<clause>.json` beside it.
 */
export async function writeGateCertificates(folder: string, seed: number): Promise<WrittenCertificates> {
  let certificates = 0;
  const unproven: string[] = [];
  for (const subject of [...faultSubjects, ...variantSubjects]) {
    const written = await writeSubject(join(folder, `${subject.name}-${seed}`), subject, seed);
    certificates += written.certificates;
    unproven.push(...written.unproven);
  }
  return { certificates, unproven };
}

async function writeSubject(
  folder: string,
  { name, open, setting }: Subject,
  seed: number,
): Promise<WrittenCertificates> {
  const { certificates, unproven } = await writeProven(
    folder,
    wholeTrace({ service: open(), setting, seed }),
  );
  return {
    certificates,
    unproven: unproven.map(
      (clause) => `${name}: no certificate proves that ${clause} is violated (seed ${seed})`,
    ),
  };
}

/** Writes a trace and the certificates of its violations. `unproven`: ids of violated clauses that have none. */
export async function writeProven(folder: string, trace: Trace): Promise<WrittenCertificates> {
  const subject = caseOf(trace);
  const judgement = judgeCase(subject);
  const proven = certificatesOf(subject, judgement);
  const certified = new Set(proven.map(({ clause }) => clause));
  const { document } = trace.header.deployment;
  const unproven = judgement.clauses
    .filter(
      ({ clause, verdict }) => verdict.kind === 'violated' && clauseIn(document, clause)?.level !== 'observe',
    )
    .map(({ clause }) => clause)
    .filter((clause) => !certified.has(clause));
  if (proven.length > 0) {
    makeFolder(folder);
    await writeCertificates(folder, {
      certificates: sealed(proven, () => digestOfTexts(traceTexts(trace))),
      mergedTrace: trace,
    });
  }
  return { certificates: proven.length, unproven };
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Certificate,
  type CertificateBody,
  certificateFolder,
  certificatePath,
} from '../../contract/certificate.ts';
import { traceTexts } from '../../contract/trace.ts';
import type { Report } from '../../reports/result.ts';
import { makeFolder } from '../record/run-directory.ts';
import type { JudgedTrace } from './judged.ts';
import { traceFileName } from './trace-file.ts';

/** Certificates of a trace, each naming it by its digest. */
export function sealed(proven: readonly CertificateBody[], digest: () => string): readonly Certificate[] {
  if (proven.length === 0) return [];
  const traceSha256 = digest();
  return proven.map((one) => ({ ...one, traceSha256 }));
}

/** Writes certificates into the folder of a report, and the trace that they are about where it is no file yet. */
export async function writeCertificates(
  folder: string,
  { certificates, mergedTrace }: Pick<JudgedTrace<'deployment'>, 'certificates' | 'mergedTrace'>,
): Promise<void> {
  if (certificates.length === 0) return;
  makeFolder(join(folder, certificateFolder));
  for (const certificate of certificates) {
    const text = `${JSON.stringify(certificate, null, 1)}\n`;
    await writeFile(join(folder, certificatePath(certificate.clause)), text);
  }
  if (mergedTrace !== null) await writeFile(join(folder, traceFileName), traceTexts(mergedTrace));
}

/** The report with the file of each certificate named where its clause stands. */
export function namingCertificates(report: Report, certificates: readonly Certificate[]): Report {
  const proved = new Set(certificates.map(({ clause }) => clause));
  const clauses = report.clauses.map((clause) =>
    proved.has(clause.id) ? { ...clause, certificate: certificatePath(clause.id) } : clause,
  );
  return { ...report, clauses };
}

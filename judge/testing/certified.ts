import { type CertificateBody, certificateSchema, type Part } from '../../contract/certificate.ts';
import type { Trace } from '../../contract/trace.ts';
import { caseOf } from '../case.ts';
import { certificatesOf } from '../certificates/certify.ts';
import { judgeCase } from '../judge-trace.ts';

/** The certificates of all violations of a trace. */
export function provenOf(trace: Trace): readonly CertificateBody[] {
  const subject = caseOf(trace);
  return certificatesOf(subject, judgeCase(subject));
}

/**
 * What is wrong with a certificate by itself, a sentence each; none where it is complete: it fits its schema, shows
 * exactly the exchanges that its proof names, and each of its inequalities holds.
 */
export function flawsOf(proven: CertificateBody | undefined): readonly string[] {
  const parsed = certificateSchema.safeParse({ ...proven, traceSha256: '0'.repeat(64) });
  if (!parsed.success) return [parsed.error.message];
  const { exchanges, parts } = parsed.data;
  const shown = exchanges.map(({ exchange }) => exchange.requestId);
  const named = new Set(parts.flatMap(({ requestIds }) => requestIds));
  const flaws = parts.filter((part) => !holds(part)).map((part) => `${part.rule} does not hold`);
  const unnamed = shown.filter((id) => !named.has(id));
  if (parts.length === 0 ? shown.length !== 1 : unnamed.length > 0) flaws.push('exchanges named by nothing');
  if (parts.length > 0 && named.size > shown.length) flaws.push('parts name what is not shown');
  const times = exchanges.map(({ lowMs }) => lowMs ?? 0);
  if (times.some((time, at) => time < (times[at - 1] ?? time))) flaws.push('exchanges out of order');
  return flaws;
}

/** Infinite numbers are on the right of what holds, always. */
function holds({ left, relation, right }: Part): boolean {
  if (left === null) return false;
  return right === null || left < right || (relation === '<=' && left === right);
}

import { certificateSchema, type Proven } from '../../contract/certificate.ts';
import type { Trace } from '../../contract/trace.ts';
import { caseOf } from '../case.ts';
import { certificatesOf } from '../certificates/certify.ts';
import { judgeCase } from '../judge-trace.ts';

/** The certificates of all violations of a trace. */
export function provenOf(trace: Trace): readonly Proven[] {
  const subject = caseOf(trace);
  return certificatesOf(subject, judgeCase(subject));
}

/**
 * What is wrong with a certificate by itself, a sentence each; none where it is complete: it fits its schema, shows
 * exactly the exchanges that its proof names, and each of its inequalities holds.
 */
export function flawsOf(proven: Proven | undefined): readonly string[] {
  const parsed = certificateSchema.safeParse({ ...proven, traceSha256: '0'.repeat(64) });
  if (!parsed.success) return [parsed.error.message];
  const { exchanges, proof } = parsed.data;
  const shown = new Set(exchanges.map(({ exchange }) => exchange.requestId));
  const named = new Set<string>();
  const flaws: string[] = [];
  visit(proof, (value) => {
    if (typeof value === 'string' && shown.has(value)) named.add(value);
    if (isInequality(value) && !holds(value)) flaws.push(`${value.left} ${value.relation} ${value.right}`);
  });
  if (named.size < shown.size) flaws.push(`${shown.size - named.size} exchanges are named by nothing`);
  const times = exchanges.map(({ lowMs }) => lowMs ?? 0);
  if (times.some((time, at) => time < (times[at - 1] ?? time))) flaws.push('exchanges out of order');
  return flaws;
}

type Inequality = { readonly left: number; readonly relation: string; readonly right: number };

function isInequality(value: unknown): value is Inequality {
  return typeof value === 'object' && value !== null && 'relation' in value;
}

function holds({ left, relation, right }: Inequality): boolean {
  if (relation === '<') return left < right;
  return relation === '>' ? left > right : left >= right;
}

function visit(value: unknown, see: (value: unknown) => void): void {
  see(value);
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) visit(inner, see);
  }
}

import type { ClauseId } from '../../contract/clauses/registry.ts';
import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import type { Deviation, Fault } from '../../service/faults/fault.ts';
import { faults, variants } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import type { SimulatedService } from '../simulation/simulated-service.ts';

/** One service, and what every run has to say about it. */
export type Subject = {
  readonly name: string;
  /** The service as documented, one that breaks a promise, or one that the document allows. */
  readonly kind: 'reference' | 'fault' | 'variant';
  /** Clauses violated in every run. */
  readonly must: readonly ClauseId[];
  /** Clauses that may be violated too. */
  readonly may: readonly ClauseId[];
  /** Reasons by which violations may be named. */
  readonly reasons: readonly string[];
  /** Clauses that are inconclusive in every run. */
  readonly leavesOpen: readonly ClauseId[];
  readonly setting: SubjectSetting;
  /** Why one run need not show it; left out where each does. */
  readonly seldom?: string | undefined;
  /** The service, without any request counted yet. */
  readonly open: () => SimulatedService;
};

/** What a deviation needs to show itself. */
export type SubjectSetting = {
  /** The run does not announce itself. */
  readonly unannounced?: boolean;
  readonly nodes?: number;
  readonly perSecond?: 'average' | 'cap';
  readonly oneWayMsMax?: number;
};

const rates = { limits: documentedLimits, windowMs: documentedWindowMs };

/** The service as documented. */
export const reference: Subject = {
  name: 'as documented',
  kind: 'reference',
  must: [],
  may: [],
  reasons: [],
  leavesOpen: [],
  setting: {},
  open: () => offlineService({ ...rates, faults: [] }),
};

export const faultSubjects: readonly Subject[] = faults.map(subjectOf);

/** A service with a fault. */
export function subjectOf(fault: Fault): Subject {
  const { must, may, reasons } = fault;
  return { ...deviating(fault), kind: 'fault', must, may, reasons };
}

export const variantSubjects: readonly Subject[] = variants.map((variant) => {
  const { should, reasons = [] } = variant;
  return { ...deviating(variant), kind: 'variant', must: [], may: should, reasons };
});

function deviating(
  deviation: Deviation,
): Pick<Subject, 'name' | 'leavesOpen' | 'setting' | 'seldom' | 'open'> {
  const { name, leavesOpen = [], setting = {}, seldom } = deviation;
  return { name, leavesOpen, setting, seldom, open: () => offlineService({ ...rates, faults: [deviation] }) };
}

/** Whether a subject is about how many requests pass and when, not about what answers say. */
export function concernsCounting({ must, leavesOpen }: Subject): boolean {
  return [...must, ...leavesOpen].some((clause) => /^(limits|window)\./.test(clause));
}

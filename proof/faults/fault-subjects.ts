import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import type { Deviation } from '../../service/faults/fault.ts';
import { faults, variants } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import type { Subject } from './subject.ts';

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

export const faultSubjects: readonly Subject[] = faults.map((fault) => {
  const { must, may, reasons } = fault;
  return { ...deviating(fault), kind: 'fault', must, may, reasons };
});

export const variantSubjects: readonly Subject[] = variants.map((variant) => {
  const { should, reasons = [] } = variant;
  return { ...deviating(variant), kind: 'variant', must: [], may: should, reasons };
});

function deviating(deviation: Deviation): Pick<Subject, 'name' | 'leavesOpen' | 'setting' | 'open'> {
  const { name, leavesOpen = [], setting = {} } = deviation;
  return { name, leavesOpen, setting, open: () => offlineService({ ...rates, faults: [deviation] }) };
}

import type { Identification } from '../identification.ts';

/** A sliding log of 30 in a minute, found without doubt; a test overrides what it is about. */
export function identified(change: Partial<Identification> = {}): Identification {
  return {
    algorithm: 'sliding-log',
    limit: 30,
    windowSeconds: { value: 60, low: 59.9, high: 60.1 },
    phaseSeconds: null,
    granularitySeconds: null,
    rejectionsCount: false,
    perSecondCap: null,
    shorterWindow: null,
    contradictions: 0,
    remarks: [],
    nearest: null,
    tied: [],
    notRuledOut: [],
    requests: 97,
    seconds: 65,
    ...change,
  };
}

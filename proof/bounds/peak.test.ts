import { expect, test } from 'vitest';
import { planRun } from '../../checks/plan.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { mostWithinASecond } from '../../testing/most-within-a-second.ts';
import { faultSubjects, reference, type Subject, variantSubjects } from '../faults/subjects.ts';
import { wholeTrace } from '../faults/whole-run.ts';

/** The most requests that left within one second. */
function peakOf(exchanges: readonly Exchange[]): number {
  return mostWithinASecond(exchanges.map(({ sentMs }) => sentMs).sort((left, right) => left - right));
}

/** What a run sends to a service, beside what its plan says. */
function sentTo(subject: Subject) {
  const { header, exchanges } = wholeTrace({ service: subject.open(), setting: subject.setting, seed: 1 });
  const { deployment, windowMs, keys } = header;
  const unannounced = subject.setting.unannounced === true;
  const plan = planRun({
    deployment,
    windowMs,
    limits: documentedLimits,
    mode: 'full',
    keys: keys.length,
    unannounced,
  });
  return { plan, exchanges, count: exchanges.length, peak: peakOf(exchanges) };
}

test('whatever a service does, no run sends more than its plan says, in all or in one second', () => {
  const beyond = [reference, ...faultSubjects, ...variantSubjects].flatMap((subject) => {
    const { plan, count, peak } = sentTo(subject);
    const isKept = count <= plan.requestsMax && peak <= plan.peakRequestsPerSecond;
    return isKept
      ? []
      : [`${subject.name}: ${count} of ${plan.requestsMax}, ${peak} of ${plan.peakRequestsPerSecond}`];
  });
  expect(beyond).toEqual([]);
});

test('the peak that a plan says is not far above that of a service that conforms', () => {
  const { plan, peak } = sentTo(reference);
  expect(plan.peakRequestsPerSecond).toBeLessThan(2 * peak);
});

test('a service that keeps its limits admits no more than its plan says, by what is asked for', () => {
  for (const subject of [reference, ...variantSubjects]) {
    const { plan, exchanges } = sentTo(subject);
    for (const { subject: scope, requestsMax, admittedMax } of plan.bySubject) {
      const own = exchanges.filter((one) => (one.route === 'other' ? 'otherError' : one.scope) === scope);
      expect(own.length, subject.name).toBeLessThanOrEqual(requestsMax);
      const admitted = own.filter(({ outcome }) => outcome === 'admitted');
      expect(admitted.length, `${subject.name}, ${scope}`).toBeLessThanOrEqual(admittedMax);
    }
  }
});

test('what a plan says of admissions is not far above those of a service that conforms', () => {
  const { plan, exchanges } = sentTo(reference);
  const admitted = exchanges.filter(({ outcome }) => outcome === 'admitted').length;
  expect(plan.bySubject.reduce((sum, { admittedMax }) => sum + admittedMax, 0)).toBeLessThan(1.3 * admitted);
});

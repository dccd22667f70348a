import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { needing } from '../../testing/needs.ts';
import { faultSubjects } from '../faults/subjects.ts';
import { type RepeatedViolation, repetitionAt, showsIt, violationsOf } from './testing/repeated.ts';

const violations = faultSubjects
  .flatMap(violationsOf)
  .map((violation) => ({ ...violation, fault: violation.subject.name }));

const repetitionOf = (violation: RepeatedViolation) =>
  repetitionAt(violation, { urls: violation.report.deployment.baseUrls, windowMs: 60_000 });

test('every violation is repeated by commands, except for those that depend on the moment', () => {
  const without = violations.filter((violation) => repetitionOf(violation)?.kind !== 'commands');
  expect(new Set(without.map(({ clause }) => clause))).toEqual(new Set(['window.length', 'window.rolling']));
  const named = without.map(({ fault }) => fault);
  for (const shown of ['fixed-window', 'fixed-window-first-request', 'window-half', 'extend-on-reject'])
    expect(named).not.toContain(shown);
});

/** Commands of one shape are tried once for each clause and reason; those that wait, for each fault. */
function isTried({ clause, reason, fault }: (typeof violations)[number]): boolean {
  const alike = violations.find((other) => other.clause === clause && other.reason === reason);
  return clause.startsWith('window.') || alike?.fault === fault;
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe('commands of a report', needing('curl', hasCurl), () => {
  test.concurrent.each(violations.filter(isTried))(
    'for $clause ($reason) show it at a service with $fault',
    async (violation: RepeatedViolation) => {
      expect(await showsIt(violation)).toBeNull();
    },
  );
});

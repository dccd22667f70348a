import { expect, it } from 'vitest';
import { noPictures } from '../contract/no-pictures.ts';
import type { TraceHeader } from '../contract/trace-header.ts';
import { notApplicable, type Verdict } from '../contract/verdict.ts';
import { buildReport } from './build-report.ts';
import { notEnoughText, type PartialRuns } from './enough.ts';
import { judgementOf, quoted, traceOf, violatedWith } from './testing/fixtures.ts';

const leftOut = notApplicable('not run');
const limits = { 'limits.standard': leftOut, 'limits.media': leftOut };

function ends(
  mode: TraceHeader['mode'],
  verdicts: Readonly<Record<string, Verdict>>,
  partialRuns: PartialRuns = 'refused',
) {
  const { outcome, exitCode, outcomeReasons, notEnoughReason } = buildReport({
    identified: [],
    pictures: noPictures,
    trace: traceOf({ header: { mode } }),
    judgement: judgementOf(verdicts),
    judgedAt: '2026-01-02T03:05:13.000Z',
    partialRuns,
  });
  return { outcome, exitCode, reason: outcomeReasons.join('; '), notEnoughReason };
}

it.each([
  ['light', 'a run without --light'],
  ['load', 'conformance run'],
] as const)(
  'a %s run that left limits out is inconclusive, says so, and says how to run them',
  (mode, how) => {
    const reason =
      'not enough was run: 2 clauses that decide were not judged (limits.standard, limits.media); ' +
      `${how} judges them all, and --allow-partial accepts a part`;
    expect(ends(mode, limits)).toEqual({
      outcome: 'inconclusive',
      exitCode: 3,
      reason,
      notEnoughReason: reason,
    });
    expect(ends(mode, limits, 'accepted')).toEqual({
      outcome: 'conformant',
      exitCode: 0,
      reason: '',
      notEnoughReason: null,
    });
  },
);

it('a whole run may leave out what does not apply to the deployment, and load scenarios', () => {
  expect(ends('full', { ...limits, 'load.nodes': leftOut }).exitCode).toBe(0);
});

it('a part that judged every clause but load scenarios is enough', () => {
  expect(ends('load', { 'load.nodes': leftOut }).exitCode).toBe(0);
});

it('what a part shows to be violated is violated, accepted or not', () => {
  const broken = { ...limits, 'headers.limit': violatedWith([quoted()]) };
  expect([ends('light', broken).exitCode, ends('light', broken, 'accepted').exitCode]).toEqual([1, 1]);
});

it('a part of a run without keys lacks nothing that no such run judges', () => {
  const { deployment } = traceOf({}).header;
  const document = { ...deployment.document, keys: 'none', countedBy: 'address' } as const;
  const saidOf = (keyEnv: readonly string[]) =>
    notEnoughText(
      { mode: 'load', deployment: { ...deployment, document, keyEnv: [...keyEnv] } },
      [{ id: 'limits.shared', level: 'must', kind: 'not-applicable' }],
      'refused',
    );
  expect(saidOf(['KEY_A'])).toContain('not judged (limits.shared)');
  expect(saidOf([])).toBe(null);
});

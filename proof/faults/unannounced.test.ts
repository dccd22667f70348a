import { expect, test } from 'vitest';
import { planRun } from '../../checks/plan.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { defeatDevices } from '../../service/faults/defeat-devices.ts';
import { clausesWith, opening } from '../simulation/simulated-trace.ts';
import { killMatrix } from './kill-matrix.ts';
import { problemsOf } from './problems.ts';
import { faultSubjects, reference, type Subject, subjectOf, variantSubjects } from './subjects.ts';
import { wholeRun } from './whole-run.ts';

const seeds = 3;

const unannounced = (subject: Subject): Subject => ({
  ...subject,
  setting: { ...subject.setting, unannounced: true },
});

/** The late visit can show a broken service to hold places a bit too long: a shortcoming beside its violations. */
const laterSeen = (subject: Subject): Subject => ({
  ...subject,
  may: [...subject.may, 'window.granularity'],
  reasons: [...subject.reasons, 'whole-seconds'],
});

/**
 * The gaps that a run draws let the first come back at a moment in a few worlds that a longer rolling window explains as
 * well. Neither its kind nor its length is blamed there, since nothing tells which: the 429s themselves are.
 */
const blamedOtherwise = [
  'two-bucket-counting-rejections',
  // Where the moments of a run and the clocks of its world are unkind, counting in parts of a second explains so little.
  'window-long-by-50-ms',
  'window-long-by-100-ms',
];

const devices = defeatDevices.map(subjectOf);

test('a run that does not announce itself comes to the verdicts of one that does, for every fault and variant', () => {
  const alike = faultSubjects.filter(({ name }) => !blamedOtherwise.includes(name));
  const subjects = [reference, ...alike.map(laterSeen), ...variantSubjects].map(unannounced);
  const matrix = killMatrix({ subjects, reference, firstSeed: 1, seeds });
  expect(problemsOf(matrix)).toEqual([]);
}, 900_000);

test.each(faultSubjects.filter(({ name }) => blamedOtherwise.includes(name)))(
  'a run that does not announce itself finds $name too',
  ({ open, setting }) => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { judgement } = wholeRun({ service: open(), setting: { ...setting, unannounced: true }, seed });
      expect(clausesWith(judgement, 'violated').filter((id) => /^(limits|window)\./.test(id))).not.toEqual(
        [],
      );
    }
  },
);

test('a service that knows this tool passes while the tool announces itself', () => {
  const asConforming = devices.map((subject) => ({
    ...subject,
    kind: 'variant' as const,
    must: [],
    reasons: [],
  }));
  const matrix = killMatrix({ subjects: asConforming, reference, firstSeed: 1, seeds: 20 });
  expect(matrix.rows.map(({ name, violated }) => [name, violated])).toEqual(
    devices.map(({ name }) => [name, {}]),
  );
});

test('and is caught in every run that does not', () => {
  const matrix = killMatrix({ subjects: devices.map(unannounced), reference, firstSeed: 1, seeds: 20 });
  expect(problemsOf(matrix)).toEqual([]);
});

test('it sends no more than its plan says', () => {
  const { deployment, limits, windowMs } = opening;
  const plan = planRun({ deployment, limits, windowMs, mode: 'full', keys: 2, unannounced: true });
  for (let seed = 1; seed <= 20; seed += 1) {
    const { exchanges } = wholeRun({ service: reference.open(), setting: { unannounced: true }, seed });
    expect(exchanges.length).toBeLessThanOrEqual(plan.requestsMax);
    expect(exchanges.filter(({ purpose }) => purpose === 'late-visit').length).toBeGreaterThan(
      documentedLimits.standard + documentedLimits.messages + documentedLimits.media,
    );
  }
});

test('a run that announces itself says for how long it watched what stops limiting later', () => {
  const [device] = devices.filter(({ name }) => name === 'unlimited-after-two-windows');
  const service = device?.open() ?? reference.open();
  const { judgement } = wholeRun({ service, setting: {}, seed: 1 });
  const limits = judgement.clauses.filter(({ clause }) => /^limits\.(standard|messages|media)$/.test(clause));
  for (const { verdict } of limits) {
    expect(verdict).toMatchObject({ summary: expect.stringMatching(/watched for 6[2345] s, not beyond$/) });
  }
});

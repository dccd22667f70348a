import { expect, test } from 'vitest';
import type { VerdictKind } from '../../reports/outcome.ts';
import { agreementOf, isStable, type RunVerdicts, stabilityText } from './agreement.ts';

function run(subject: string, verdicts: Readonly<Record<string, VerdictKind>>): RunVerdicts {
  return { subject, traceFile: `${subject}.ndjson`, verdicts: new Map(Object.entries(verdicts)) };
}

test('runs that say the same agree, whatever another subject or a should clause says', () => {
  const runs = [
    run('one', { 'limits.media': 'held', 'window.granularity': 'held' }),
    run('one', { 'limits.media': 'held', 'window.granularity': 'violated' }),
    run('other', { 'limits.media': 'violated' }),
  ];
  expect(agreementOf('one', runs)).toEqual({
    subject: 'one',
    runs: 2,
    equal: 2,
    unlike: [],
    decided: 1,
    differing: [],
  });
});

test('one run that differs is counted, with its clause', () => {
  const runs = [
    run('one', { 'limits.media': 'held', 'window.rolling': 'inconclusive' }),
    run('one', { 'limits.media': 'held', 'window.rolling': 'held' }),
    run('one', { 'limits.media': 'held', 'window.rolling': 'held' }),
  ];
  const agreement = agreementOf('one', runs);
  expect(agreement).toMatchObject({
    equal: 2,
    differing: [{ clause: 'window.rolling', said: { held: 2, inconclusive: 1 } }],
  });
  expect(stabilityText([agreement])).toBe(
    'one             2 of 3 runs have equal verdicts; 1 must clauses are decided in all of them\n  differs  window.rolling: inconclusive 1, held 2\n  unlike   one.ndjson\n',
  );
});

test('runs that agree on nothing but open clauses show nothing', () => {
  const open = [
    run('one', { 'limits.media': 'inconclusive' }),
    run('one', { 'limits.media': 'inconclusive' }),
  ];
  expect(isStable([agreementOf('one', open)])).toBe(false);
  const held = [run('one', { 'limits.media': 'held' }), run('one', { 'limits.media': 'held' })];
  expect(isStable([agreementOf('one', held)])).toBe(true);
});

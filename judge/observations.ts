import { documentedPerSecond } from '../contract/scopes.ts';
import { observed, type Verdict } from '../contract/verdict.ts';
import type { Analysis } from './attribution.ts';
import { concluded, type Judge } from './case.ts';
import { explainedLengths, type Reading } from './lengths.ts';

const readingText: Readonly<Record<Reading, string>> = {
  'not-counted': 'rejected requests do not count',
  counted: 'rejected requests count',
};

/** `limits.rejections-count` */
export const judgeRejectionsCount: Judge = ({ analyses }) => {
  const parts = analyses
    .filter(({ attribution }) => attribution.kind === 'explained')
    .map(({ group, readings }) => {
      const [only, other] = readings;
      if (group.limited.length === 0 || only === undefined || other !== undefined) return null;
      return observed(readingText[only]);
    });
  return concluded(parts, 'both readings fit what was seen');
};

/** `limits.per-second` */
export const judgePerSecond: Judge = ({ analyses }) => {
  return concluded(analyses.map(perSecond), 'no scope with a figure per second was filled');
};

function perSecond({ group, attribution }: Analysis): Verdict | null {
  const cap = documentedPerSecond[group.scope];
  if (cap === null || group.admitted.length <= cap) return null;
  if (attribution.kind === 'capped')
    return observed(`${group.scope}: a cap of ${attribution.perSecond} per second`);
  const { highMs } = explainedLengths({
    limit: cap,
    entries: group.entries,
    reading: 'not-counted',
    refusals: [],
  });
  return observed(
    highMs < 1_000
      ? `${group.scope}: no cap, ${cap + 1} requests were admitted within ${highMs.toFixed(0)} ms`
      : `${group.scope}: never more than ${cap} admitted in a second`,
  );
}

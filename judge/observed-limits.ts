import { perSecondOf } from '../contract/document/document.ts';
import { observed, type Verdict } from '../contract/verdict.ts';
import type { Analysis } from './analysis.ts';
import type { Judge } from './case.ts';
import { attributed, concluded, isRolling } from './conclude.ts';
import { explainedLengths, type Reading } from './lengths.ts';

const readingText: Readonly<Record<Reading, string>> = {
  'not-counted': 'rejected requests do not count',
  counted: 'rejected requests count',
};

/** `limits.rejections-count` */
export const judgeRejectionsCount: Judge = ({ analyses }) => {
  const parts = analyses.filter(isRolling).map((analysis) =>
    attributed(analysis, 'limits.rejections-count', () => {
      // Without a 429 both stand.
      const [only, other] = analysis.readings;
      if (only === undefined || other !== undefined) return null;
      return observed(readingText[only]);
    }),
  );
  return concluded(parts, 'rejected requests may count or not: what was seen fits both');
};

/** `limits.per-second` */
export const judgePerSecond: Judge = ({ analyses, trace }) => {
  const { document } = trace.header.deployment;
  const parts = analyses.map((analysis) => perSecond(analysis, perSecondOf(document, analysis.group.scope)));
  return concluded(parts, 'no scope with a figure per second was filled');
};

function perSecond({ group, attribution, capsLeft }: Analysis, cap: number | null): Verdict | null {
  if (cap === null || group.admitted.length <= cap) return null;
  if (attribution.kind === 'capped')
    return observed(
      `${group.scope}: a cap of ${attribution.perSecond} per second, by ${capsLeft.join(' or ')}`,
    );
  const { highMs } = explainedLengths({
    limit: cap,
    entries: group.entries,
    reading: 'not-counted',
    refusals: [],
  });
  if (highMs < 1_000 && capsLeft.length > 0)
    return observed(`${group.scope}: if there is a cap, it is by ${capsLeft.join(' or ')}`);
  return observed(
    highMs < 1_000
      ? `${group.scope}: no cap, ${cap + 1} requests were admitted within ${highMs.toFixed(0)} ms`
      : `${group.scope}: more than ${cap} admitted in one second were not seen for certain`,
  );
}

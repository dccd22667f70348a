import { documentedWindowMs } from '../contract/scopes.ts';
import { held, type Verdict, violated } from '../contract/verdict.ts';
import type { Analysis } from './attribution.ts';
import type { Judge } from './case.ts';
import { attributed, concluded, isProbed, wasSaturatedTwice } from './conclude.ts';
import { evidenceOf, secondsText } from './evidence.ts';
import type { Lengths } from './lengths.ts';

const insufficient = 'capacity was not seen returning: the run ended before a window had passed';

/** `window.rolling` */
export const judgeRolling: Judge = ({ analyses }) => {
  const parts = analyses.filter(isProbed).map((analysis) =>
    attributed(analysis, 'window.rolling', () => {
      if (!wasSaturatedTwice(analysis)) return null;
      return held('capacity returned request by request');
    }),
  );
  return concluded(parts, insufficient);
};

/** `window.length` */
export const judgeLength: Judge = ({ analyses }) => {
  const parts = analyses.filter(isProbed).map((analysis) =>
    attributed(analysis, 'window.length', () => {
      if (!wasSaturatedTwice(analysis) || analysis.measured === null) return null;
      return held(`${analysis.group.scope} ${lengthText(analysis.measured)}`);
    }),
  );
  return concluded(parts, insufficient);
};

/** `window.granularity` */
export const judgeGranularity: Judge = ({ analyses }) => {
  const parts = analyses
    .filter(isProbed)
    .map((analysis) => attributed(analysis, 'window.granularity', () => granularity(analysis)));
  return concluded(parts, insufficient);
};

/** A measured length with its uncertainty: "60.004 s ± 0.021". */
export function lengthText({ lowMs, highMs }: Lengths): string {
  if (highMs === Number.POSITIVE_INFINITY) return `at least ${secondsText(lowMs)}`;
  if (lowMs === 0) return `at most ${secondsText(highMs)}`;
  return `${secondsText((lowMs + highMs) / 2)} ± ${((highMs - lowMs) / 2_000).toFixed(3)}`;
}

function granularity(analysis: Analysis): Verdict | null {
  const { attribution, measured, group } = analysis;
  if (!wasSaturatedTwice(analysis) || attribution.kind !== 'explained') return null;
  if (!attribution.granular) return held('no slot was held longer than its window');
  const refusal = measured?.lowBy;
  const documented = group.windowMs === documentedWindowMs ? 'a minute' : secondsText(group.windowMs);
  return violated(
    'whole-seconds',
    evidenceOf(
      `a slot is free again after ${documented}`,
      `the 429s at ${group.scope} fit no window shorter than ${secondsText(measured?.lowMs ?? 0)}`,
      refusal ? [refusal.exchange] : [],
    ),
  );
}

import { greatestOf, leastOf } from '../contract/extremes.ts';
import { inconclusive, type Verdict, violated } from '../contract/verdict.ts';
import type { Analysis } from './analysis.ts';
import { mayBeginAnew } from './begins-anew.ts';
import { mayBeginByClock } from './begins-by-clock.ts';
import type { Judge } from './case.ts';
import { attributed, concluded, inconclusiveBecause, isRolling } from './conclude.ts';
import { isProbed } from './entries.ts';
import { evidenceOf, secondsText } from './evidence.ts';
import { everyBound } from './intervals.ts';
import { heldIfKnown, heldLonger, lengthText } from './known-window.ts';
import type { Lengths } from './lengths.ts';

/** `window.rolling` */
export const judgeRolling: Judge = ({ analyses }) => {
  const parts = analyses
    .filter(isRollingProbed)
    .map((analysis) => attributed(analysis, 'window.rolling', () => heldRolling(analysis)));
  return concluded(parts, () => returnUnseen(analyses));
};

/** Held is said only where a window that begins anew could not have answered so. */
function heldRolling(analysis: Analysis): Verdict | null {
  const { group, readings } = analysis;
  const verdict = heldIfKnown(analysis, () => 'capacity returned request by request');
  // Where one request passes, the window that begins with it is the rolling one.
  const may = group.limit === 1 ? mayBeginByClock : mayBeginAnew;
  if (verdict?.kind !== 'held' || !readings.some((reading) => may(group, reading))) return verdict;
  const windows = group.limit === 1 ? 'windows of' : 'a window of';
  const begin = group.limit === 1 ? 'that begin by a clock' : 'that begins anew once it has ended';
  return inconclusive(
    `what ${group.scope} did is explained as well by ${windows} ${secondsText(group.windowMs)} ${begin}: ` +
      'the 429s that would tell them apart are missing, or their answers took too long',
  );
}

/** `window.length` */
export const judgeLength: Judge = ({ analyses }) => {
  const parts = analyses
    .filter(isRollingProbed)
    .map((analysis) => attributed(analysis, 'window.length', () => heldLength(analysis)));
  return concluded(parts, () => returnUnseen(analyses));
};

/** Held is said of the documented length: one that only counting in parts saves is open. */
function heldLength(analysis: Analysis): Verdict | null {
  const { group, measured } = analysis;
  const verdict = heldIfKnown(analysis, (known) => `${group.scope} ${lengthText(known)}`);
  if (verdict?.kind !== 'held' || measured === null || measured.lowMs <= group.windowMs) return verdict;
  return inconclusive(
    `a window of ${lengthText(measured)} explains what ${group.scope} did, and so does one of ` +
      `${secondsText(group.windowMs)} where the service counts in whole seconds or in parts of one`,
    heldLonger(analysis),
  );
}

/** `window.granularity` */
export const judgeGranularity: Judge = ({ analyses }) => {
  // Where counts go wrong in one scope, they may take places of another for a while.
  const blamed = analyses.map(({ attribution }) => attribution).find(({ kind }) => kind === 'blamed');
  if (blamed?.kind === 'blamed') return inconclusiveBecause(blamed.clause);
  const parts = analyses
    .filter(isRollingProbed)
    .map((analysis) => attributed(analysis, 'window.granularity', () => granularity(analysis)));
  return concluded(parts, () => returnUnseen(analyses));
};

function granularity(analysis: Analysis): Verdict | null {
  const { attribution, measured, group } = analysis;
  if (attribution.kind !== 'explained' || attribution.granularity === 'none')
    return heldIfKnown(analysis, () => 'no slot was held longer than its window');
  if (attribution.granularity === 'across-step')
    return inconclusive('the clock of this machine jumped during the run: run it again');
  const refusal = measured?.lowBy;
  const documented = group.windowMs === minuteMs ? 'a minute' : secondsText(group.windowMs);
  return violated(
    'whole-seconds',
    evidenceOf(
      `a slot is free again after ${documented}`,
      `the 429s at ${group.scope} fit no ${shorterText(measured)}: the service counts in ` +
        'whole seconds or in parts of one, or its window is too long by less than a second',
      refusal ? [refusal.exchange] : [],
    ),
  );
}

const minuteMs = 60_000;

function shorterText(measured: Lengths | null): string {
  return measured === null ? 'exact window at all' : `window shorter than ${secondsText(measured.lowMs)}`;
}

function isRollingProbed(analysis: Analysis): boolean {
  return isRolling(analysis) && isProbed(analysis.group);
}

/** Why nothing says how capacity returns. A run that lasted longer than a window does not say that it was too short. */
function returnUnseen(analyses: readonly Analysis[]): string {
  const probed = analyses.filter(isRollingProbed).map(({ group }) => group);
  const full = probed.find(({ limited }) => limited.length > 0);
  if (full === undefined) return 'capacity was not seen returning: no 429 showed a window full';
  const lows = probed.map(({ entries }) => everyBound(entries).lows);
  const watchedMs =
    greatestOf(lows.map((one) => one.at(-1) as number)) - leastOf(lows.map((one) => one[0] as number));
  return watchedMs < full.windowMs
    ? `capacity was not seen returning: requests were sent for ${secondsText(watchedMs)}, which is less than a window`
    : 'capacity was not seen returning: no window was seen full and, once it had passed, full again';
}

import { windowMsAtMost } from '../contract/bounds.ts';
import type { Analysis } from './analysis.ts';
import { placesFromOf } from './begins-anew.ts';
import { coverOf, type Stretch } from './cover.ts';
import type { Group } from './entries.ts';
import { insertAscending } from './insert-ascending.ts';
import { type Reading, readings } from './lengths.ts';

/**
 * A limit that was exceeded before a window was seen full is not blamed where other keys or scopes show that the window
 * does not roll, and boundaries that it has in common with them explain what was exceeded here: within its window the
 * limit may be kept. Else a run would blame the limit, or not, by the moment at which it began.
 */
export function withFollowers(analyses: readonly Analysis[]): readonly Analysis[] {
  const early = analyses.filter((one) => isBlamed(one, 'early-return')).map(({ group }) => group);
  if (early.length === 0) return analyses;
  return analyses.map((analysis) =>
    isBlamed(analysis, 'over-admission') &&
    readings.some((reading) => mayBeginAnewTogether(analysis.group, early, reading))
      ? { ...analysis, attribution: { kind: 'follows', clause: 'window.rolling' } }
      : analysis,
  );
}

function isBlamed({ attribution }: Analysis, reason: 'early-return' | 'over-admission'): boolean {
  return attribution.kind === 'blamed' && attribution.reason === reason;
}

/**
 * Whether windows that begin anew at boundaries that are common to several groups explain all of their 429s, and all
 * admissions beyond a limit: there is a boundary between the first and the last of limit + 1 that one window cannot hold.
 */
function mayBeginAnewTogether(group: Group, others: readonly Group[], reading: Reading): boolean {
  // A place that may have been taken at any time leaves a stretch that ends before it begins: that covers nothing.
  const without = [group, ...others].flatMap((one) => [...byRefusals(one, reading), ...byAdmissions(one)]);
  return coverOf(without, group.windowMs) === null;
}

/** Stretches without a boundary: from the last places that a 429 needs to the 429 itself. */
function byRefusals(group: Group, reading: Reading): readonly Stretch[] {
  const slackMs = slackMsOf(group);
  const placesFrom = placesFromOf(group, reading);
  return [...group.limited]
    .sort((left, right) => left.highMs - right.highMs)
    .map((refusal) => ({ fromMs: placesFrom(refusal) + slackMs, toMs: refusal.lowMs - slackMs }));
}

/** The rest of a window, around each limit + 1 admissions that are too many without a boundary among them. */
function byAdmissions(group: Group): readonly Stretch[] {
  const { admitted, limit, windowMs } = group;
  const slackMs = slackMsOf(group);
  const begins: number[] = [];
  return [...admitted]
    .sort((left, right) => left.highMs - right.highMs)
    .flatMap(({ lowMs, highMs }): Stretch[] => {
      insertAscending(begins, lowMs);
      const firstMs = begins.at(-limit - 1);
      return firstMs === undefined ? [] : [{ fromMs: highMs + slackMs, toMs: firstMs + windowMs - slackMs }];
    });
}

function slackMsOf({ windowMs }: Group): number {
  return windowMsAtMost(windowMs) - windowMs;
}

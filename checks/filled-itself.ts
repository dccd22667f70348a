import { onceForBoth } from '../contract/once-for-both.ts';
import { isEarly, returned } from './returned.ts';
import { areRejectionsFree } from './single-places.ts';
import type { History, Target } from './steps.ts';

/**
 * Whether a run may have kept the window full by what was rejected: fewer than the limit passed, and nothing shows that rejections
 * take no places. Then only a burst after a window without requests shows how many pass.
 */
export function mayHaveFilledItself(target: Target, seen: History): boolean {
  return isIn(seen, target);
}

/** Several parts of one step ask for it. */
const isIn = onceForBoth(
  (seen: History, target: Target): boolean => isShortOfLimit(target, seen) && !isFreeOrEarly(target, seen),
);

/** Whether fewer than the limit passed before the window was found full; what was never answered may have passed. */
function isShortOfLimit({ limit }: Target, { own, by }: History): boolean {
  const fullMs = by('confirm')[0]?.sentMs ?? Number.NEGATIVE_INFINITY;
  let passed = 0;
  for (const { sentMs, outcome } of own) if (sentMs < fullMs && outcome !== 'limited') passed += 1;
  return passed < limit;
}

function isFreeOrEarly(target: Target, seen: History): boolean {
  const [first] = returned(seen);
  return areRejectionsFree(target, seen) || (first !== undefined && isEarly(target, seen, first));
}

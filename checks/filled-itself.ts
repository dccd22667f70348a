import { onceForBoth } from '../contract/once-for-both.ts';
import { isEarly, returned } from './returned.ts';
import { areRejectionsFree } from './single-places.ts';
import { type History, lastSentMs, type Target } from './steps.ts';

const filling = ['fill', 'single', 'saturate'] as const;

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

/** What was never answered may have passed. */
function isShortOfLimit({ limit }: Target, { own, by, wasLimited }: History): boolean {
  if (!filling.some(wasLimited)) return false;
  const filledMs = Math.max(...filling.map((purpose) => lastSentMs(by(purpose))));
  return own.filter(({ sentMs, outcome }) => sentMs <= filledMs && outcome !== 'limited').length < limit;
}

function isFreeOrEarly(target: Target, seen: History): boolean {
  const [first] = returned(seen);
  return areRejectionsFree(target, seen) || (first !== undefined && isEarly(target, seen, first));
}

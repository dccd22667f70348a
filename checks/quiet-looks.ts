import { areKeysCountedTogether } from '../contract/document/counted-by.ts';
import { partsOf } from '../contract/document/document.ts';
import { sharesLimits } from '../contract/document/within.ts';
import { limitIn, type Scope } from '../contract/scopes.ts';
import { windowMsIn } from '../contract/trace-windows.ts';
import { isSmall } from './ladder.ts';
import type { QuietLooks } from './moments.ts';
import { shortMs } from './promised-times.ts';
import { isOfOneCost } from './steps.ts';
import { costsOf, type ProbedRun } from './target-parts.ts';
import type { Vary } from './variation.ts';

/**
 * A service that is open for a while, as when its store is down, is seen where it is asked often; one that forgets the counts of
 * a key when nothing was asked for a while, where it is left alone. So of several rolling windows one is left alone: the last one,
 * and in a run that does not announce itself any of them. A single one is asked once, early, and left alone after that; or not at all, in every
 * second run that does not announce itself. Of a small limit, or a short window, each answer says much: those are asked often.
 */
export function quietLooksIn(
  run: ProbedRun,
  scopes: readonly Scope[],
  vary: Vary | null,
): (scope: Scope) => QuietLooks {
  const rolling = scopes.filter((scope) => isOneRollingWindow(run, scope));
  const large = rolling.filter((scope) => {
    const windowMs = windowMsIn(run, scope);
    return windowMs >= shortMs && !isSmall({ limit: limitIn(run.limits, scope), windowMs, vary });
  });
  const at = vary === null ? large.length - 1 : Math.floor(vary('left-alone') * large.length);
  const isNever = rolling.length > 1 || (vary !== null && vary('left-alone-whole') < 0.5);
  const alone = isNever ? 'never' : 'once';
  return (scope) => (scope === large[at] ? alone : 'often');
}

function isOneRollingWindow({ deployment: { document } }: ProbedRun, scope: Scope): boolean {
  const parts = partsOf(document, scope);
  return (
    parts.length === 1 &&
    parts[0]?.promise.kind === 'rolling' &&
    !sharesLimits(document, scope) &&
    !areKeysCountedTogether(document, scope) &&
    isOfOneCost(costsOf(document, scope))
  );
}

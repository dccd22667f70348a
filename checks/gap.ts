import { windowMsAtMost } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { excess, excesses } from './burst.ts';
import { mayHaveFilledItself } from './filled-itself.ts';
import { isEarly, returned } from './returned.ts';
import { type History, lastEndedMs, requests, type Step, send, type Target } from './steps.ts';
import { drawnInteger } from './variation.ts';

function filledOf({ own }: History): readonly Exchange[] {
  return own.filter(
    ({ purpose, outcome }) => (purpose === 'preflight' || purpose === 'fill') && outcome === 'admitted',
  );
}

/** Where all of so many requests are admitted, the window is not asked to its edge any more. */
const edgesMax = 5 * excess;

/**
 * Between the expiry of the fill and that of the saturation, exactly the fill may have come back. All places but the
 * last are taken first. The last admission then comes after answered requests alone, so it shows whether rejected
 * requests count. Where answers take long, places that were taken one by one come back meanwhile too, and the edge is asked
 * for again: only its 429 shows that not all places came back at once.
 */
export function gap(target: Target, seen: History, nowMs: number): Step | null {
  const { by } = seen;
  const edges = by('gap-edge');
  if (by('reburst').length > 0 || returned(seen).length === 0 || mayHaveFilledItself(target, seen))
    return null;
  if (edges.length >= edgesMax) return null;
  if (edges.some(({ outcome }) => outcome !== 'admitted')) return null;
  const closesMs = (by('saturate')[0]?.sentMs ?? 0) + target.windowMs - 50;
  if (nowMs >= closesMs) return null;
  const opensMs = gapOpensMs(target, seen);
  if (by('gap').length === 0 && nowMs < opensMs && opensMs < closesMs)
    return { kind: 'wait', why: 'until the fill has left the window', untilMs: opensMs };
  if (by('gap').length > 0)
    return send(
      'gap-edge',
      requests(target, edges.length > 0 ? excess : drawnInteger(target.vary, excesses, 'gap-edge')),
    );
  const left = filledOf(seen).length - returned(seen).length - 1;
  return send('gap', requests(target, Math.max(1, left)));
}

/**
 * When the fill has certainly left: where answers take long, that is well after the anchor has. What came back early came
 * back some other way.
 */
function gapOpensMs(target: Target, seen: History): number {
  const [first] = returned(seen);
  if (first === undefined || isEarly(target, seen, first)) return 0;
  return Math.max(0, lastEndedMs(seen.by('fill'))) + windowMsAtMost(target.windowMs);
}

import { compose, held, inconclusive, type Verdict } from '../../contract/verdict.ts';
import type { Judge } from '../case.ts';
import { secondsText } from '../evidence.ts';
import { useByOthers } from '../known-window.ts';
import { answeredWithinMs } from '../span.ts';
import { type AtOnce, atOnceOf } from './at-once.ts';
import { judgeScenario, type LoadPart, unexpected } from './load-case.ts';
import { isSureEnough, placesTaken } from './places-taken.ts';

/**
 * `load.burst`, and other bursts at limits of any kind. The whole of what the key did decides what is violated: requests from
 * before may begin a window, so what looks like too much may be two windows.
 */
export function judgePromisedBurst(scenario: string): Judge {
  return judgeScenario(
    scenario,
    (load) => unexpected(load) ?? compose(load.parts.map((part) => admittedAsPromised(part))),
  );
}

/** As many were admitted as the limit says of requests that arrive at once; what it leaves open shows nothing. */
function admittedAsPromised(part: LoadPart): Verdict {
  const { analysis, entries, admitted, limited } = part;
  const atOnce = atOnceOf(analysis);
  const { limit, windowMs, grants, bounds } = atOnce;
  const { group } = analysis;
  const spanMs = answeredWithinMs(entries);
  const text = `${group.scope} ${admitted.length} of ${entries.length} admitted within ${secondsText(spanMs)}`;
  if (!analysis.isSoleUser && limited.length > 0) return useByOthers(group);
  const taken = placesTaken(part, { windowMs, isAtOnce: () => true });
  if (grants && (admitted.length < limit - taken.perhaps || !isSureEnough(taken, limit)))
    return inconclusive(`${text} instead of ${limit - taken.surely}: the key may have been in use before`);
  if (bounds && admitted.length > mostIn(atOnce, spanMs))
    return inconclusive(`${text} instead of ${limit}, as where a window begins anew meanwhile`);
  if (bounds && limited.length === 0) return inconclusive(`${text}, and none was refused`);
  return held(taken.perhaps === 0 ? text : `${text}, ${taken.perhaps} just before`);
}

/** The most that pass within a time, ms, in which no window begins anew. */
function mostIn({ limit, windowMs, refills }: AtOnce, spanMs: number): number {
  return refills ? limit + Math.ceil((limit * spanMs) / windowMs) + 1 : limit;
}

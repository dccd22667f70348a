import { bounds } from '../../contract/bounds.ts';
import { bySent, type Entry } from '../entries.ts';
import { secondsText } from '../evidence.ts';
import { fullest, type Starts, startsOf, type Window, windowsOf } from '../identify/first-request-windows.ts';
import type { Span } from '../identify/fit.ts';
import { type Observations, observe } from '../identify/observations.ts';
import { countUpTo } from '../intervals.ts';
import { serviceTimeFrom } from '../service-time.ts';
import type { Contradiction, Promised, Prover } from './prover.ts';

/**
 * So many in each window, which begins with the first request after the one before. The first may have begun before the
 * run: then it ended at any moment of its first length. Violated where, whenever that was, some window admitted more, or a
 * 429 was in none that may have been full.
 */
export const proveFirstRequest: Prover = (promised) => {
  const { group, refusals } = promised;
  if (group.explaining.length === 0) return null;
  const seen = observed(promised);
  const own = new Set(refusals.map(({ exchange }) => exchange.index));
  const judged = seen.refusals.filter((at) => own.has((seen.entryAt[at] as Entry).exchange.index));
  const starts = startsOf(seen);
  let best: Found | null = null;
  for (const firstEnd of firstEnds(seen, group.windowMs)) {
    const found = contradictionWith(promised, seen, { starts, judged, firstEnd });
    if (found === null) return null;
    best ??= found;
  }
  return best === null ? null : contradictionOf(promised, best);
};

type Seen = Observations & { readonly entryAt: readonly Entry[] };

/** The requests as the service's clock may have timed them, in the order in which they were sent. */
function observed({ group, begunMs }: Promised): Seen {
  const time = serviceTimeFrom(begunMs);
  const entryAt = [...group.explaining];
  const seen = observe(
    entryAt.map(({ exchange, lowMs, highMs }) => ({
      sentMs: time.earliest(lowMs),
      receivedMs: Number.isFinite(highMs) ? time.latest(highMs) : null,
      outcome: exchange.outcome,
    })),
  );
  return { ...seen, entryAt };
}

/** When a window from before the run may have ended: `null` where there was none; else in one of these spans. */
function firstEnds(
  { rows, low, high, refusals, isLimited }: Seen,
  windowMs: number,
): readonly (Span | null)[] {
  const firstMs = low[0] as number;
  const untilMs = firstMs + windowMs;
  // Within a burst too it matters before which of its requests the window ended.
  const each = [...low.keys()].filter((at) => isLimited[at] !== true);
  const counted = each.length > looseFrom ? rows : each.map((at) => spanAt({ low, high }, at));
  const asked = refusals.map((at) => spanAt({ low, high }, at));
  const edges = [firstMs, ...[...counted, ...asked].flatMap(({ lowMs, highMs }) => [lowMs, highMs]), untilMs]
    .filter((ms) => ms >= firstMs && ms <= untilMs)
    .sort((left, right) => left - right);
  const spans = edges.slice(1).map((highMs, at) => ({ lowMs: edges[at] as number, highMs }));
  return [null, ...spans.filter(({ lowMs, highMs }) => highMs > lowMs)];
}

/** Of more requests than these whole bursts are looked at alone. */
const looseFrom = 3_000;

function spanAt({ low, high }: Pick<Seen, 'low' | 'high'>, at: number): Span {
  return { lowMs: low[at] as number, highMs: high[at] as number };
}

/** When the first window may have ended, and what is asked of that. */
type Guess = {
  readonly starts: Starts;
  readonly judged: readonly number[];
  readonly firstEnd: Span | null;
};

type Found = { readonly kind: Contradiction['kind']; readonly by: readonly Entry[] };

function contradictionWith(
  { group }: Promised,
  seen: Seen,
  { starts, judged, firstEnd }: Guess,
): Found | null {
  const { limit, windowMs } = group;
  const windows = windowsOf(starts, windowMs, firstEnd);
  if (windows === null || windows.length === 0) return null;
  if (fullest(seen, windows, windowMs) > limit) return { kind: 'over-admission', by: group.admitted };
  const wrong = judged.find((at) => !isExplained(seen, windows, { at, limit, windowMs, firstEnd }));
  if (wrong === undefined) return null;
  return { kind: 'wrongful-429', by: [...group.admitted, seen.entryAt[wrong] as Entry] };
}

type Asked = {
  readonly at: number;
  readonly limit: number;
  readonly windowMs: number;
  readonly firstEnd: Span | null;
};

/** Whether a refusal may have come in a window that may have been full by then. */
function isExplained(
  seen: Seen,
  windows: readonly Window[],
  { at, limit, windowMs, firstEnd }: Asked,
): boolean {
  const { admissions, low, high, sentBy } = seen;
  const heldMs = windowMs + bounds.granularityMs;
  return windows.some(({ lowMs, highMs }, place) => {
    if (lowMs > (high[at] as number) || highMs + heldMs < (low[at] as number)) return false;
    // Whoever used the key before the run may have filled what began before it.
    if (place === 0 && firstEnd !== null) return true;
    const sent = Math.min(countUpTo(admissions.possibleLow, highMs + heldMs), sentBy[at] as number);
    return sent - admissions.endedBefore(lowMs) >= limit;
  });
}

function contradictionOf({ group }: Promised, { kind, by }: Found): Contradiction {
  const { limit, windowMs, key, scope } = group;
  const sorted = [...by].sort(bySent);
  return {
    kind,
    expected: `${limit} requests of a key admitted in each window of ${secondsText(windowMs)}, which begins with its first one`,
    observed:
      kind === 'over-admission'
        ? `key ${key} at ${scope}: whenever the first window ended, some window admitted more`
        : `key ${key} at ${scope}: whenever the first window ended, this or another 429 came in a window that cannot have been full`,
    by: sorted,
  };
}

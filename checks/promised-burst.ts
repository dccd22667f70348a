import { costOf, costOfAll } from '../contract/document/cost.ts';
import type { Exchange } from '../contract/exchange.ts';
import { excess } from './burst.ts';
import {
  cheapest,
  cheapThenDear,
  dearestOf,
  isOfOnePrice,
  leastCostOf,
  mixed,
  mostRequestsIn,
} from './mixed-requests.ts';
import { byPurpose, type ProbeHistory, purposeOf } from './promised-seen.ts';
import { confirmAtMs } from './promised-times.ts';
import { type ProbeRequest, type Step, send, type Target } from './steps.ts';

type Burst = {
  readonly seen: ProbeHistory;
  readonly sent: readonly Exchange[];
  /** What has taken its part of the limit already. */
  readonly before: readonly Exchange[];
  readonly dear: Dear;
  /**
   * Whether a few more go at once with all that is left. Left out: not one, so that whoever is refused had fewer before it,
   * whatever else was on its way.
   */
  readonly isBeyond?: boolean;
};

/** When a burst sends the dearest requests; `edge` is the purpose of the one that is sent where less than it costs is left. */
export type Dear = 'last' | 'first' | { readonly edge: string };

/**
 * All that is left of the limit at once, then a few more at a time until one is refused. Where requests cost differently,
 * the last part is left to the cheapest: only a limit that is met refuses one of those.
 */
export function burst(
  target: Target,
  purpose: string,
  { seen, sent, before, dear, isBeyond = false }: Burst,
): Step | null {
  const least = leastCostOf(target);
  const refused = sent.filter(({ outcome }) => outcome !== 'admitted');
  if (refused.some((one) => costOf(one) === least)) return null;
  const most = mostRequestsIn(target.limit, target);
  if (sent.length >= unlimitedFrom(most)) return null;
  const edged = typeof dear === 'object' ? byPurpose(target, seen, dear.edge) : [];
  const taken = [...before, ...[...sent, ...edged].filter(({ outcome }) => outcome === 'admitted')];
  const left = target.limit - costOfAll(taken);
  // After a dear one that was refused, cheaper ones may still pass.
  const next = refused.length > 0 ? [] : dearAmong(target, { sent, taken, left, dear });
  const beyond = isBeyond ? moreAtOnce(most) : 0;
  if (next.length > 0) {
    const last = isOfOnePrice(target) ? cheapest(target, beyond) : [];
    return send(purposeOf(target, purpose), [...next, ...last]);
  }
  if (typeof dear === 'object' && !isOfOnePrice(target) && edged.length === 0)
    return send(purposeOf(target, dear.edge), [dearestOf(target).request]);
  const fitting = Math.floor(left / least);
  const more = sent.length === 0 ? 1 : moreBeyond(most, { sent: sent.length, beyond: -left });
  return send(purposeOf(target, purpose), cheapest(target, fitting > 0 ? fitting + beyond : more));
}

type Left = Pick<Burst, 'sent' | 'dear'> & { readonly taken: readonly Exchange[]; readonly left: number };

/** What a burst sends before the limit is left to the cheapest; nothing once that was sent. */
function dearAmong(target: Target, { sent, taken, left, dear }: Left): readonly ProbeRequest[] {
  if (isOfOnePrice(target)) return mixed(target, taken, { units: left, room: left });
  if (dear === 'last') return cheapThenDear(target, sent, left);
  const next = mixed(target, taken, { units: left - dearestOf(target).cost + 1, room: left });
  // The dearest alone, so that none of them is refused in the place of a cheaper one.
  const apart = next.filter(({ route }) => route === 'beside');
  return apart.length > 0 && sent.length === 0 ? apart : next;
}

/** The most requests of one burst, of so many that fill the limit: beyond it a scope counts as unlimited. */
export function promisedBurstMax(limit: number): number {
  return unlimitedFrom(limit) + moreAtOnce(limit);
}

/** A burst of so many without a 429 has met no limit. */
function unlimitedFrom(limit: number): number {
  return 2 * limit + 3 * excess;
}

/**
 * What is sent at a time once the limit has passed: as many again as have passed beyond it, since over a slow network a bucket gets
 * back meanwhile what a few take; no more than make it unlimited.
 */
function moreBeyond(
  limit: number,
  { sent, beyond }: { readonly sent: number; readonly beyond: number },
): number {
  return Math.min(Math.max(moreAtOnce(limit), beyond), promisedBurstMax(limit) - sent);
}

/** What is sent so at least. */
function moreAtOnce(limit: number): number {
  return Math.max(excess, Math.ceil(limit / 20));
}

/** More than a bucket gets back until it is asked again. */
export function beyondRefill(target: Target): number {
  const most = mostRequestsIn(target.limit, target);
  return Math.min(confirmMax(most), 2 + Math.ceil((1.5 * most * confirmAtMs(target)[1]) / target.windowMs));
}

/** The most requests that confirm at a time that a limit is met. */
export function confirmMax(limit: number): number {
  return 2 + limit;
}

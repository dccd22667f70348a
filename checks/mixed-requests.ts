import { costOf, costOfAll } from '../contract/document/cost.ts';
import type { Exchange } from '../contract/exchange.ts';
import { leastOf } from '../contract/extremes.ts';
import { type OtherCost, type ProbeRequest, requests, type Target } from './steps.ts';

/** The fewest units that a request of a scope takes. */
export function leastCostOf({ cost, others }: Pick<Target, 'cost' | 'others'>): number {
  return Math.min(cost, leastOf(others.map((other) => other.cost)));
}

/** Whether all requests of a scope cost the same. */
export function isOfOnePrice({ cost, others }: Pick<Target, 'cost' | 'others'>): boolean {
  return others.every((other) => other.cost === cost);
}

/** How many requests fill a limit at most. */
export function mostRequestsIn(limit: number, target: Pick<Target, 'cost' | 'others'>): number {
  return Math.ceil(limit / leastCostOf(target));
}

/** What one of a schedule's requests takes of its limit. */
export function unitsOf({ cost, others }: Target, { route, beside }: ProbeRequest): number {
  return route === 'beside' ? (others.find((other) => other.beside === beside)?.cost ?? 1) : cost;
}

/** One of the requests of a scope that cost most, and what that is. */
export function dearestOf(target: Target): { readonly request: ProbeRequest; readonly cost: number } {
  const [usual] = requests(target, 1) as readonly [ProbeRequest];
  return target.others.reduce(
    (dearest, other) =>
      other.cost > dearest.cost ? { request: otherRequest(target, other), cost: other.cost } : dearest,
    { request: usual, cost: target.cost },
  );
}

/** So many of the requests that cost least. */
export function cheapest(target: Target, count: number): readonly ProbeRequest[] {
  const least = leastCostOf(target);
  const other = target.others.find(({ cost }) => cost === least);
  return least === target.cost || other === undefined
    ? requests(target, count)
    : Array.from({ length: count }, () => otherRequest(target, other));
}

/**
 * Requests that take `units` of a limit, as closely as their costs allow: each of the other ones once, those that
 * stand for the scope, and for what these leave the cheapest.
 * @param taken what has taken its part of the limit already.
 * @param room how many units pass; those that were not sent yet may take more than `units`.
 */
export function mixed(
  target: Target,
  taken: readonly Exchange[],
  { units, room }: { readonly units: number; readonly room: number },
): readonly ProbeRequest[] {
  const once: ProbeRequest[] = [];
  let spent = 0;
  for (const other of dearFirst(target)) {
    if (wasSent(other, target, taken) || spent + other.cost > room) continue;
    once.push(otherRequest(target, other));
    spent += other.cost;
  }
  const usual = Math.max(0, Math.floor((units - spent) / target.cost));
  const left = Math.max(0, units - spent - usual * target.cost);
  return [
    ...once,
    ...requests(target, usual),
    ...cheapest(target, usual === 0 && once.length === 0 ? 0 : Math.floor(left / leastCostOf(target))),
  ];
}

/**
 * Most of a limit by the cheapest requests, and once these have passed, each of the dear ones several times, once at a time;
 * nothing when that was sent. So much is left to the cheapest again that the dear ones pass even where each takes a unit more
 * than it should: then what is missing shows in how many of the cheapest pass, and no rejected request may have taken it.
 * @param sent what was sent of these so far.
 * @param left how many units are left of the limit.
 */
export function cheapThenDear(
  target: Target,
  sent: readonly Exchange[],
  left: number,
): readonly ProbeRequest[] {
  const dear = dearOnes(target);
  const least = leastCostOf(target);
  // A unit that is missing of each shows only where they add up to one of the cheapest.
  const times = Math.max(4, least);
  const room = left + costOfAll(sent) - dear.length * times - least;
  const repeated: ProbeRequest[] = [];
  let units = 0;
  for (const { request, cost } of Array.from({ length: times }, () => dear).flat()) {
    if (units + cost > room) continue;
    repeated.push(request);
    units += cost;
  }
  if (sent.length === 0) return cheapest(target, Math.max(1, Math.floor((room - units) / least)));
  const from = sent.filter((one) => costOf(one) > least).length;
  return repeated.slice(from, from + dear.length);
}

/** Each kind of request of a scope that costs more than its cheapest. */
function dearOnes(target: Target): readonly { readonly request: ProbeRequest; readonly cost: number }[] {
  const least = leastCostOf(target);
  const [usual] = requests(target, 1) as readonly [ProbeRequest];
  return [
    { request: usual, cost: target.cost },
    ...target.others.map((other) => ({ request: otherRequest(target, other), cost: other.cost })),
  ].filter(({ cost }) => cost > least);
}

/** The other requests but the cheapest kind, which come last anyway. */
function dearFirst(target: Target): readonly OtherCost[] {
  const least = leastCostOf(target);
  return target.others
    .filter(({ cost }) => cost > least || target.cost === least)
    .toSorted((left, right) => right.cost - left.cost);
}

/** Whether one of the other requests was sent; of those that cost alike the first ones are. */
function wasSent(other: OtherCost, { others }: Target, taken: readonly Exchange[]): boolean {
  const alike = others.filter(({ cost }) => cost === other.cost);
  const sent = taken.filter((one) => one.route === 'beside' && costOf(one) === other.cost).length;
  return alike.indexOf(other) < sent;
}

function otherRequest({ scope, key }: Target, { beside }: OtherCost): ProbeRequest {
  return { scope, route: 'beside', beside, key, credential: 'valid' };
}

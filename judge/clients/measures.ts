import {
  type Arrival,
  type ClientTrace,
  isAdmitted,
  type ServedLimit,
} from '../../contract/clients/trace.ts';
import { greatestOf } from '../../contract/extremes.ts';
import type { ScopeMeasure } from '../../contract/judgement.ts';
import { howMany } from '../../contract/quantities.ts';
import { limitIn } from '../../contract/scopes.ts';
import { notApplicable, observed, type Verdict } from '../../contract/verdict.ts';

/** What each key did in each scope; within that, the requests of the scopes that take places of its limits too. */
export function scopeMeasures({ header, arrivals }: ClientTrace): readonly ScopeMeasure[] {
  const keys = Object.entries(header.lessons).filter(([, lesson]) => lesson === 'limits');
  return keys.flatMap(([key]) =>
    Object.keys(header.limits).flatMap((scope) => {
      const isCounted = (asked: string): boolean => asked === scope || header.within?.[asked] === scope;
      const mine = arrivals.filter((arrival) => arrival.key === key && isCounted(arrival.scope));
      const [first] = mine;
      if (first === undefined) return [];
      const admitted = mine.filter(isAdmitted);
      const lastMs = admitted.at(-1)?.arrivedMs ?? first.arrivedMs;
      const limit = limitIn(header.limits, scope);
      const rolling: ServedLimit = { back: 'window', limit, windowMs: header.windowMs };
      const served = header.parts?.[scope] ?? [rolling];
      return [
        {
          key,
          scope,
          limit,
          admitted: admitted.length,
          refused: mine.filter(({ status }) => status === 429).length,
          makespanMs: lastMs - first.arrivedMs,
          makespanMsLeast: greatestOf(served.map((one) => leastMs(one, admitted.length))),
        },
      ];
    }),
  );
}

/** The least time from the first to the last of so many requests, ms; each takes one place at least. */
function leastMs({ back, limit, windowMs }: ServedLimit, admitted: number): number {
  const windows = Math.ceil(admitted / limit) - 1;
  switch (back) {
    case 'window':
      return Math.max(0, windows) * windowMs;
    case 'clock-window':
      // Two of them meet where one ends.
      return Math.max(0, windows - 1) * windowMs;
    case 'one-by-one':
      return (Math.max(0, admitted - limit) * windowMs) / limit;
    default:
      return back satisfies never;
  }
}

const nothing = notApplicable('nothing was sent with a key that has the documented limits');

export function observeRefusals(measures: readonly ScopeMeasure[]): Verdict {
  if (measures.length === 0) return nothing;
  const texts = measures.map(({ scope, admitted, refused }) => {
    const share = admitted === 0 ? '' : ` (${((100 * refused) / admitted).toFixed(1)} per 100)`;
    return `${scope} ${refused} for ${admitted} admitted${share}`;
  });
  return observed(texts.join('; '));
}

export function observeMakespan(measures: readonly ScopeMeasure[]): Verdict {
  if (measures.length === 0) return nothing;
  const texts = measures.map(({ scope, admitted, limit, makespanMs, makespanMsLeast }) => {
    if (makespanMsLeast === 0)
      return `${scope} ${admitted}, which one window of ${limit} can hold: no least time to compare with`;
    const ratio = (makespanMs / makespanMsLeast).toFixed(3);
    return `${scope} ${admitted} in ${(makespanMs / 1_000).toFixed(1)} s, ${ratio} × the least possible`;
  });
  return observed(texts.join('; '));
}

export function observeConcurrency(arrivals: readonly Arrival[]): Verdict {
  if (arrivals.length === 0) return notApplicable('nothing was sent');
  const connections = new Set(arrivals.map(({ connection }) => connection)).size;
  return observed(
    `${howMany(connections, 'connection')}, at most ${howMany(mostArrivals(arrivals), 'request')} in 100 ms`,
  );
}

function mostArrivals(arrivals: readonly Arrival[]): number {
  let most = 0;
  let from = 0;
  arrivals.forEach(({ arrivedMs }, at) => {
    while ((arrivals[from]?.arrivedMs ?? arrivedMs) <= arrivedMs - 100) from += 1;
    most = Math.max(most, at - from + 1);
  });
  return most;
}

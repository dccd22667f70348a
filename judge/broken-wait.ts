import { costOf, isCosting } from '../contract/document/cost.ts';
import type { Document } from '../contract/document/document.ts';
import type { LimitPromise } from '../contract/document/further-limit.ts';
import type { ClockSteps } from './clock-steps.ts';
import { countingAlong } from './counting.ts';
import type { Entry, Group } from './entries.ts';
import { everyBound } from './intervals.ts';
import { type Reading, thatMayCount } from './lengths.ts';

/** A 429 and the moment, by our clock, from which the announced wait is certainly over. */
export type Announcement = {
  readonly entry: Entry;
  readonly seconds: number;
  readonly dueMs: number;
  /** From when it may be over. */
  readonly earliestMs: number;
};

/** What a wait is held against. */
export type WaitsAsked = {
  readonly group: Group;
  readonly announced: readonly Announcement[];
  readonly reading: Reading;
  readonly stepped: ClockSteps;
  /** Where rejected requests count: so few, from the one 429 to the other, both among them, explain no second one. */
  readonly fewMax: number;
};

/**
 * How many requests, from one 429 to another, explain no second one. Where windows begin anew, nothing of the one before is left once a wait
 * is over: fewer than the limit before the second one explain nothing then. Of any other limit, and where refused clients are shut out, each
 * may take the place that came back, or begin the wait anew: only two neighbours are few enough.
 */
export function fewMaxOf(
  { limit, scope }: Group,
  promise: LimitPromise,
  { refusal, scopes }: Pick<Document, 'refusal' | 'scopes'>,
): number {
  // Where there are several limits, no announced wait is meant of all of them.
  const { kind } = promise.kind === 'several' ? promise.parts[0].promise : promise;
  const beginsAnew = kind === 'fixed' && refusal?.waitSeconds === undefined;
  return beginsAnew && !isCosting(scopes[scope] ?? {}) ? Math.max(2, limit) : 2;
}

/** A wait that was not enough, and the 429 that shows it. */
export type BrokenWait = { readonly announcement: Announcement; readonly again: Entry };

/** A second 429 after the wait, with nothing of ours since the first that may have taken the place. */
export function brokenWait({ group, announced, reading, stepped, fewMax }: WaitsAsked): BrokenWait | null {
  const counting = thatMayCount(group.explaining, reading);
  const isUndisturbed = reading === 'counted' ? areFew(counting, fewMax) : nothingCountedBetween(counting);
  const due = countingAlong(Float64Array.from(announced, ({ dueMs }) => dueMs));
  const latest = latestSent(announced);
  for (const again of group.limited) {
    // Of those whose wait was over, only the one sent last can have had nothing since.
    const announcement = latest[due.upTo(again.lowMs) - 1];
    if (announcement === undefined) continue;
    const { entry } = announcement;
    // What is free then need not be enough for a request that costs more.
    if (costOf(again.exchange) > costOf(entry.exchange)) continue;
    if (isUndisturbed(entry, again) && !stepped(entry.lowMs, again.highMs)) return { announcement, again };
  }
  return null;
}

/** Of each beginning of a list, the announcement that was sent last. */
function latestSent(announced: readonly Announcement[]): readonly Announcement[] {
  let latest: Announcement | undefined;
  return announced.map((one) => {
    latest = latest !== undefined && latest.entry.lowMs > one.entry.lowMs ? latest : one;
    return latest;
  });
}

type Undisturbed = (first: Entry, again: Entry) => boolean;

/**
 * Where rejections count, every request between the two 429s does. One that was answered when the first was sent, by a clock that shows both
 * at one moment, may have come after it.
 */
function areFew(entries: readonly Entry[], most: number): Undisturbed {
  const { lows, highs } = everyBound(entries);
  const [sent, ended] = [countingAlong(lows), countingAlong(highs)];
  return (first, again) => {
    // What ended before the first was sent began before the second one's answer, too.
    return sent.upTo(again.highMs) - ended.below(first.lowMs) <= most;
  };
}

/** Where they don't: everything that may count and was sent by then must have been over before the first 429 was asked for. */
function nothingCountedBetween(counting: readonly Entry[]): Undisturbed {
  const lows = new Float64Array(counting.length);
  const latestHighs = new Float64Array(counting.length);
  let latestMs = Number.NEGATIVE_INFINITY;
  counting.forEach(({ lowMs, highMs }, at) => {
    lows[at] = lowMs;
    latestMs = Math.max(latestMs, highMs);
    latestHighs[at] = latestMs;
  });
  const sent = countingAlong(lows);
  return (first, again) => {
    const latestHighMs = latestHighs[sent.upTo(again.highMs) - 1] ?? Number.NEGATIVE_INFINITY;
    return first.lowMs > latestHighMs;
  };
}

import { settledAfterMs } from '../contract/bounds.ts';
import { isRollingIn } from '../contract/document/document.ts';
import { inNames, promisedHeaders } from '../contract/document/headers.ts';
import { headersIn } from '../contract/document/scope-headers.ts';
import { once } from '../contract/once.ts';
import type { Trace } from '../contract/trace.ts';
import type { ClockSteps } from './clock-steps.ts';
import { wideningOf } from './clock-widening.ts';
import { countingAlong, countUpTo } from './counting.ts';
import { type Entry, entryOf, type Group, straysOf } from './entries.ts';
import { tooShort } from './fits.ts';
import {
  type Bounds,
  boundsDecided,
  boundsNotLimited,
  boundsOfAll,
  boundsToCount,
  countWithin,
  surelyCounted,
} from './intervals.ts';
import { explainedLengths } from './lengths.ts';
import { capsLeft } from './per-second-cap.ts';
import {
  countedAt,
  firstAnswer,
  forEachAnswer,
  isRefusal,
  isSettledAlone,
  type ToldCounts,
  toldCountsOf,
} from './told-counts.ts';

/**
 * The trace as it has to be judged where the service's own count shows that somebody else uses a key during the run: then
 * the premise that nobody does is false, and a 429 or a low Remaining may be theirs. What is wrong with the service itself
 * shows at every key alike, and from the first answer on: that does not count as use by others.
 */
export function withUseByOthers(
  trace: Trace,
  groups: readonly Group[],
  { stepped, besideOf }: { readonly stepped: ClockSteps; readonly besideOf: GroupsBeside },
): Trace {
  const { deployment } = trace.header;
  if (trace.unknownRequests !== undefined || !deployment.exclusiveKeys) return trace;
  const keyless = keylessOf(trace);
  const ours = boundsToCount([...groups.map(({ entries }) => entries), keyless]);
  // What is left of another kind of window is not known from when its requests were sent.
  const rolling = groups.filter(({ scope }) => isRollingIn(deployment.document, scope));
  // Under a cap per second Remaining may be what remains of the second: then fewer are counted than it seems.
  const shown = rolling.filter((group) => capsLeft(group, { deployment, stepped }).length === 0);
  const hasOneKey = trace.header.keys.length < 2;
  const sentBeside = sentBesideEach(groups, keyless);
  const ofScope = Map.groupBy(rolling, ({ scope }) => scope);
  // Of a long trace the answers of one group at a time take memory enough.
  const leastOf = once((group: Group) => leastWhenAlone(toldCountsOf(group, ours)));
  const found = shown.flatMap((group): readonly Found[] => {
    const answers = toldCountsOf(group, ours);
    const at =
      begunAfter(answers, sentBeside(group)) ??
      moreThanBefore(answers) ??
      besideOtherKey(answers, ofScope.get(group.scope) ?? [], leastOf) ??
      fallen(answers, () =>
        boundsOfAll([countedOf(answers), keyless, ...perhapsOf(group, besideOf(group), groups)]),
      ) ??
      (hasOneKey ? ofOnlyKey(answers) : null);
    return at === null ? [] : [{ answers, at }];
  });
  const [first] = found;
  return first === undefined
    ? trace
    : {
        ...trace,
        unknownRequests: inNames(
          reasonOf(first),
          promisedHeaders(headersIn(deployment.document, first.answers.group.scope)),
        ),
      };
}

/** The groups that may share a window with one. */
export type GroupsBeside = (group: Group) => readonly Group[];

function keylessOf(trace: Trace): readonly Entry[] {
  const widen = wideningOf(trace);
  return trace.exchanges
    .filter(({ key, credential }) => key === null || credential !== 'valid')
    .map((exchange) => entryOf(exchange, widen(exchange.clock)));
}

/** What has been sent beside a key and scope: when all of it had begun, and what of it may be counted there. */
type SentBeside = { readonly begunMs: number; readonly strays: readonly (readonly Entry[])[] };

/** What each group has beside it: the one that began last tells when all had, and of many few have strays. */
function sentBesideEach(groups: readonly Group[], keyless: readonly Entry[]): (group: Group) => SentBeside {
  const sent = [...groups, { entries: keyless }].map((by) => ({
    by,
    begunMs: by.entries[0]?.highMs ?? Number.NEGATIVE_INFINITY,
    strays: straysOf(by),
  }));
  const latestFirst = sent.toSorted((left, right) => right.begunMs - left.begunMs);
  const straying = sent.filter(({ strays }) => strays.length > 0);
  return (group) => ({
    begunMs: latestFirst.find(({ by }) => by !== group)?.begunMs ?? Number.NEGATIVE_INFINITY,
    strays: straying.flatMap(({ by, strays }) => (by === group ? [] : [strays])),
  });
}

/**
 * Remaining had counted the requests of this key and scope and no others, when each of the other keys and scopes had sent
 * some too; and later it counts more than this key has sent here.
 */
function begunAfter(answers: ToldCounts, { begunMs, strays: straying }: SentBeside): number | null {
  const { lowMs, highMs, othersMost, own } = answers;
  let honestMs = Number.POSITIVE_INFINITY;
  forEachAnswer(answers, (at) => {
    if ((othersMost[at] as number) <= 0 && (lowMs[at] as number) > begunMs)
      honestMs = Math.min(honestMs, highMs[at] as number);
  });
  if (honestMs === Number.POSITIVE_INFINITY) return null;
  const strays = boundsOfAll(straying);
  return firstAnswer(
    answers,
    (at) =>
      !isRefusal(answers, at) &&
      (lowMs[at] as number) > honestMs &&
      countedAt(answers, at) > (own[at] as number) + countUpTo(strays.lows, highMs[at] as number),
  );
}

/** What may be counted of a group: its 429s too, where no admission and no Remaining shows that they are not. */
function countedOf(answers: ToldCounts): readonly Entry[] {
  const { group } = answers;
  const { limit, entries } = group;
  const decided = surelyCounted(boundsDecided(entries), group.windowMs);
  const counts = firstAnswer(
    answers,
    (at) => !isRefusal(answers, at) && countedAt(answers, at) < decided(entries[at] as Entry),
  );
  if (counts !== null) return group.mayCount;
  const counted = explainedLengths({ limit, entries, reading: 'counted', refusals: [] });
  return tooShort(group, counted) ? group.mayCount : entries;
}

/** What else of ours may be counted in a group: what may share its window, and paths that do not stand for their scope. */
function perhapsOf(
  group: Group,
  beside: readonly Group[],
  groups: readonly Group[],
): readonly (readonly Entry[])[] {
  const apart = groups.filter((other) => other !== group && !beside.includes(other));
  return [...beside.map(({ entries }) => entries), ...apart.map(straysOf)];
}

/** So many answers before one are compared with it. */
const comparedMax = 8;

/**
 * Remaining fell by more than all that we sent in between, when it counted more than our requests of a whole window: a
 * window that is too long counts more, but never falls in a silence. It had been right when half of the limit was ours, so
 * the service counts no request twice.
 */
function fallen(answers: ToldCounts, ours: () => Bounds): number | null {
  const { group, lowMs, highMs, othersMost } = answers;
  const honest = firstAnswer(
    answers,
    (at) => (othersMost[at] as number) <= 0 && 2 * countedAt(answers, at) >= group.limit,
  );
  if (honest === null) return null;
  const honestMs = highMs[honest] as number;
  const reachMs = settledAfterMs(group.windowMs);
  if (isOwnAlone(answers, honestMs)) return null;
  const sent = ours();
  const told: number[] = [];
  const falls = (later: number): boolean => {
    const [low, high] = [lowMs[later] as number, highMs[later] as number];
    const counted = countedAt(answers, later);
    if (low <= honestMs || counted <= countWithin(sent, low - reachMs, high)) return false;
    return told.some((before) => {
      // That one itself had been counted already.
      const since = countWithin(sent, lowMs[before] as number, high) - 1;
      return (highMs[before] as number) < low && counted - countedAt(answers, before) > since;
    });
  };
  return firstAnswer(answers, (at) => {
    if (isRefusal(answers, at)) return false;
    if (falls(at)) return true;
    told.push(at);
    if (told.length > comparedMax) told.shift();
    return false;
  });
}

/** Whether no answer after a moment counts more than what the key itself sent within a window may explain. */
function isOwnAlone(answers: ToldCounts, afterMs: number): boolean {
  const { group, lowMs, highMs } = answers;
  const own = boundsNotLimited(group.entries);
  const [sent, gone] = [countingAlong(own.lows), countingAlong(own.highs)];
  const reachMs = settledAfterMs(group.windowMs);
  const isMore = (at: number): boolean => {
    if (isRefusal(answers, at) || (lowMs[at] as number) <= afterMs) return false;
    const ofOwn = sent.upTo(highMs[at] as number) - gone.below((lowMs[at] as number) - reachMs);
    return countedAt(answers, at) > ofOwn;
  };
  return firstAnswer(answers, isMore) === null;
}

/** More is counted at the second of two moments at which only one request of ours could be in the window. */
function moreThanBefore(answers: ToldCounts): number | null {
  const { isAlone, othersLeast, othersMost } = answers;
  let least = Number.POSITIVE_INFINITY;
  return firstAnswer(answers, (at) => {
    if (isAlone[at] !== 1 || isRefusal(answers, at)) return false;
    const isMore = (othersLeast[at] as number) >= 1 && least < (othersLeast[at] as number);
    least = Math.min(least, othersMost[at] as number);
    return isMore;
  });
}

/**
 * A whole window after anything of ours, more is counted than our one request, and less at such a moment of another key: a
 * service that counts wrongly does so for each.
 */
function besideOtherKey(
  answers: ToldCounts,
  ofScope: readonly Group[],
  leastOf: (group: Group) => number,
): number | null {
  const { key } = answers.group;
  return firstAnswer(
    answers,
    (at) =>
      isSettledAlone(answers, at) &&
      (answers.othersLeast[at] as number) >= 1 &&
      ofScope.some((group) => group.key !== key && leastOf(group) < (answers.othersLeast[at] as number)),
  );
}

/** Of the requests of others, the least that may have been counted when one of ours was alone. */
function leastWhenAlone(answers: ToldCounts): number {
  let least = Number.POSITIVE_INFINITY;
  forEachAnswer(answers, (at) => {
    if (isSettledAlone(answers, at)) least = Math.min(least, answers.othersMost[at] as number);
  });
  return least;
}

/** With one key there is nothing to compare it with. A count that is off by one is the service's. */
function ofOnlyKey(answers: ToldCounts): number | null {
  return firstAnswer(
    answers,
    (at) => isSettledAlone(answers, at) && (answers.othersLeast[at] as number) >= 2,
  );
}

type Found = { readonly answers: ToldCounts; readonly at: number };

function reasonOf({ answers, at }: Found): string {
  const { key, scope, limit } = answers.group;
  const seen = isRefusal(answers, at)
    ? `a request to ${scope} got a 429`
    : `at ${scope} X-RateLimit-Remaining was ${answers.remaining[at]} of ${limit}`;
  return (
    `somebody else uses key ${key}: ${seen} when this run had sent ${answers.own[at]} requests there in all. ` +
    'Use keys that nobody else uses during the run'
  );
}

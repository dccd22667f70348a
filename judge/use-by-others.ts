import { settledAfterMs } from '../contract/bounds.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import type { Trace } from '../contract/trace.ts';
import type { ClockSteps } from './clock-steps.ts';
import { wideningOf } from './clock-widening.ts';
import { type Entry, entryOf, type Group } from './entries.ts';
import { tooShort } from './fits.ts';
import {
  type Bounds,
  boundsAdmitted,
  boundsDecided,
  boundsOf,
  countBelow,
  countUpTo,
  everyBound,
  surelyCounted,
} from './intervals.ts';
import { explainedLengths } from './lengths.ts';
import { capsLeft } from './per-second-cap.ts';

/**
 * The trace as it has to be judged where the service's own count shows that somebody else uses a key during the run: then
 * the premise that nobody does is false, and a 429 or a low Remaining may be theirs. What is wrong with the service itself
 * shows at every key alike, and from the first answer on: that does not count as use by others.
 */
export function withUseByOthers(
  trace: Trace,
  groups: readonly Group[],
  { stepped, besideOf }: { readonly stepped: ClockSteps; readonly besideOf: Beside },
): Trace {
  const { deployment } = trace.header;
  if (trace.unknownRequests !== undefined || !deployment.exclusiveKeys) return trace;
  const keyless = keylessOf(trace);
  const ours = boundsOf([...groups.flatMap(({ entries }) => entries), ...keyless]);
  const all = groups.map((group) => answersOf(group, ours));
  // Under a cap per second Remaining may be what remains of the second: then fewer are counted than it seems.
  const shown = all.filter(({ group }) => capsLeft(group, { deployment, stepped }).length === 0);
  const hasOneKey = trace.header.keys.length < 2;
  const found = shown.flatMap(({ group, answers }) => {
    const beside = [...groups.filter((other) => other !== group).map(({ entries }) => entries), keyless];
    const answer =
      begunAfter(answers, beside) ??
      moreThanBefore(answers) ??
      besideOtherKey(group, answers, all) ??
      fallen(
        { group, answers },
        boundsOf([
          ...countedOf({ group, answers }),
          ...keyless,
          ...perhapsOf(group, besideOf(group), groups),
        ]),
      ) ??
      (hasOneKey ? ofOnlyKey(answers) : null);
    return answer === null ? [] : [{ group, answer }];
  });
  const [first] = found;
  return first === undefined ? trace : { ...trace, unknownRequests: reasonOf(first) };
}

/** The groups that may share a window with one. */
export type Beside = (group: Group) => readonly Group[];

/** What an answer says of requests that are not ours: how many the service counts at least, and at most. */
type Answer = {
  readonly entry: Entry;
  /** `X-RateLimit-Remaining`; `null` on a 429. */
  readonly remaining: number | null;
  /** How many requests the service counts. */
  readonly counted: number;
  /** How many this run had sent with this key to this scope, itself among them. */
  readonly own: number;
  readonly othersLeast: number;
  readonly othersMost: number;
  /** No other request of ours to this key and scope may have been in the window. */
  readonly isAlone: boolean;
  /** Nothing from before the run can be in the window any more. */
  readonly isSettled: boolean;
};

type Answers = { readonly group: Group; readonly answers: readonly Answer[] };

function answersOf(group: Group, ours: Bounds): Answers {
  const own = everyBound(group.entries);
  const sure = surelyCounted(boundsAdmitted(group.entries), group.windowMs);
  const reachMs = settledAfterMs(group.windowMs);
  const within = ({ lows, highs }: Bounds, { lowMs, highMs }: Entry): number =>
    countUpTo(lows, highMs) - countBelow(highs, lowMs - reachMs);
  const answers = group.entries.flatMap((entry) => {
    const isLimited = entry.exchange.outcome === 'limited';
    const remaining = isLimited ? null : remainingOf(entry);
    if (remaining === undefined || (remaining ?? 0) > group.limit) return [];
    const counted = group.limit - (remaining ?? 0);
    // A window that is too long may still hold what the key itself did before.
    const oursMost = within(ours, entry) + countBelow(own.highs, entry.lowMs - reachMs);
    return [
      {
        entry,
        remaining,
        counted,
        own: countUpTo(own.lows, entry.highMs),
        othersLeast: counted - oursMost,
        // A 429 may count more than the limit: it is compared with nothing, but where all of that is ours.
        othersMost: counted - sure(entry),
        isAlone: within(own, entry) === 1,
        isSettled: entry.lowMs >= group.settledMs,
      },
    ];
  });
  return { group, answers };
}

/** What an admission says of the places that are left; `undefined` where it says nothing. */
function remainingOf({ exchange }: Entry): number | undefined {
  return exchange.outcome === 'admitted' ? (headerInteger(exchange, 'remaining') ?? undefined) : undefined;
}

function keylessOf(trace: Trace): readonly Entry[] {
  const widen = wideningOf(trace);
  return trace.exchanges
    .filter(({ key, credential }) => key === null || credential !== 'valid')
    .map((exchange) => entryOf(exchange, widen(exchange.clock)));
}

/**
 * Remaining had counted the requests of this key and scope and no others, when each of the other keys and scopes had sent
 * some too; and later it counts more than this key has sent here.
 * @param beside what each other key and scope sent, and what was sent without a key.
 */
function begunAfter(answers: readonly Answer[], beside: readonly (readonly Entry[])[]): Answer | null {
  const begunMs = beside
    .flatMap(([first]) => (first === undefined ? [] : [first.highMs]))
    .reduce((latest, ms) => Math.max(latest, ms), Number.NEGATIVE_INFINITY);
  const honestMs = answers
    .filter(({ entry, othersMost }) => othersMost <= 0 && entry.lowMs > begunMs)
    .reduce((least, { entry }) => Math.min(least, entry.highMs), Number.POSITIVE_INFINITY);
  // A path that does not stand for its scope may be counted here.
  const strays = boundsOf(beside.flat().filter(({ exchange }) => exchange.route !== 'main'));
  return (
    answers.find(
      ({ entry, remaining, own, counted }) =>
        remaining !== null && entry.lowMs > honestMs && counted > own + countUpTo(strays.lows, entry.highMs),
    ) ?? null
  );
}

/** What may be counted of a group: its 429s too, where no admission and no Remaining shows that they are not. */
function countedOf({ group, answers }: Answers): readonly Entry[] {
  const { limit, entries } = group;
  const decided = surelyCounted(boundsDecided(entries), group.windowMs);
  if (answers.some(({ entry, remaining, counted }) => remaining !== null && counted < decided(entry)))
    return group.mayCount;
  const counted = explainedLengths({ limit, entries, reading: 'counted', refusals: [] });
  return tooShort(group, counted) ? group.mayCount : entries;
}

/** What else of ours may be counted in a group: what may share its window, and paths that do not stand for their scope. */
function perhapsOf(group: Group, beside: readonly Group[], groups: readonly Group[]): readonly Entry[] {
  const apart = groups.filter((other) => other !== group && !beside.includes(other));
  return [
    ...beside.flatMap(({ entries }) => entries),
    ...apart.flatMap(({ entries }) => entries.filter(({ exchange }) => exchange.route !== 'main')),
  ];
}

/** So many answers before one are compared with it. */
const comparedMax = 8;

/**
 * Remaining fell by more than all that we sent in between, when it counted more than our requests of a whole window: a
 * window that is too long counts more, but never falls in a silence. It had been right when half of the limit was ours, so
 * the service counts no request twice.
 */
function fallen({ group, answers }: Answers, ours: Bounds): Answer | null {
  const told = answers.filter(({ remaining }) => remaining !== null);
  const honest = answers.find(({ othersMost, counted }) => othersMost <= 0 && 2 * counted >= group.limit);
  if (honest === undefined) return null;
  const reachMs = settledAfterMs(group.windowMs);
  const sentBetween = (fromMs: number, toMs: number): number =>
    countUpTo(ours.lows, toMs) - countBelow(ours.highs, fromMs);
  const fallsAt = (one: Answer, at: number): boolean => {
    const { lowMs, highMs } = one.entry;
    if (lowMs <= honest.entry.highMs || one.counted <= sentBetween(lowMs - reachMs, highMs)) return false;
    return told.slice(Math.max(0, at - comparedMax), at).some(({ entry, counted }) => {
      // That one itself had been counted already.
      const since = sentBetween(entry.lowMs, highMs) - 1;
      return entry.highMs < lowMs && one.counted - counted > since;
    });
  };
  return told.find(fallsAt) ?? null;
}

/** More is counted at the second of two moments at which only one request of ours could be in the window. */
function moreThanBefore(answers: readonly Answer[]): Answer | null {
  const alone = answers.filter(({ isAlone, remaining }) => isAlone && remaining !== null);
  const isMore = ({ othersLeast }: Answer, at: number): boolean =>
    othersLeast >= 1 && alone.slice(0, at).some(({ othersMost }) => othersMost < othersLeast);
  return alone.find(isMore) ?? null;
}

/**
 * A whole window after anything of ours, more is counted than our one request, and less at such a moment of another key: a
 * service that counts wrongly does so for each.
 */
function besideOtherKey(group: Group, answers: readonly Answer[], all: readonly Answers[]): Answer | null {
  const leastOfOthers = all
    .filter((other) => other.group.scope === group.scope && other.group.key !== group.key)
    .flatMap((other) => other.answers)
    .filter(({ isAlone, isSettled }) => isAlone && isSettled)
    .reduce((least, { othersMost }) => Math.min(least, othersMost), Number.POSITIVE_INFINITY);
  return (
    answers.find(
      ({ isAlone, isSettled, othersLeast }) =>
        isAlone && isSettled && othersLeast >= 1 && leastOfOthers < othersLeast,
    ) ?? null
  );
}

/** With one key there is nothing to compare it with. A count that is off by one is the service's. */
function ofOnlyKey(answers: readonly Answer[]): Answer | null {
  return (
    answers.find(({ isAlone, isSettled, othersLeast }) => isAlone && isSettled && othersLeast >= 2) ?? null
  );
}

function reasonOf({ group, answer }: { readonly group: Group; readonly answer: Answer }): string {
  const { key, scope, limit } = group;
  const { remaining, own } = answer;
  const seen =
    remaining === null
      ? `a request to ${scope} got a 429`
      : `at ${scope} X-RateLimit-Remaining was ${remaining} of ${limit}`;
  return (
    `somebody else uses key ${key}: ${seen} when this run had sent ${own} requests there in all. ` +
    'Use keys that nobody else uses during the run'
  );
}

import { settledAfterMs } from '../contract/bounds.ts';
import { isRollingIn } from '../contract/document/document.ts';
import { inNames, promisedHeaders } from '../contract/document/headers.ts';
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
  countingAlong,
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
  // What is left of another kind of window is not known from when its requests were sent.
  const rolling = groups.filter(({ scope }) => isRollingIn(deployment.document, scope));
  const all = rolling.map((group) => answersOf(group, ours));
  // Under a cap per second Remaining may be what remains of the second: then fewer are counted than it seems.
  const shown = all.filter(({ group }) => capsLeft(group, { deployment, stepped }).length === 0);
  const hasOneKey = trace.header.keys.length < 2;
  const sent = new Map(groups.map((group) => [group, sentBeside(group.entries)]));
  const sentKeyless = sentBeside(keyless);
  const found = shown.flatMap((answers) => {
    const { group } = answers;
    const beside = groups.flatMap((other) => (other === group ? [] : (sent.get(other) ?? [])));
    const answer =
      begunAfter(answers, [...beside, sentKeyless]) ??
      moreThanBefore(answers) ??
      besideOtherKey(answers, all) ??
      fallen(answers, () =>
        boundsOf([...countedOf(answers), ...keyless, ...perhapsOf(group, besideOf(group), groups)]),
      ) ??
      (hasOneKey ? ofOnlyKey(answers) : null);
    return answer === null ? [] : [{ group, answer }];
  });
  const [first] = found;
  return first === undefined
    ? trace
    : {
        ...trace,
        unknownRequests: inNames(reasonOf(first), promisedHeaders(trace.header.deployment.document)),
      };
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

/** The answers of a group that say something, as columns: of a long trace there are very many. */
type Answers = {
  readonly group: Group;
  /** Their entries, by position. */
  readonly entries: readonly Entry[];
  /** -1 on a 429. */
  readonly remaining: Float64Array;
  readonly own: Float64Array;
  readonly othersLeast: Float64Array;
  readonly othersMost: Float64Array;
  readonly isAlone: Uint8Array;
};

function answersOf(group: Group, ours: Bounds): Answers {
  const own = everyBound(group.entries);
  const sure = surelyCounted(boundsAdmitted(group.entries), group.windowMs);
  const reachMs = settledAfterMs(group.windowMs);
  const [oursSent, oursGone] = [countingAlong(ours.lows), countingAlong(ours.highs)];
  const [ownSent, ownGone] = [countingAlong(own.lows), countingAlong(own.highs)];
  const entries: Entry[] = [];
  const numbers = (): Float64Array => new Float64Array(group.entries.length);
  const columns = { remaining: numbers(), own: numbers(), othersLeast: numbers(), othersMost: numbers() };
  const isAlone = new Uint8Array(group.entries.length);
  for (const entry of group.entries) {
    const isLimited = entry.exchange.outcome === 'limited';
    const remaining = isLimited ? null : remainingOf(entry);
    if (remaining === undefined || (remaining ?? 0) > group.limit) continue;
    const counted = group.limit - (remaining ?? 0);
    // A window that is too long may still hold what the key itself did before.
    const sent = ownSent.upTo(entry.highMs);
    const gone = ownGone.below(entry.lowMs - reachMs);
    const oursMost = oursSent.upTo(entry.highMs) - oursGone.below(entry.lowMs - reachMs) + gone;
    const at = entries.length;
    entries.push(entry);
    columns.remaining[at] = remaining ?? -1;
    columns.own[at] = sent;
    columns.othersLeast[at] = counted - oursMost;
    // A 429 may count more than the limit: it is compared with nothing, but where all of that is ours.
    columns.othersMost[at] = counted - sure(entry);
    isAlone[at] = sent - gone === 1 ? 1 : 0;
  }
  return { group, entries, ...columns, isAlone };
}

/** One of the answers, by its position. */
function answerAt(answers: Answers, at: number): Answer {
  const { group, entries, own, othersLeast, othersMost, isAlone } = answers;
  const entry = entries[at] as Entry;
  const remaining = answers.remaining[at] as number;
  return {
    entry,
    remaining: remaining === -1 ? null : remaining,
    counted: group.limit - Math.max(0, remaining),
    own: own[at] as number,
    othersLeast: othersLeast[at] as number,
    othersMost: othersMost[at] as number,
    isAlone: isAlone[at] === 1,
    isSettled: entry.lowMs >= group.settledMs,
  };
}

/** The first answer that is so; asked in the order in which they were sent. */
function firstAnswer(answers: Answers, isSo: (answer: Answer) => boolean): Answer | null {
  for (const answer of each(answers)) if (isSo(answer)) return answer;
  return null;
}

/** One after another, and none of them kept. */
function* each(answers: Answers): Generator<Answer> {
  for (let at = 0; at < answers.entries.length; at += 1) yield answerAt(answers, at);
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

/** What has been sent beside a key and scope: when each of it had begun, and what of it may be counted there. */
type SentBeside = { readonly begunMs: number; readonly strays: readonly Entry[] };

function sentBeside(entries: readonly Entry[]): SentBeside {
  return {
    begunMs: entries[0]?.highMs ?? Number.NEGATIVE_INFINITY,
    // A path that does not stand for its scope may be counted here.
    strays: entries.filter(({ exchange }) => exchange.route !== 'main'),
  };
}

/**
 * Remaining had counted the requests of this key and scope and no others, when each of the other keys and scopes had sent
 * some too; and later it counts more than this key has sent here.
 * @param beside what each other key and scope sent, and what was sent without a key.
 */
function begunAfter(answers: Answers, beside: readonly SentBeside[]): Answer | null {
  const begunMs = beside.reduce((latest, one) => Math.max(latest, one.begunMs), Number.NEGATIVE_INFINITY);
  let honestMs = Number.POSITIVE_INFINITY;
  for (const { entry, othersMost } of each(answers))
    if (othersMost <= 0 && entry.lowMs > begunMs) honestMs = Math.min(honestMs, entry.highMs);
  if (honestMs === Number.POSITIVE_INFINITY) return null;
  const strays = boundsOf(beside.flatMap((one) => one.strays));
  return firstAnswer(
    answers,
    ({ entry, remaining, own, counted }) =>
      remaining !== null && entry.lowMs > honestMs && counted > own + countUpTo(strays.lows, entry.highMs),
  );
}

/** What may be counted of a group: its 429s too, where no admission and no Remaining shows that they are not. */
function countedOf(answers: Answers): readonly Entry[] {
  const { group } = answers;
  const { limit, entries } = group;
  const decided = surelyCounted(boundsDecided(entries), group.windowMs);
  const counts = firstAnswer(
    answers,
    ({ entry, remaining, counted }) => remaining !== null && counted < decided(entry),
  );
  if (counts !== null) return group.mayCount;
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
function fallen(answers: Answers, ours: () => Bounds): Answer | null {
  const { group } = answers;
  const honest = firstAnswer(
    answers,
    ({ othersMost, counted }) => othersMost <= 0 && 2 * counted >= group.limit,
  );
  if (honest === null) return null;
  const { lows, highs } = ours();
  const reachMs = settledAfterMs(group.windowMs);
  const sentBetween = (fromMs: number, toMs: number): number =>
    countUpTo(lows, toMs) - countBelow(highs, fromMs);
  const told: Answer[] = [];
  const falls = (one: Answer): boolean => {
    const { lowMs, highMs } = one.entry;
    if (lowMs <= honest.entry.highMs || one.counted <= sentBetween(lowMs - reachMs, highMs)) return false;
    return told.some(({ entry, counted }) => {
      // That one itself had been counted already.
      const since = sentBetween(entry.lowMs, highMs) - 1;
      return entry.highMs < lowMs && one.counted - counted > since;
    });
  };
  return firstAnswer(answers, (one) => {
    if (one.remaining === null) return false;
    if (falls(one)) return true;
    told.push(one);
    if (told.length > comparedMax) told.shift();
    return false;
  });
}

/** More is counted at the second of two moments at which only one request of ours could be in the window. */
function moreThanBefore(answers: Answers): Answer | null {
  let least = Number.POSITIVE_INFINITY;
  return firstAnswer(answers, ({ isAlone, remaining, othersLeast, othersMost }) => {
    if (!isAlone || remaining === null) return false;
    const isMore = othersLeast >= 1 && least < othersLeast;
    least = Math.min(least, othersMost);
    return isMore;
  });
}

/**
 * A whole window after anything of ours, more is counted than our one request, and less at such a moment of another key: a
 * service that counts wrongly does so for each.
 */
function besideOtherKey(answers: Answers, all: readonly Answers[]): Answer | null {
  const { scope, key } = answers.group;
  let leastOfOthers = Number.POSITIVE_INFINITY;
  for (const other of all) {
    if (other.group.scope !== scope || other.group.key === key) continue;
    for (const { isAlone, isSettled, othersMost } of each(other))
      if (isAlone && isSettled) leastOfOthers = Math.min(leastOfOthers, othersMost);
  }
  return firstAnswer(
    answers,
    ({ isAlone, isSettled, othersLeast }) =>
      isAlone && isSettled && othersLeast >= 1 && leastOfOthers < othersLeast,
  );
}

/** With one key there is nothing to compare it with. A count that is off by one is the service's. */
function ofOnlyKey(answers: Answers): Answer | null {
  return firstAnswer(
    answers,
    ({ isAlone, isSettled, othersLeast }) => isAlone && isSettled && othersLeast >= 2,
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

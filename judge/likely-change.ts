import type { Exchange } from '../contract/exchange.ts';
import { greatestOf, leastOf } from '../contract/extremes.ts';
import { seconds } from '../contract/quantities.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import { isBroken, isUnreached } from '../contract/unreachable.ts';
import { type Case, isOfApi } from './case.ts';
import type { Stretch } from './cover.ts';
import type { Entry, Group } from './entries.ts';
import { boundsAdmitted, surelyCounted } from './intervals.ts';
import { serverOf } from './why-open.ts';

/**
 * What most likely changed behind the address while it was probed, in a sentence each: a restart that lost all counts, or
 * several versions side by side. It explains violations, and decides none.
 */
export function likelyChanges(subject: Case): readonly string[] {
  return [...restartOf(subject), ...versionsOf(subject)];
}

/**
 * Windows that held something were empty at once, none still held what it had held before, and something else says that the
 * service began anew.
 */
function restartOf({ analyses, trace }: Case): readonly string[] {
  const groups = analyses.map(({ group }) => group);
  const stretches = groups.flatMap((group) => forgettingOf(group) ?? []);
  if (stretches.length < 2) return [];
  const fromMs = greatestOf(stretches.map((one) => one.fromMs));
  const toMs = leastOf(stretches.map((one) => one.toMs));
  if (fromMs > toMs || groups.some((group) => isKeptAcross(group, { fromMs, toMs }))) return [];
  const signs = signsOf(trace.exchanges, { fromMs, toMs });
  if (signs.length === 0) return [];
  const beganMs = leastOf(trace.exchanges.map(({ sentMs }) => sentMs));
  return [
    `the service seems to have restarted between +${seconds(fromMs - beganMs, 1)} and +${seconds(toMs - beganMs, 1)}, and ` +
      `to have lost its counts: all windows were empty again at once, and ${signs.join(' and ')}. Counts that outlive a ` +
      'restart are kept outside of the process',
  ];
}

/** Fewer requests than this that are forgotten are no emptied window. */
const forgottenMin = 2;

/**
 * Between which two answers a window was emptied, by what Remaining says: from the last answer that counted what it had
 * to, to the first that did not. `null` where none did not, or where it held nothing until then.
 */
function forgettingOf({ entries, limit, windowMs }: Group): Stretch | null {
  const sure = surelyCounted(boundsAdmitted(entries), windowMs);
  let keptMs: number | null = null;
  for (const entry of entries) {
    const held = sure(entry);
    // A 429 says that the window is full.
    if (entry.exchange.outcome === 'limited' && held > forgottenMin) keptMs = entry.lowMs;
    const remaining = admittedRemaining(entry);
    if (remaining === null) continue;
    if (limit - remaining > held - forgottenMin) {
      if (held > forgottenMin) keptMs = entry.lowMs;
    } else {
      return keptMs === null ? null : { fromMs: keptMs, toMs: entry.highMs };
    }
  }
  return null;
}

/** Whether an answer after a stretch still counted what was taken before it. What had left by then says nothing. */
function isKeptAcross({ entries, limit, windowMs }: Group, { fromMs, toMs }: Stretch): boolean {
  const sure = surelyCounted(boundsAdmitted(entries), windowMs);
  const sureBefore = surelyCounted(
    boundsAdmitted(entries.filter(({ highMs }) => highMs <= fromMs)),
    windowMs,
  );
  return entries.some((entry) => {
    const remaining = admittedRemaining(entry);
    if (remaining === null || entry.lowMs < toMs || sureBefore(entry) <= forgottenMin) return false;
    return limit - remaining > sure(entry) - forgottenMin;
  });
}

function admittedRemaining({ exchange }: Entry): number | null {
  return exchange.outcome === 'admitted' ? headerInteger(exchange, 'remaining') : null;
}

/** Around a restart other connections break too, ms. */
const besideMs = 2_000;

function signsOf(exchanges: readonly Exchange[], { fromMs, toMs }: Stretch): readonly string[] {
  const broken = exchanges.filter(
    ({ failure }) => failure !== null && (isBroken(failure) || isUnreached(failure)),
  );
  const near = broken.filter(
    ({ sentMs, receivedMs }) => sentMs <= toMs + besideMs && (receivedMs ?? sentMs) >= fromMs - besideMs,
  );
  // Where connections break all the time, those that broke then say nothing.
  const broke = near.length > broken.length - near.length ? near : [];
  const before = serversOf(exchanges.filter(({ sentMs }) => sentMs <= fromMs));
  const after = serversOf(exchanges.filter(({ sentMs }) => sentMs >= toMs));
  const [was] = before;
  const [is] = after;
  const isOther = before.length === 1 && after.length === 1 && was !== is;
  return [
    ...(broke.length === 0
      ? []
      : [`${broke.length === 1 ? 'a connection' : `${broke.length} connections`} broke`]),
    ...(isOther ? [`Server changed from ${was} to ${is}`] : []),
  ];
}

function serversOf(exchanges: readonly Exchange[]): readonly string[] {
  return [
    ...new Set(exchanges.filter(({ status }) => (status ?? 500) < 500).flatMap((one) => serverOf(one) ?? [])),
  ];
}

/** How often answers change from one version to another before they are two side by side. */
const changesMin = 3;

/** Several values of `Server` in turn, from one address. */
function versionsOf({ trace, ban }: Case): readonly string[] {
  const several = nodesOfSeveral(trace.exchanges, ban);
  const answers = trace.exchanges
    .filter((exchange) => several.has(exchange.node) && isOfApi(exchange, ban))
    .toSorted((left, right) => left.sentMs - right.sentMs);
  return [...Map.groupBy(answers, ({ node }) => node)].flatMap(([node, ofNode]) => {
    const values = ofNode.flatMap((one) => serverOf(one) ?? []);
    const changes = values.filter((value, at) => at > 0 && value !== values[at - 1]).length;
    if (changes < changesMin) return [];
    const names = [...new Set(values)].slice(0, 4).join(' and ');
    return [
      `several versions seem to answer behind ${trace.header.deployment.baseUrls[node]}: Server is ${names} in turn. ` +
        'What one of them counts or says, the other may not',
    ];
  });
}

/** The nodes whose answers name several servers: most name one, and then there is nothing to put in order. */
function nodesOfSeveral(exchanges: readonly Exchange[], ban: Case['ban']): ReadonlySet<number> {
  const first = new Map<number, string>();
  const several = new Set<number>();
  for (const exchange of exchanges) {
    const { node } = exchange;
    if (several.has(node)) continue;
    const server = serverOf(exchange);
    const before = first.get(node);
    // Most are told by this alone.
    if (server === null || server === before || !isOfApi(exchange, ban)) continue;
    if (before === undefined) first.set(node, server);
    else several.add(node);
  }
  return several;
}

import type { Deployment } from '../contract/deployment.ts';
import { areKeysCountedTogether, scopesByCounting } from '../contract/document/counted-by.ts';
import { isRollingIn } from '../contract/document/document.ts';
import { isAnyPromisedOn, type PromisedHeaders } from '../contract/document/headers.ts';
import {
  type HeadersOf,
  headersByScope,
  type WordedHeaders,
  wordedHeaders,
} from '../contract/document/scope-headers.ts';
import { countedWith, outerOf } from '../contract/document/within.ts';
import type { Exchange } from '../contract/exchange.ts';
import { type Outcome, outcomes } from '../contract/outcome.ts';
import type { Trace } from '../contract/trace.ts';
import type { Verdict } from '../contract/verdict.ts';
import type { Analysis } from './analysis.ts';
import { analyse } from './attribution.ts';
import { type Ban, banOf } from './ban.ts';
import { withFollowers } from './begins-together.ts';
import { clockLineStepsOf } from './clock-lines.ts';
import { type ClockSteps, clockStepsOf } from './clock-steps.ts';
import { type Group, groupsOf, keysIn } from './entries.ts';
import { isAnotherLayers, withoutOtherLimits } from './other-layer.ts';
import { countedGroup, withOuter } from './outer.ts';
import { countedTogether } from './promises/counted-together.ts';
import { admittedBeyond } from './promises/together.ts';
import { keyRefusals } from './refused-keys.ts';
import { type Apart, admissionWhileFull } from './sharing.ts';
import { withSubpathsElsewhere } from './subpaths-elsewhere.ts';
import { those } from './those.ts';
import { withToldHeaders } from './told-trace.ts';
import { withUnknownUse } from './unknown-requests.ts';
import { withUseByOthers } from './use-by-others.ts';

/** A trace with what several judges need of it, worked out once. */
export type Case = {
  readonly trace: Trace;
  readonly analyses: readonly Analysis[];
  readonly stepped: ClockSteps;
  /** Admissions that show keys, or scopes, to be counted apart; `null` where none does. */
  readonly keysApart: Apart | null;
  readonly scopesApart: Apart | null;
  /** Whether the keys share their windows, where the document says so; `null` where it does not. */
  readonly countedTogether: Verdict | null;
  /** Requests without a valid key. */
  readonly keyless: readonly Exchange[];
  /** The trace as it was recorded: headers of the IETF's drafts stand in it as they were sent. */
  readonly recorded: Trace;
  /** Answers of the API to keys that it takes: those of another layer, or of a ban, are left out. */
  readonly keyed: readonly Exchange[];
  readonly limited: readonly Exchange[];
  /** What the document calls its rate-limit headers, and how they tell a reset. */
  readonly headers: WordedHeaders;
  /** Which of them it promises, by the scope of an answer. */
  readonly headersOf: HeadersOf;
  /** Of `keyed`, the answers on which it promises any of them. */
  readonly promised: readonly Exchange[];
  /** `null` where the address was not shut out. */
  readonly ban: Ban | null;
  /** Answers that show that a key is not taken. */
  readonly untaken: ReadonlySet<Exchange>;
};

/** A judge of one clause: pure, and total for every trace that fits the schema. */
export type Judge = (subject: Case) => Verdict;

/** A trace as it is judged, and what each key did in each scope of it. */
export type GroupedTrace = {
  readonly saved: Trace;
  readonly groups: readonly Group[];
  /** The same, each key by itself in every scope. */
  readonly alone: readonly Group[];
  readonly stepped: ClockSteps;
  readonly countedTogether: Verdict | null;
};

export function groupedOf(recorded: Trace): GroupedTrace {
  const saved = withoutOtherLimits(withToldHeaders(recorded));
  const exchangeSteps = clockStepsOf(saved);
  const lineSteps = clockLineStepsOf(saved);
  const stepped: ClockSteps = (fromMs, toMs) => exchangeSteps(fromMs, toMs) || lineSteps(fromMs, toMs);
  const alone = withOuter(groupsOf(saved), saved.header);
  const together = countedTogether(alone, { header: saved.header, stepped });
  return {
    ...{ saved, stepped, alone, groups: together?.groups ?? alone },
    countedTogether: together?.verdict ?? null,
  };
}

export function caseOf(recorded: Trace, grouped: GroupedTrace = groupedOf(recorded)): Case {
  const { saved, groups, alone, stepped } = grouped;
  const found = { stepped, deployment: saved.header.deployment };
  const ofScope = Map.groupBy(groups, ({ scope }) => scope);
  const ofKey = Map.groupBy(groups, ({ key }) => key);
  const { document } = saved.header.deployment;
  const byKey = [...ofScope].filter(([scope]) => !areKeysCountedTogether(document, scope));
  const keysApart = firstApart(
    byKey.map(([, ofKeys]) => ofKeys),
    found,
  );
  // Where some scopes count keys together and others do not, what one key did is common to all.
  const ways = scopesByCounting(document);
  const isMixed = ways.has('key') && ways.size > 1;
  // What lies within another scope is counted with it anyway.
  const outermost = (isMixed ? alone : groups)
    .filter(({ scope }) => outerOf(document, scope) === null)
    .map(countedGroup);
  const scopesApart = firstApart(Map.groupBy(outermost, ({ key }) => key).values(), found);
  const joint = isMixed ? groups.filter(({ key }) => keysIn(key).length > 1) : [];
  const withKeysOf = (group: Group): readonly Group[] =>
    joint.includes(group)
      ? groups.filter(({ key }) => keysIn(key).some((one) => keysIn(group.key).includes(one)))
      : [...(ofKey.get(group.key) ?? []), ...joint.filter(({ key }) => keysIn(key).includes(group.key))];
  const besideOfKey = (group: Group): readonly Group[] => {
    const together = countedWith(document, group.scope);
    return withKeysOf(group).filter((other) => !together.includes(other.scope));
  };
  const otherScopes = (group: Group): readonly Group[] => (scopesApart === null ? besideOfKey(group) : []);
  const otherKeys = ({ key, scope }: Group): readonly Group[] =>
    keysApart === null && !areKeysCountedTogether(document, scope)
      ? (ofScope.get(scope) ?? []).filter((other) => other.key !== key)
      : [];
  const besideOf = (group: Group): readonly Group[] => [...otherScopes(group), ...otherKeys(group)];
  const trace = withUnknownUse(withUseByOthers(saved, groups, { stepped, besideOf }));
  const { deployment } = trace.header;
  const headersOf = headersByScope(deployment.document);
  const analysed = (group: Group): Analysis =>
    analyse(group, {
      deployment,
      stepped,
      // Only what deviates is held against all others, and of many keys few do.
      get peers() {
        return groups.filter(({ key, scope }) => key !== group.key || scope !== group.scope);
      },
      ofKey: besideOfKey(group),
      otherScopes: otherScopes(group),
      otherKeys: otherKeys(group),
    });
  const ban = banOf(trace);
  const untaken = keyRefusals(trace.exchanges);
  const promisedOn = outcomesBy(headersOf);
  const keyed = those(trace.exchanges, (exchange) => isKeyed(exchange, { ban, untaken }));
  return {
    trace,
    recorded,
    analyses: withSubpathsElsewhere(withFollowers(groups.map(analysed)), analysed),
    stepped,
    keysApart,
    scopesApart,
    countedTogether: grouped.countedTogether,
    keyless: trace.exchanges.filter(({ credential }) => credential !== 'valid'),
    keyed,
    limited: keyed.filter(({ outcome }) => outcome === 'limited'),
    headers: wordedHeaders(deployment.document),
    headersOf,
    promised: those(keyed, (exchange) => promisedOn(exchange).has(exchange.outcome)),
    ban,
    untaken,
  };
}

/** The outcomes of answers on which any header is promised, by their scope. */
function outcomesBy(headersOf: HeadersOf): (exchange: Exchange) => ReadonlySet<Outcome> {
  const known = new Map<PromisedHeaders, ReadonlySet<Outcome>>();
  return (exchange) => {
    const promised = headersOf(exchange);
    const found =
      known.get(promised) ?? new Set(outcomes.filter((outcome) => isAnyPromisedOn(outcome, promised)));
    known.set(promised, found);
    return found;
  };
}

/** Whether the API itself gave an answer, to a key that it takes. */
export function isKeyed(exchange: Exchange, { ban, untaken }: Pick<Case, 'ban' | 'untaken'>): boolean {
  const { credential, status } = exchange;
  return credential === 'valid' && status !== null && isOfApi(exchange, ban) && !untaken.has(exchange);
}

/** Whether the API itself gave an answer. */
export function isOfApi(exchange: Exchange, ban: Ban | null): boolean {
  // What is limited still, is so by the API.
  const isOwn = exchange.outcome === 'limited' || !isAnotherLayers(exchange);
  return isOwn && !ban?.covers(exchange);
}

/** An admission that one count of several groups would have refused, by what each of their limits promises. */
function shownApart(groups: readonly Group[], deployment: Deployment): Apart | null {
  return groups.every(({ scope }) => isRollingIn(deployment.document, scope))
    ? admissionWhileFull(groups)
    : admittedBeyond(groups, deployment);
}

/** Of the groups that have a scope, or a key, in common, the first admission that shows them counted apart. */
function firstApart(
  groups: Iterable<readonly Group[]>,
  { stepped, deployment }: { readonly stepped: ClockSteps; readonly deployment: Deployment },
): Apart | null {
  for (const together of groups) {
    const apart = together.length < 2 ? null : shownApart(together, deployment);
    if (apart === null) continue;
    const { lowMs, highMs } = apart.by;
    if (!stepped(lowMs - (together[0]?.windowMs ?? 0), highMs)) return apart;
  }
  return null;
}

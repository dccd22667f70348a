import { isAnyPromisedOn } from '../contract/document/headers.ts';
import {
  type HeadersOf,
  headersByScope,
  type WordedHeaders,
  wordedHeaders,
} from '../contract/document/scope-headers.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Trace } from '../contract/trace.ts';
import type { Verdict } from '../contract/verdict.ts';
import type { Analysis } from './analysis.ts';
import { analyse } from './attribution.ts';
import { type Ban, banOf } from './ban.ts';
import { withFollowers } from './begins-together.ts';
import { besideIn } from './beside.ts';
import type { ClockSteps } from './clock-steps.ts';
import type { Group } from './entries.ts';
import { type GroupedTrace, groupedOf } from './grouped.ts';
import { isAnotherLayers } from './other-layer.ts';
import { keyRefusals } from './refused-keys.ts';
import type { Apart } from './sharing.ts';
import { withSubpathsElsewhere } from './subpaths-elsewhere.ts';
import { those } from './those.ts';
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

export function caseOf(recorded: Trace, grouped: GroupedTrace = groupedOf(recorded)): Case {
  const { saved, groups, stepped } = grouped;
  const { keysApart, scopesApart, ofKey, otherScopes, otherKeys } = besideIn(grouped);
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
      ofKey: ofKey(group),
      otherScopes: otherScopes(group),
      otherKeys: otherKeys(group),
    });
  const ban = banOf(trace);
  const untaken = keyRefusals(trace.exchanges);
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
    promised: those(keyed, (exchange) => isAnyPromisedOn(exchange.outcome, headersOf(exchange))),
    ban,
    untaken,
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

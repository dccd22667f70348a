import { isCosting } from '../../contract/document/cost.ts';
import { limitedStatusesOf, partsOf, windowShareOf } from '../../contract/document/document.ts';
import type { LimitPart } from '../../contract/document/further-limit.ts';
import { sharesLimits } from '../../contract/document/within.ts';
import { leastOf } from '../../contract/extremes.ts';
import type { Evidence, QuotedExchange } from '../../contract/verdict.ts';
import type { Report } from '../result.ts';
import { type CurlRequest, curlRequest } from './curl.ts';

/** What a command has to print where the service still does it. */
export type Shows =
  /** All requests of the command together: more or fewer answers by which one passes than a service as documented gives. */
  | {
      readonly kind: 'admitted';
      /** The statuses of such answers beside 2xx; left out where there are none. */
      readonly besides?: readonly number[];
      readonly relation: 'more' | 'fewer';
      readonly than: number;
      /** What it means, where the figure alone does not say it. */
      readonly meaning?: string;
    }
  /** The last answer, which is printed whole, has the flaw itself. */
  | { readonly kind: 'answer'; readonly seldom?: Seldom }
  /** The last answer has one of these statuses. */
  | { readonly kind: 'status'; readonly statuses: readonly (number | '2xx')[]; readonly why: string }
  /** Lines that end otherwise than in these values, one after another. */
  | { readonly kind: 'not-counting-down'; readonly values: readonly string[] };

/** In how many refusals of all in some scopes a run saw a flaw, where in few. */
export type Seldom = {
  readonly seen: number;
  readonly refusals: number;
  readonly scopes: readonly string[];
};

/** Shell commands that repeat a violation, and what they show; or why one command cannot show it. */
export type Repetition =
  | { readonly kind: 'commands'; readonly lines: string; readonly shows: Shows }
  | { readonly kind: 'none'; readonly why: string };

/** A violation that is to be repeated. */
export type ShownViolation = {
  /** Its clause. */
  readonly id: string;
  readonly evidence: Evidence;
  readonly report: Report;
};

/** What a scope allows as far as commands by hand have to know it. */
export type ScopeAllowance = {
  /** How many pass at once, by its first limit. */
  readonly limit: number;
  /** How many pass at once by all its limits. */
  readonly least: number;
  readonly windowMs: number;
  readonly parts: readonly LimitPart[];
  readonly isCosting: boolean;
  /** Requests of other scopes take places of its limits, or its own of theirs. */
  readonly isShared: boolean;
};

export const none = (why: string): Repetition => ({ kind: 'none', why });

/** Why no command shows what hangs on when a place comes back. */
export const placesReturn = 'depends on the moments at which places come back, which differ from run to run';

/** Requests above the limit, which show where it is. */
export const excess = 4;

export function commands(
  requests: readonly CurlRequest[],
  lines: readonly string[],
  shows: Shows,
): Repetition {
  const before = [...new Set(requests.flatMap((request) => request.before))];
  const besides = [...new Set(requests.flatMap(({ passed }) => passed))];
  const shown = shows.kind === 'admitted' && besides.length > 0 ? { ...shows, besides } : shows;
  return { kind: 'commands', lines: [...before, ...lines].join('\n'), shows: shown };
}

/** The last request that the evidence quotes. */
export function requestOf(shown: ShownViolation): CurlRequest {
  return curlRequest(lastOf(shown), shown.report);
}

/** The last exchange that the evidence quotes. */
export function lastOf({ evidence }: Pick<ShownViolation, 'evidence'>): QuotedExchange {
  return evidence.exchanges.at(-1) as QuotedExchange;
}

/** What a scope of a report allows; of one that its document does not name, as of a single limit. */
export function countedIn({ deployment, limits, window }: Report, scope: string): ScopeAllowance {
  const { document } = deployment;
  const limit = limits[scope] ?? 0;
  const named = document.scopes[scope];
  if (named === undefined)
    return { limit, least: limit, windowMs: window.ms, parts: [], isCosting: false, isShared: false };
  const parts = partsOf(document, scope);
  const further = parts.slice(1).map((part) => part.limit);
  return {
    ...{ limit, parts, isCosting: isCosting(named), isShared: sharesLimits(document, scope) },
    least: leastOf([limit, ...further]),
    windowMs: window.ms * windowShareOf(document, scope),
  };
}

/** Why counting what passes says nothing by itself; `null` where the scope has one limit, and each request takes 1 of it. */
export function whyCountless({ parts, isCosting: hasCosts, isShared }: ScopeAllowance): string | null {
  if (isShared) return 'needs a whole run: its scope shares limits with others';
  if (parts.length > 1) return 'needs a whole run: its scope has several limits';
  return hasCosts ? 'needs a whole run: its scope has several requests, or they cost more than 1' : null;
}

/** The statuses of a request over the limit. */
export function refusedBy({ deployment }: Report): readonly number[] {
  return limitedStatusesOf(deployment.document);
}

/** Whether an exchange is a refusal by the limit of its key. */
export function isRefusal({ status, key }: QuotedExchange, report: Report): boolean {
  return status !== null && key !== null && refusedBy(report).includes(status);
}

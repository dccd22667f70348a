import type { LimitPart } from '../document/further-limit.ts';
import type { PromiseKind, SinglePromise } from '../document/promise.ts';
import type { Scope } from '../scopes.ts';

/** What a document says of a limit that is no rolling window, or one of several of its scope. */
export type PromisedScope = {
  readonly scope: Scope;
  readonly title: string;
  /** The limit in words: "40 in each 60 s". */
  readonly said: string;
  readonly promise: SinglePromise;
  /** The name of one limit of several; `null` of the first. */
  readonly name: string | null;
  readonly isOneOfSeveral: boolean;
  /** Whose requests are counted together: "a key". */
  readonly who: string;
  readonly dependsOn: readonly string[];
  /** What requests cost, in words; `null` where each costs 1. */
  readonly costs: string | null;
  /** With which other scopes it is counted, in words; `null` where with none. */
  readonly shared: string | null;
};

/** The id of the clause about a limit: that of its scope, with the limit's own name where it is not the first one. */
export function limitIdOf(scope: Scope, name: string | null): `limits.${string}` {
  return name === null ? `limits.${scope}` : `limits.${scope}.${name}`;
}

/** The same of one limit of several, which may be that of another scope. */
export function limitIdOfPart(
  scope: Scope,
  { name, of }: Pick<LimitPart, 'name' | 'of'>,
): `limits.${string}` {
  return of === undefined ? limitIdOf(scope, name) : limitIdOf(of.scope, of.name);
}

/** Whether a clause is about a limit of a scope. */
export function isLimitOf(scope: Scope, id: string): boolean {
  return id === `limits.${scope}` || id.startsWith(`limits.${scope}.`);
}

/** The clause about such a limit: all of it in one. */
export function promisedLimitClause(limit: PromisedScope) {
  const { scope, title, said, promise, dependsOn, name, isOneOfSeveral, who, costs, shared } = limit;
  const more = [costs, shared].filter((one) => one !== null);
  const { requires, judged, violation } = words[promise.kind];
  return {
    id: limitIdOf(scope, name),
    section: 'Limits',
    level: 'must',
    title: `${said}, on ${title}`,
    requirement: [`On ${title} ${who} can make ${said}: ${requires}.`, ...more].join(' '),
    judged: isOneOfSeveral ? `${judged} ${ofSeveral}` : judged,
    violation,
    needs: 'saturation',
    dependsOn,
  } as const;
}

const ofSeveral =
  'A request has to pass every limit of its scope: a 429 that one of the others explains is no violation, and one that none ' +
  'of them explains is blamed on the limit that comes nearest to it.';

type Words = { readonly requires: string; readonly judged: string; readonly violation: string };

const fewer = 'a 429 that no use of the key explains';

const words: Readonly<Record<PromiseKind, Words>> = {
  rolling: {
    requires: 'exactly so many in any window of that length',
    judged: 'By the lengths of rolling window that explain every admission and every 429.',
    violation: `One request more inside a window, or ${fewer}.`,
  },
  fixed: {
    requires: 'exactly so many in each window, and all of them again in the next',
    judged:
      'Each limit + 1 admissions need the beginning of a window among them; each 429 needs a window in which so many may ' +
      'have been counted before it. Violated where no sequence of windows gives all of them what they need; a window may ' +
      'be held up to a second longer.',
    violation: `One request more inside every window that there may have been, or ${fewer}.`,
  },
  'token-bucket': {
    requires: 'a bucket of that size, which gets its tokens back evenly',
    judged:
      'In no stretch of time are more requests admitted than the bucket holds and gets back meanwhile. A 429 is wrong where ' +
      'a token was certainly there, however early or late each request before it took one.',
    violation: `More admitted in a stretch of time than bucket and refill give, or ${fewer}.`,
  },
  'at-most': {
    requires: 'no more in any window of that length; fewer may pass',
    judged:
      'Limit + 1 admissions whose every possible moment of counting lies inside one window. 429s are free.',
    violation: 'One request more admitted inside a window.',
  },
  'at-least': {
    requires: 'so many are served in any window of that length; more may be',
    judged:
      'A 429 although even the most generous count of the window before it, rejected requests among them, is below the limit.',
    violation: 'A 429 with fewer requests than that in the window before it.',
  },
  unsaid: {
    requires: 'by any limiter that keeps that count and that window',
    judged:
      'The trace is held against a rolling window, windows that begin anew, a counter of two windows that weighs the one ' +
      'before, and a bucket of that size: violated where it contradicts each of them.',
    violation: 'Admissions and 429s that no such limiter explains.',
  },
};

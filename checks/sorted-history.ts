import type { Exchange } from '../contract/exchange.ts';
import { onceForBoth } from '../contract/once-for-both.ts';
import { endedMs, isOwn, type Target } from './steps.ts';

/** What was sent for one target since its anchor, the last preflight; it grows with the history that it was sorted from. */
export type SortedHistory = {
  readonly anchor: Exchange;
  readonly own: readonly Exchange[];
  readonly by: (purpose: string) => readonly Exchange[];
  /** What was sent for one limit of several. */
  readonly ofPart: (name: string) => readonly Exchange[];
  /** What was sent last before that, at least the anchor; last of all where nothing was sent for it yet. */
  readonly beforePart: (name: string) => Exchange;
  /** Purposes of which a request was refused by the limit. */
  readonly limited: ReadonlySet<string>;
  /** Purposes for which anything was asked of the scope, with whatever key. */
  readonly asked: ReadonlySet<string>;
};

/**
 * Sorts a growing history, so that each step reads only the new exchanges.
 * @throws where there is no preflight of the target's key yet.
 */
export function sortedOf(target: Target, soFar: readonly Exchange[]): SortedHistory {
  const sorting = sortingOf(soFar, target);
  for (; sorting.read < soFar.length; sorting.read += 1) {
    sortIn(sorting, target, soFar[sorting.read] as Exchange);
  }
  const { asked, since } = sorting;
  if (since === null) throw new Error(`the schedule of ${target.scope} needs a preflight exchange first`);
  const { anchor, own, byPurpose, byPart, limited } = since;
  return {
    anchor,
    own,
    limited,
    asked,
    by: (purpose) => byPurpose.get(purpose) ?? none,
    ofPart: (name) => byPart.get(name)?.own ?? none,
    beforePart: (name) => own[(byPart.get(name)?.at ?? own.length) - 1] as Exchange,
  };
}

/** What was answered last for those before a target; `null` where there are none. */
export function lastOfBefore(
  { after = [] }: Pick<Target, 'after'>,
  soFar: readonly Exchange[],
): Exchange | null {
  let last: Exchange | null = null;
  for (const before of after)
    for (const one of sortedOf(before, soFar).own)
      if (last === null || endedMs(one) > endedMs(last)) last = one;
  return last;
}

/** The name of a purpose where it is of one limit of several. */
export function purposeOfPart(purpose: string, part: string | undefined): string {
  return part === undefined ? purpose : `${purpose}${separator}${part}`;
}

const separator = '@';

const none: readonly Exchange[] = [];

type Sorting = {
  readonly asked: Set<string>;
  since: Since | null;
  /** How many exchanges of the history are sorted in. */
  read: number;
};

type Since = {
  readonly anchor: Exchange;
  readonly own: Exchange[];
  readonly byPurpose: Map<string, Exchange[]>;
  /** Of each part its exchanges, and the place of the first of them. */
  readonly byPart: Map<string, { readonly at: number; readonly own: Exchange[] }>;
  readonly limited: Set<string>;
};

const sortingOf = onceForBoth(
  (_soFar: readonly Exchange[], _target: Target): Sorting => ({ asked: new Set(), since: null, read: 0 }),
);

function sortIn(sorting: Sorting, target: Target, exchange: Exchange): void {
  const { key, purpose, scope, outcome } = exchange;
  if (scope === target.scope) sorting.asked.add(purpose);
  if (!isOwn(target, exchange)) return;
  if (purpose === 'preflight' && key === target.key) {
    sorting.since = {
      ...{ anchor: exchange, own: [], limited: new Set() },
      ...{ byPurpose: new Map(), byPart: new Map() },
    };
  }
  const { since } = sorting;
  if (since === null) return;
  if (outcome === 'limited') since.limited.add(purpose);
  const same = since.byPurpose.get(purpose);
  if (same === undefined) since.byPurpose.set(purpose, [exchange]);
  else same.push(exchange);
  const part = purpose.slice(purpose.lastIndexOf(separator) + 1);
  if (part !== purpose) {
    const ofPart = since.byPart.get(part);
    if (ofPart === undefined) since.byPart.set(part, { at: since.own.length, own: [exchange] });
    else ofPart.own.push(exchange);
  }
  since.own.push(exchange);
}

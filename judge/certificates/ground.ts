import { windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import type { Part, PartRule } from '../../contract/certificate.ts';
import { perSecondOf } from '../../contract/document/document.ts';
import type { Trace } from '../../contract/trace.ts';
import type { ClockSteps } from '../clock-steps.ts';
import type { Entry, Group } from '../entries.ts';
import { countWithin, everyBound } from '../intervals.ts';
import { explainedLengths } from '../lengths.ts';
import { spanOf } from '../span.ts';

/** What a proof about one group stands on. */
export type Ground = {
  readonly trace: Trace;
  readonly stepped: ClockSteps;
  readonly group: Group;
};

const secondMs = 1_000;

/** The longest, ms, that a cap that counts in whole seconds holds a place. */
const capLongestMs = windowMsAtMost(2 * secondMs);

/** An inequality; a number may be infinite. */
type Inequality = Pick<Part, 'relation'> & { readonly left: number; readonly right: number };

/** What a part says, and of which exchanges: those chosen, then all that its rule counts. */
type Said = Pick<Part, 'reading' | 'requestIds'> & Inequality;

export function partOf(rule: PartRule, { reading, requestIds, left, relation, right }: Said): Part {
  return { rule, reading, requestIds, left: finite(left), relation, right: finite(right) };
}

export function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

export function idOf({ exchange }: Entry): string {
  return exchange.requestId;
}

/** The ids of entries in the order of their group. */
export function idsOf(group: Group, entries: Iterable<Entry>): string[] {
  const wanted = new Set(entries);
  return group.explaining.filter((entry) => wanted.has(entry)).map(idOf);
}

/** Those of the entries, without one of them, that may have been counted from a moment on until the one was. */
export function within(entries: readonly Entry[], without: Entry, fromMs: number): readonly Entry[] {
  return entries.filter(
    (entry) => entry !== without && entry.lowMs <= without.highMs && entry.highMs >= fromMs,
  );
}

/** The `limit` + 1 admissions of the least span, in the order of the group; none where fewer were admitted. */
export function tightest(entries: readonly Entry[], limit: number): readonly Entry[] {
  return explainedLengths({ limit, entries, reading: 'not-counted', refusals: [] }).highBy();
}

/** Whether a cap per second may stand in the group by the document and the settings: then a proof has to rule it out. */
function capOf({ trace, group }: Ground): number | null {
  const { perSecond, document } = trace.header.deployment;
  return perSecond === 'average' ? null : perSecondOf(document, group.scope);
}

/**
 * Why no cap per second explains a refusal of the group: twice as many and one more were admitted within a second,
 * which no kind of cap lets pass; else each refusal has to be clear of other requests. `null` where there can be none.
 */
export function capPartOf(ground: Ground): Part | null {
  const perSecond = capOf(ground);
  if (perSecond === null) return null;
  const { group, stepped } = ground;
  const counted = tightest(group.entries, 2 * perSecond);
  const { ms, fromMs, toMs } = spanOf(counted);
  const right = windowMsAtLeast(secondMs);
  return counted.length > 0 && ms < right && !stepped(fromMs, toMs)
    ? partOf('no-cap', {
        reading: null,
        requestIds: idsOf(group, counted),
        left: ms,
        relation: '<',
        right,
      })
    : partOf('clear', { reading: null, requestIds: [], left: 0, relation: '<', right: 1 });
}

/** Whether nothing but the refusal itself was sent near it that a cap per second could have counted. */
export function isClear({ explaining }: Group, refusal: Entry): boolean {
  return countWithin(everyBound(explaining), refusal.lowMs - capLongestMs, refusal.highMs) === 1;
}

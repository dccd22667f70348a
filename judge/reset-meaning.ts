import { momentIn, type ResetUnit, resetIn } from '../contract/reset-units.ts';
import { observed, type Verdict } from '../contract/verdict.ts';
import type { Judge } from './case.ts';
import { concluded } from './conclude.ts';
import { countUpTo } from './counting.ts';
import type { Entry, Group } from './entries.ts';
import { boundsAdmitted } from './intervals.ts';

type Meaning = {
  readonly text: string;
  /** The moment for each entry of a group, asked for in the order in which they were sent. */
  readonly momentsOf: (group: Group) => (entry: Entry) => number;
};

/** Moments that Reset could stand for, by our clock; the first that fits all values is named. */
const meanings: readonly Meaning[] = [
  {
    text: 'the oldest request leaves the window',
    momentsOf: oldestLeaves,
  },
  { text: 'the window empties', momentsOf: newestLeaves },
  { text: 'one window from now', momentsOf: (group) => (entry) => entry.lowMs + group.windowMs },
  {
    text: 'the end of the wall-clock window',
    momentsOf:
      ({ windowMs }) =>
      (entry) =>
        (Math.floor(entry.lowMs / windowMs) + 1) * windowMs,
  },
  { text: 'now', momentsOf: () => (entry) => entry.lowMs },
];

/** Seconds by which a value may differ from the moment it stands for, by rounding and by the clocks. */
const tolerance = 1.6;

/** `headers.reset-meaning`: for groups with one clock offset near zero; else nothing is claimed. */
export const judgeResetMeaning: Judge = ({ analyses, headers: { names, unit } }) => {
  const full = analyses.filter(({ group }) => group.limited.length > 0);
  const parts = full.map(({ group }) => meaningOf(group, unit));
  return concluded(
    parts,
    `no full window carried ${unit === 'date' ? 'dates' : 'numbers'} in ${names.reset}`,
  );
};

function meaningOf(group: Group, unit: ResetUnit): Verdict | null {
  const { entries } = group;
  // By the positions of the entries; NaN where none is told.
  const resets = new Float64Array(entries.length);
  for (let at = 0; at < entries.length; at += 1) resets[at] = resetOf(entries[at] as Entry, unit);
  const isTold = (reset: number): boolean => !Number.isNaN(reset);
  if (resets.findIndex(isTold) === resets.findLastIndex(isTold)) return null;
  const found = meanings.find(({ momentsOf }) => {
    const momentMs = momentsOf(group);
    return entries.every(
      (entry, at) =>
        !isTold(resets[at] as number) ||
        Math.abs((resets[at] as number) - momentMs(entry) / 1_000) <= tolerance,
    );
  });
  return observed(found === undefined ? `${group.scope}: none of the usual meanings` : found.text);
}

function resetOf({ exchange, lowMs }: Entry, unit: ResetUnit): number {
  const told = exchange.receivedMs === null ? null : resetIn(unit, exchange);
  // Seconds to go begin at the answer.
  if (told === null) return Number.NaN;
  const reset = told + (lowMs / 1_000 - momentIn(unit, lowMs));
  // Of a request that may have been sent at any time: it is no moment that another one is compared with.
  return Number.isNaN(reset) ? Number.POSITIVE_INFINITY : reset;
}

/** Of the admissions that the window may still hold, the oldest; the request itself where there is none. */
function oldestLeaves({ admitted, windowMs }: Group): (entry: Entry) => number {
  let at = 0;
  return (entry) => {
    // What has left the window for one request has left it for all that are sent later.
    while (at < admitted.length && (admitted[at] as Entry).highMs <= entry.lowMs - windowMs) at += 1;
    const held = admitted[at];
    return (held !== undefined && held.lowMs <= entry.lowMs ? held : entry).lowMs + windowMs;
  };
}

function newestLeaves({ entries, windowMs }: Group): (entry: Entry) => number {
  const { lows } = boundsAdmitted(entries);
  return (entry) => (lows[countUpTo(lows, entry.lowMs) - 1] ?? entry.lowMs) + windowMs;
}

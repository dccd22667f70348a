import { momentIn, type ResetUnit, resetIn } from '../contract/reset-units.ts';
import { observed, type Verdict } from '../contract/verdict.ts';
import type { Analysis } from './analysis.ts';
import type { Judge } from './case.ts';
import { concluded } from './conclude.ts';
import { countUpTo } from './counting.ts';
import type { Entry, Group } from './entries.ts';
import { boundsAdmitted } from './intervals.ts';

/** `headers.reset-meaning`: for groups with one clock offset near zero; else nothing is claimed. */
export const judgeResetMeaning: Judge = ({ analyses, headers: { names, unit } }) => {
  const full = analyses.filter(({ group }) => group.limited.length > 0);
  const parts = full.map((one) => meaningOf(one, unit));
  return concluded(
    parts,
    `no full window carried ${unit === 'date' ? 'dates' : 'numbers'} in ${names.reset}`,
  );
};

function meaningOf({ group, promise }: Analysis, unit: ResetUnit): Verdict | null {
  const { entries } = group;
  const resets = new Float64Array(entries.length);
  for (let at = 0; at < entries.length; at += 1) resets[at] = resetOf(entries[at] as Entry, unit);
  if (resets.findIndex(isTold) === resets.findLastIndex(isTold)) return null;
  const usual = promise.kind === 'fixed' ? [...endsOfWindows, ...others] : [...others, ...endsOfWindows];
  const found = usual.find(({ fits }) => fits(group, resets));
  return observed(found === undefined ? `${group.scope}: none of the usual meanings` : found.text);
}

function isTold(reset: number): boolean {
  return !Number.isNaN(reset);
}

/** The values by the positions of the entries, s by our clock; NaN where none is told. */
type Resets = Float64Array;

type Meaning = { readonly text: string; readonly fits: (group: Group, resets: Resets) => boolean };

/** Seconds by which a value may differ from the moment it stands for, by rounding and by the clocks. */
const tolerance = 1.6;

/** A meaning that is one moment for each entry, ms, asked for in the order in which they were sent. */
function moment(text: string, momentsOf: (group: Group) => (entry: Entry) => number): Meaning {
  return {
    text,
    fits: (group, resets) => {
      const momentMs = momentsOf(group);
      return group.entries.every((entry, at) => {
        const reset = resets[at] as number;
        return !isTold(reset) || isNear(reset, momentMs(entry));
      });
    },
  };
}

function isNear(reset: number, ms: number): boolean {
  return Math.abs(reset - ms / 1_000) <= tolerance;
}

/** Moments that Reset could stand for; the first that fits all values is named. */
const others: readonly Meaning[] = [
  moment('the oldest request leaves the window', oldestLeaves),
  moment('the window empties', newestLeaves),
  moment(
    'one window from now',
    ({ windowMs }) =>
      (entry) =>
        entry.lowMs + windowMs,
  ),
  moment('the end of the wall-clock window', clockEnds),
  moment('now', () => (entry) => entry.lowMs),
];

/** Where windows begin anew these come first: in one window alone, its oldest request leaves when it ends. */
const endsOfWindows: readonly Meaning[] = [
  moment('the end of the wall-clock window', clockEnds),
  { text: 'the end of a window that began with a request', fits: areEndsOfBegun },
  { text: 'the end of a window with a phase of its own', fits: areEndsByPhase },
];

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

function clockEnds({ windowMs }: Group): (entry: Entry) => number {
  return (entry) => (Math.floor(entry.lowMs / windowMs) + 1) * windowMs;
}

/** A window begins with the first request after the one before. Near its end a request may be of either: its value tells. */
function areEndsOfBegun({ entries, windowMs }: Group, resets: Resets): boolean {
  const unsureMs = 1_000 * tolerance;
  let endMs = Number.NEGATIVE_INFINITY;
  return entries.every(({ lowMs, highMs }, at) => {
    const reset = resets[at] as number;
    const isOver = lowMs > endMs + unsureMs;
    const mayBeOver = isTold(reset) && highMs >= endMs - unsureMs && !isNear(reset, endMs);
    if (isOver || mayBeOver) endMs = lowMs + windowMs;
    return !isTold(reset) || isNear(reset, endMs);
  });
}

/** In windows of fewer seconds a value is near an end by any phase. */
const phaseSecondsMin = 8 * tolerance;

/** Windows of one length one after another. One alone tells of no phase: any moment within it may be its end. */
function areEndsByPhase({ entries, windowMs }: Group, resets: Resets): boolean {
  const seconds = windowMs / 1_000;
  const first = resets.find(isTold) ?? Number.NaN;
  const windowsSince = (reset: number): number => Math.round((reset - first) / seconds);
  if (seconds < phaseSecondsMin || resets.every((reset) => !isTold(reset) || windowsSince(reset) === 0))
    return false;
  return entries.every(({ lowMs }, at) => {
    const reset = resets[at] as number;
    if (!isTold(reset)) return true;
    const toGo = reset - lowMs / 1_000;
    const isNext = toGo >= -tolerance && toGo <= seconds + tolerance;
    return isNext && isNear(reset, 1_000 * (first + windowsSince(reset) * seconds));
  });
}

import { resetSeconds } from '../contract/rate-limit-headers.ts';
import { observed, type Verdict } from '../contract/verdict.ts';
import type { Analysis } from './attribution.ts';
import type { Judge } from './case.ts';
import { concluded } from './conclude.ts';
import type { Entry, Group } from './entries.ts';

type Meaning = { readonly text: string; readonly atMs: (entry: Entry, group: Group) => number };

/** Moments that Reset could stand for, by our clock; the first that fits all values is named. */
const meanings: readonly Meaning[] = [
  {
    text: 'the oldest request leaves the window',
    atMs: (entry, group) => oldestMs(entry, group) + group.windowMs,
  },
  { text: 'the window empties', atMs: (entry, group) => newestMs(entry, group) + group.windowMs },
  { text: 'one window from now', atMs: (entry, group) => entry.lowMs + group.windowMs },
  {
    text: 'the end of the wall-clock window',
    atMs: (entry, { windowMs }) => (Math.floor(entry.lowMs / windowMs) + 1) * windowMs,
  },
  { text: 'now', atMs: (entry) => entry.lowMs },
];

/** Seconds by which a value may differ from the moment it stands for, by rounding and by the clocks. */
const tolerance = 1.6;

/** `headers.reset-meaning`: for groups with one clock offset near zero; else nothing is claimed. */
export const judgeResetMeaning: Judge = ({ analyses }) => {
  const parts = analyses.filter(({ group }) => group.limited.length > 0).map(meaningOf);
  return concluded(parts, 'no full window carried numbers in X-RateLimit-Reset');
};

function meaningOf({ group }: Analysis): Verdict | null {
  const carrying = group.entries.flatMap((entry) => {
    const reset = entry.exchange.receivedMs === null ? null : resetSeconds(entry.exchange);
    return reset === null ? [] : [{ entry, reset }];
  });
  if (carrying.length < 2) return null;
  const found = meanings.find(({ atMs }) =>
    carrying.every(({ entry, reset }) => Math.abs(reset - atMs(entry, group) / 1_000) <= tolerance),
  );
  return observed(found === undefined ? `${group.scope}: none of the usual meanings` : found.text);
}

/** Of the admissions the window may still hold, the oldest; the request itself where there is none. */
function oldestMs(entry: Entry, group: Group): number {
  const inWindow = group.admitted.find(
    (other) => other.highMs > entry.lowMs - group.windowMs && other.lowMs <= entry.lowMs,
  );
  return (inWindow ?? entry).lowMs;
}

function newestMs(entry: Entry, group: Group): number {
  const before = group.admitted.findLast((other) => other.lowMs <= entry.lowMs);
  return (before ?? entry).lowMs;
}

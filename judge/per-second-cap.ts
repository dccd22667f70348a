import { bounds } from '../contract/bounds.ts';
import type { Deployment } from '../contract/deployment.ts';
import { perSecondOf } from '../contract/document/document.ts';
import type { ClockSteps } from './clock-steps.ts';
import type { Entry, Group } from './entries.ts';
import { acrossStep, lengthsOf } from './fits.ts';
import { forEachReach, neededMsOf } from './lengths.ts';

type Setting = { readonly deployment: Deployment; readonly stepped: ClockSteps };

const secondMs = 1_000;

/** What a figure per second can cap; the document does not say which. Named as people name them. */
const kinds = [
  { name: 'a rolling second', admits: rolling },
  { name: 'a second of the clock', admits: calendar },
  { name: 'a token bucket', admits: tokenBucket },
  { name: 'a gap between requests', admits: gap },
] as const;

/** That more than `count` were admitted within less than `spanMs` refutes a kind of cap. */
type Most = { readonly count: number; readonly spanMs: number };

function rolling(cap: number): readonly Most[] {
  return [{ count: cap, spanMs: secondMs }];
}

/** Less than a second lies in two seconds of the clock at most. */
function calendar(cap: number): readonly Most[] {
  return [{ count: 2 * cap, spanMs: secondMs }];
}

/** A full bucket holds `cap` tokens, and another comes back every `1 / cap` of a second. */
function tokenBucket(cap: number): readonly Most[] {
  return Array.from({ length: cap }, (_, at) => ({
    count: cap + at,
    spanMs: ((at + 1) * secondMs) / cap,
  }));
}

function gap(cap: number): readonly Most[] {
  return [{ count: 1, spanMs: secondMs / cap }];
}

/** What the admissions of a group leave never changes within one case, and three ask for it. */
const known = new WeakMap<Group, { readonly setting: Setting; readonly caps: readonly string[] }>();

/** The kinds of cap that the admissions of a group leave, by name; none where the settings say that there is no cap. */
export function capsLeft(group: Group, { deployment, stepped }: Setting): readonly string[] {
  const before = known.get(group);
  if (before?.setting.deployment === deployment && before.setting.stepped === stepped) return before.caps;
  const caps = capsLeftAnew(group, { deployment, stepped });
  known.set(group, { setting: { deployment, stepped }, caps });
  return caps;
}

function capsLeftAnew(group: Group, { deployment, stepped }: Setting): readonly string[] {
  const cap = perSecondOf(deployment.document, group.scope);
  if (cap === null || deployment.perSecond === 'average') return [];
  return kinds
    .filter(({ admits }) =>
      admits(cap).every(({ count, spanMs }) => {
        const { highMs, highBy } = lengthsOf(group, 'not-counted', [], count);
        return highMs >= spanMs || acrossStep(highBy(), group, stepped);
      }),
    )
    .map(({ name }) => name);
}

/**
 * The refusals that such a cap may have caused: all with another request shortly before them. One is enough, since a gap
 * of a part of a second is a cap too, and what counts in whole seconds holds it for up to two.
 */
export function cappable(group: Group, setting: Setting): ReadonlySet<Entry> {
  if (capsLeft(group, setting).length === 0) return new Set();
  const longestMs = secondMs + bounds.granularityMs;
  // Somebody else's last requests may fill the first second.
  const ownFromMs = setting.deployment.exclusiveKeys
    ? (group.entries[0]?.lowMs ?? 0) + longestMs
    : Number.POSITIVE_INFINITY;
  const { explaining, limited } = group;
  const mayBe = new Set(limited);
  const history = { limit: 1, entries: explaining, reading: 'counted', refusals: limited } as const;
  forEachReach(history, (refusal, fromMs) => {
    if (refusal.lowMs >= ownFromMs && neededMsOf(refusal, fromMs) > longestMs) mayBe.delete(refusal);
  });
  return mayBe;
}

import { bounds } from '../contract/bounds.ts';
import type { Deployment } from '../contract/deployment.ts';
import { documentedPerSecond } from '../contract/scopes.ts';
import type { ClockSteps } from './clock-steps.ts';
import type { Entry, Group } from './entries.ts';
import { acrossStep, lengthsOf } from './fits.ts';
import { readings } from './lengths.ts';

type Setting = { readonly deployment: Deployment; readonly stepped: ClockSteps };

/**
 * The cap that the document may mean by its figure per second; `null` where the settings say that there is none, or
 * where admissions lie closer together than it allows.
 */
export function standingCap(group: Group, setting: Setting): number | null {
  const cap = documentedPerSecond[group.scope];
  if (cap === null || setting.deployment.perSecond === 'average') return null;
  const { highMs, highBy } = lengthsOf(group, 'not-counted', [], cap);
  return highMs < secondMs && !acrossStep(highBy, group, setting.stepped) ? null : cap;
}

const secondMs = 1_000;

/** The refusals that such a cap may have caused. */
export function cappable(group: Group, setting: Setting): ReadonlySet<Entry> {
  const cap = standingCap(group, setting);
  if (cap === null) return new Set();
  const longestMs = secondMs + bounds.granularityMs;
  // Somebody else's last requests may fill the first second.
  const ownFromMs = setting.deployment.exclusiveKeys
    ? (group.entries[0]?.lowMs ?? 0) + longestMs
    : Number.POSITIVE_INFINITY;
  const fits = (refusal: Entry): boolean =>
    refusal.lowMs < ownFromMs ||
    readings.some((reading) => lengthsOf(group, reading, [refusal], cap).lowMs <= longestMs);
  return new Set(group.limited.filter(fits));
}

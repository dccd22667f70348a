import { bounds, windowMsAtLeast, windowMsAtMost } from '../contract/bounds.ts';
import { promiseIn } from '../contract/document/document.ts';
import type { Damage, Verdict } from '../contract/verdict.ts';
import type { Case } from './case.ts';
import type { Group } from './entries.ts';
import { groupsShownFirst, ownScenarioOf } from './group-shown.ts';
import { countWithin } from './intervals.ts';
import { boundsThatMayCount, readings } from './lengths.ts';
import { mostAdmitted } from './most-admitted.ts';

const overAdmitted: ReadonlySet<string> = new Set([
  'over-admission',
  'counted-apart',
  'counted-per-node',
  'early-return',
  'too-short',
]);

const wronglyRefused: ReadonlySet<string> = new Set([
  'wrongful-429',
  'late-return',
  'too-long',
  'one-window-for-scopes',
  'one-window-for-keys',
]);

/** A violation of the count with the worst of it beside its smallest proof; every other verdict as it is. */
export function withDamage(clause: string, subject: Case, verdict: Verdict): Verdict {
  if (verdict.kind !== 'violated') return verdict;
  const { reason, evidence } = verdict;
  const damageIn = damageByReason(reason);
  if (damageIn === null) return verdict;
  const [group] = groupsShownFirst(subject, evidence.exchanges, ownScenarioOf(clause));
  const damage = group === undefined || !isOfRolling(subject, group) ? null : damageIn(group);
  return damage === null ? verdict : { ...verdict, evidence: { ...evidence, damage } };
}

/** The worst is counted in rolling windows: where the limit is another, as many may be allowed. */
function isOfRolling({ trace }: Case, { scope }: Group): boolean {
  const { kind } = promiseIn(trace.header.deployment.document, scope);
  return kind === 'rolling' || kind === 'at-most' || kind === 'at-least';
}

function damageByReason(reason: string): ((group: Group) => Damage | null) | null {
  if (overAdmitted.has(reason)) return admissionDamage;
  return wronglyRefused.has(reason) ? refusalDamage : null;
}

function admissionDamage({ admitted, windowMs, limit }: Group): Damage | null {
  const worst = mostAdmitted(admitted, windowMsAtLeast(windowMs));
  return worst === null ? null : { kind: 'admitted', most: worst.count, withinMs: worst.spanMs, limit };
}

/** By the reading that counts more, where a refusal had room under it: then it had under the other too. */
function refusalDamage({ entries, limited, limit, windowMs, settledMs }: Group): Damage | null {
  const reachMs = windowMsAtMost(windowMs + bounds.granularityMs);
  for (const reading of readings.toReversed()) {
    const mayCount = boundsThatMayCount(entries, reading);
    const own = reading === 'counted' ? 1 : 0;
    const before = limited
      .filter(({ lowMs }) => lowMs >= settledMs)
      .map(({ lowMs, highMs }) => countWithin(mayCount, lowMs - reachMs, highMs) - own)
      .filter((count) => count < limit);
    if (before.length === 0) continue;
    const fewestBefore = before.reduce((least, count) => Math.min(least, count));
    return { kind: 'refused', refusals: before.length, fewestBefore, limit };
  }
  return null;
}

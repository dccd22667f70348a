import { bounds } from '../../contract/bounds.ts';
import type { Part } from '../../contract/certificate.ts';
import { blamePartsOf } from './blame-part.ts';
import { capPartOf, type Ground } from './ground.ts';
import { overAdmission, refutedByRefusals, restsOnRefusals } from './refutations.ts';

/** Reasons of the count, and which deviation proves each. */
const deviations = new Map<string, 'over-admission' | 'refusal' | 'whole-seconds'>([
  ['over-admission', 'over-admission'],
  ['counted-apart', 'over-admission'],
  ['counted-per-node', 'over-admission'],
  ['early-return', 'over-admission'],
  ['too-short', 'over-admission'],
  ['wrongful-429', 'refusal'],
  ['late-return', 'refusal'],
  ['too-long', 'refusal'],
  ['one-window-for-scopes', 'refusal'],
  ['one-window-for-keys', 'refusal'],
  ['whole-seconds', 'whole-seconds'],
]);

/** Reasons that are the deviation itself. */
const unblamed: ReadonlySet<string> = new Set(['over-admission', 'wrongful-429', 'whole-seconds']);

/** The proof of a deviation of the count; `null` where the trace does not give one for this reason. */
export function countProof(ground: Ground, reason: string): readonly Part[] | null {
  const deviation = deviations.get(reason);
  const cap = capPartOf(ground);
  const refutations =
    deviation === 'over-admission'
      ? overAdmitted(ground)
      : refutedByRefusals(ground, deviation === 'refusal' ? bounds.granularityMs : 0, cap);
  if (refutations === null) return null;
  const blame = unblamed.has(reason) ? [] : blamePartsOf(ground, reason);
  if (blame === null) return null;
  const capParts = cap !== null && refutations.some(restsOnRefusals) ? [cap] : [];
  return [...refutations, ...capParts, ...blame];
}

function overAdmitted(ground: Ground): readonly [Part, Part] | null {
  const notCounted = overAdmission(ground, 'not-counted');
  return notCounted === null ? null : [notCounted, { ...notCounted, reading: 'counted' }];
}

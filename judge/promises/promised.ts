import { costOfAll } from '../../contract/document/cost.ts';
import type { LimitPromise } from '../../contract/document/further-limit.ts';
import type { Analysis, Attribution, Setting } from '../analysis.ts';
import { plateauOf } from '../blame.ts';
import { type Entry, type Group, mergedEntries, plainEntry } from '../entries.ts';
import { evidenceOf, exchangesOf } from '../evidence.ts';
import { acrossStep, judgedRefusals } from '../fits.ts';
import { readings } from '../lengths.ts';
import { countedGroup } from '../outer.ts';
import { contradictionOf, limitBlamedBy } from './contradicted.ts';
import { eachOnce, inUnits } from './in-units.ts';
import type { BlamedPart } from './prover.ts';

/**
 * The analysis of a group whose limit is no rolling window: the clause of its scope answers for all of it, but where another
 * scope, or key, that may share its window explains what it alone does not.
 */
export function analysePromised(group: Group, promise: LimitPromise, setting: Setting): Analysis {
  const isSoleUser = setting.deployment.exclusiveKeys;
  return {
    group,
    promise,
    attribution: attributionOf(group, promise, setting),
    readings,
    measured: null,
    judgedRefusals: isSoleUser ? judgedRefusals(group).length : 0,
    isSoleUser,
    capStands: false,
    capsLeft: [],
    mayBeCapped: [],
  };
}

function attributionOf(group: Group, promise: LimitPromise, setting: Setting): Attribution {
  const found = contradictionOf(group, promise, setting.deployment);
  if (found === null) return { kind: 'explained', granularity: 'none' };
  if (acrossStep(found.by.map(ended), group, setting.stepped))
    return { kind: 'unsure', reason: 'the clock of this machine jumped during the run: run it again' };
  const evidence = evidenceOf(found.expected, found.observed, exchangesOf(eachOnce(found.by)));
  const blamed = (
    clause: Extract<Attribution, { kind: 'blamed' }>['clause'],
    reason: string,
  ): Attribution => ({
    kind: 'blamed',
    ...{ clause, reason, evidence },
  });
  if (found.kind === 'wrongful-429' && !isOtherLimit(group, promise, setting, found.part)) {
    const isTogether = (others: readonly Group[]): boolean =>
      others.length > 0 && contradictionOf(withOthers(group, others), promise, setting.deployment) === null;
    if (isTogether(setting.otherScopes)) return blamed('limits.per-scope', 'one-window-for-scopes');
    if (isSeldomUsed(group, promise) && isTogether(setting.otherKeys))
      return blamed('limits.per-key', 'one-window-for-keys');
  }
  return blamed(limitBlamedBy(found, group.scope, promise), found.kind);
}

/** Of several limits one may refuse a key as if others used it too; what was sent alone while another key was full tells them apart. */
function isSeldomUsed({ admitted }: Group, promise: LimitPromise): boolean {
  return (
    promise.kind !== 'several' || promise.parts.every(({ limit }) => costOfAll(exchangesOf(admitted)) < limit)
  );
}

/** Of a request that was never answered, the moment of sending alone says what the clocks were at. */
function ended(entry: Entry): Entry {
  return Number.isFinite(entry.highMs) ? entry : { ...plainEntry(entry), highMs: entry.lowMs };
}

/**
 * Whether another limit explains everything: what was admitted before the first 429; of several, the one that was found
 * for the one that is blamed.
 */
function isOtherLimit(
  group: Group,
  promise: LimitPromise,
  setting: Setting,
  blamed: BlamedPart | undefined,
): boolean {
  const isKept = (other: LimitPromise, limit: number): boolean =>
    contradictionOf({ ...group, limit }, other, setting.deployment) === null;
  if (promise.kind === 'several') {
    const { name, instead } = blamed ?? { name: null, instead: null };
    if (instead === null) return false;
    if (name === null) return isKept(promise, instead);
    const [first, ...further] = promise.parts;
    const lowered = further.map((part) => (part.name === name ? { ...part, limit: instead } : part));
    return isKept({ kind: promise.kind, parts: [first, ...lowered] }, group.limit);
  }
  const limit = plateauOf(inUnits(group));
  return limit !== group.limit && limit !== 0 && isKept(promise, limit);
}

/** A group as one window would see it that counts others too: what was admitted of those may explain its refusals. */
function withOthers(group: Group, others: readonly Group[]): Group {
  const counted = countedGroup(group);
  const entries = mergedEntries([counted, ...others]);
  const { outer: _outer, ...alone } = counted;
  return { ...alone, entries, explaining: entries };
}

import type { LimitPromise } from '../../contract/document/promise.ts';
import type { Analysis, Attribution, Setting } from '../analysis.ts';
import { plateauOf } from '../blame.ts';
import { type Entry, type Group, mergedEntries } from '../entries.ts';
import { evidenceOf, exchangesOf } from '../evidence.ts';
import { acrossStep, judgedRefusals } from '../fits.ts';
import { readings } from '../lengths.ts';
import { promisedOf } from './promised-group.ts';
import { proverOf } from './provers.ts';

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
    mayBeCapped: new Set(),
  };
}

function attributionOf(group: Group, promise: LimitPromise, setting: Setting): Attribution {
  const prove = proverOf(promise);
  const found = prove(promisedOf(group, setting.deployment));
  if (found === null) return { kind: 'explained', granularity: 'none' };
  if (acrossStep(found.by.map(ended), group, setting.stepped))
    return { kind: 'unsure', reason: 'the clock of this machine jumped during the run: run it again' };
  const evidence = evidenceOf(found.expected, found.observed, exchangesOf(found.by));
  const blamed = (
    clause: Extract<Attribution, { kind: 'blamed' }>['clause'],
    reason: string,
  ): Attribution => ({
    kind: 'blamed',
    ...{ clause, reason, evidence },
  });
  if (found.kind === 'wrongful-429' && !isOtherLimit(group, promise, setting)) {
    const isTogether = (others: readonly Group[]): boolean =>
      others.length > 0 && prove(promisedOf(withOthers(group, others), setting.deployment)) === null;
    if (isTogether(setting.otherScopes)) return blamed('limits.per-scope', 'one-window-for-scopes');
    if (isTogether(setting.otherKeys)) return blamed('limits.per-key', 'one-window-for-keys');
  }
  return blamed(`limits.${group.scope}`, found.kind);
}

/** Of a request that was never answered, the moment of sending alone says what the clocks were at. */
function ended(entry: Entry): Entry {
  return Number.isFinite(entry.highMs) ? entry : { ...entry, highMs: entry.lowMs };
}

/** Whether another limit, what was admitted before the first 429, explains everything. */
function isOtherLimit(group: Group, promise: LimitPromise, setting: Setting): boolean {
  const limit = plateauOf(group);
  if (limit === group.limit || limit === 0) return false;
  return proverOf(promise)(promisedOf({ ...group, limit }, setting.deployment)) === null;
}

/** A group as one window would see it that counts others too: what was admitted of those may explain its refusals. */
function withOthers(group: Group, others: readonly Group[]): Group {
  const entries = mergedEntries([group, ...others]);
  return { ...group, entries, explaining: entries };
}

import type { Part } from '../../contract/certificate.ts';
import type { Trace } from '../../contract/trace.ts';
import type { Case } from '../case.ts';
import { type Entry, type Group, straysOf } from '../entries.ts';
import { placesLeft } from '../places-left.ts';
import { capPartOf, idOf, isClear, partOf } from './ground.ts';

/** The proof that a 429 came while the service's own Remaining left places; `null` where the trace gives none. */
export function placesLeftProof(subject: Case, group: Group): readonly Part[] | null {
  const { trace, stepped } = subject;
  const cap = capPartOf({ trace, stepped, group });
  if (!trace.header.deployment.exclusiveKeys) return null;
  if (cap?.rule === 'clear' && !group.limited.every((entry) => isClear(group, entry))) return null;
  const left = placesLeft(group, besideOf(subject, group));
  if (left === null || stepped(left.answer.lowMs, left.refusal.highMs)) return null;
  const { answer, refusal, since, remaining } = left;
  const counted = inOrder(trace, since);
  const part = partOf('places-left', {
    reading: null,
    requestIds: [idOf(answer), idOf(refusal), ...counted.map(idOf)],
    left: counted.length,
    relation: '<',
    right: remaining,
  });
  return cap === null ? [part] : [part, cap];
}

/** Entries of several groups, each once, in the order of sending. */
function inOrder(trace: Trace, entries: readonly Entry[]): readonly Entry[] {
  const places = new Map(trace.exchanges.map(({ requestId }, place) => [requestId, place]));
  const place = (entry: Entry): number => places.get(idOf(entry)) ?? 0;
  return [...new Set(entries)].sort(
    (left, right) =>
      left.lowMs - right.lowMs || left.exchange.index - right.exchange.index || place(left) - place(right),
  );
}

/** What else may have taken a place of a group: of groups not shown to be apart, and of its key to other paths. */
function besideOf({ analyses, scopesApart, keysApart }: Case, group: Group): readonly Entry[] {
  const others = analyses.map((one) => one.group).filter((other) => other !== group);
  return others.flatMap((other) => {
    const { key, scope, entries } = other;
    const mayShare =
      (key === group.key && scopesApart === null) || (scope === group.scope && keysApart === null);
    if (mayShare) return entries;
    return key === group.key ? straysOf(other) : [];
  });
}

import type { Proof } from '../../contract/certificate.ts';
import type { Case } from '../case.ts';
import type { Entry, Group } from '../entries.ts';
import { placesLeft } from '../places-left.ts';
import { capPartOf, isClear } from './ground.ts';

/** The proof that a 429 came while the service's own Remaining left places; `null` where the trace gives none. */
export function placesLeftProof(subject: Case, group: Group): Proof | null {
  const { trace, stepped } = subject;
  const cap = capPartOf({ trace, stepped, group });
  if (!trace.header.deployment.exclusiveKeys) return null;
  if (cap?.kind === 'clear' && !group.limited.every((entry) => isClear(group, entry))) return null;
  const left = placesLeft(group, besideOf(subject, group));
  if (left === null || stepped(left.answer.lowMs, left.refusal.highMs)) return null;
  const { answer, refusal, since, remaining } = left;
  return {
    rule: 'places-left',
    answer: answer.exchange.requestId,
    refusal: refusal.exchange.requestId,
    since: [...new Set(since)].map(({ exchange }) => exchange.requestId).sort(),
    cap,
    inequality: { left: new Set(since).size, relation: '<', right: remaining },
  };
}

/** What else may have taken a place of a group: of groups not shown to be apart, and of its key to other paths. */
function besideOf({ analyses, scopesApart, keysApart }: Case, group: Group): readonly Entry[] {
  const others = analyses.map((one) => one.group).filter((other) => other !== group);
  return others.flatMap(({ key, scope, entries }) => {
    const mayShare =
      (key === group.key && scopesApart === null) || (scope === group.scope && keysApart === null);
    if (mayShare) return entries;
    return key === group.key ? entries.filter(({ exchange }) => exchange.route !== 'main') : [];
  });
}

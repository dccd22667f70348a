import { waitIsOverMs } from '../../contract/bounds.ts';
import type { Part } from '../../contract/certificate.ts';
import { announcedSeconds } from '../../contract/error-body.ts';
import type { Entry } from '../entries.ts';
import { type Reading, readings } from '../lengths.ts';
import { capPartOf, type Ground, idOf, mayCountUnder, partOf } from './ground.ts';
import { refutationOf, restsOnRefusals } from './refutations.ts';

/** The proof that a wait as long as a 429 asked for was in vain; `null` where the trace gives none. */
export function promiseProof(ground: Ground): readonly Part[] | null {
  if (!ground.trace.header.deployment.exclusiveKeys) return null;
  const cap = capPartOf(ground);
  const parts = readings.map((reading) => pairUnder(ground, reading) ?? refutationOf(ground, reading, cap));
  const proved = parts.filter((part) => part !== null);
  if (proved.length < parts.length || !proved.some(({ rule }) => rule === 'waited')) return null;
  return cap !== null && proved.some(restsOnRefusals) ? [...proved, cap] : proved;
}

/** Two 429s, the wait of the first over before the second, and nothing that may have taken the place. */
function pairUnder({ group, stepped }: Ground, reading: Reading): Part | null {
  const counting = mayCountUnder(group.explaining, reading);
  const announced = group.limited.flatMap((entry) => {
    const seconds = announcedSeconds(entry.exchange);
    return seconds === null ? [] : [{ entry, seconds, dueMs: waitIsOverMs(entry.highMs, seconds) }];
  });
  for (const again of group.limited) {
    const due = announced.filter(({ dueMs }) => dueMs <= again.lowMs);
    const found = due.find(
      ({ entry }) => isUndisturbed(counting, entry, again) && !stepped(entry.lowMs, again.highMs),
    );
    if (found === undefined) continue;
    return partOf('waited', {
      reading,
      requestIds: [idOf(found.entry), idOf(again)],
      left: found.dueMs,
      relation: '<=',
      right: again.lowMs,
    });
  }
  return null;
}

function isUndisturbed(counting: readonly Entry[], first: Entry, again: Entry): boolean {
  return counting.every(
    (entry) => entry === first || entry === again || entry.lowMs > again.highMs || entry.highMs < first.lowMs,
  );
}

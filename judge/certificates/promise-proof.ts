import { waitIsOverMs } from '../../contract/bounds.ts';
import type { Part } from '../../contract/certificate.ts';
import { announcedSeconds } from '../../contract/error-body.ts';
import { countUpTo } from '../counting.ts';
import type { Entry } from '../entries.ts';
import { countWithin } from '../intervals.ts';
import { boundsThatMayCount, type Reading, readings } from '../lengths.ts';
import { capPartOf, type Ground, idOf, partOf } from './ground.ts';
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

type Announced = { readonly entry: Entry; readonly dueMs: number };

/** Two 429s, the wait of the first over before the second, and nothing that may have taken the place. */
function pairUnder({ group, stepped }: Ground, reading: Reading): Part | null {
  const announced = latestSent(inOrderOfDue(group.limited));
  const dues = Float64Array.from(announced, ({ dueMs }) => dueMs);
  const counted = boundsThatMayCount(group.explaining, reading);
  // The two themselves count where rejections do.
  const own = reading === 'counted' ? 2 : 0;
  for (const again of group.limited) {
    // Whatever came since the one that was sent last came since all the others too.
    const first = announced[countUpTo(dues, again.lowMs) - 1]?.latest;
    if (first === undefined || countWithin(counted, first.entry.lowMs, again.highMs) > own) continue;
    if (stepped(first.entry.lowMs, again.highMs)) continue;
    return partOf('waited', {
      reading,
      requestIds: [idOf(first.entry), idOf(again)],
      left: first.dueMs,
      relation: '<=',
      right: again.lowMs,
    });
  }
  return null;
}

/** The 429s that say how long to wait, by when their waits are over. */
function inOrderOfDue(limited: readonly Entry[]): readonly Announced[] {
  return limited
    .flatMap((entry) => {
      const seconds = announcedSeconds(entry.exchange);
      return seconds === null ? [] : [{ entry, dueMs: waitIsOverMs(entry.highMs, seconds) }];
    })
    .sort((left, right) => left.dueMs - right.dueMs);
}

/** With each the one that was sent last, of it and all before it. */
function latestSent(
  announced: readonly Announced[],
): readonly (Announced & { readonly latest: Announced })[] {
  let latest: Announced | undefined;
  return announced.map((one) => {
    if (latest === undefined || one.entry.lowMs >= latest.entry.lowMs) latest = one;
    return { ...one, latest };
  });
}

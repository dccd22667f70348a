import { waitIsOverMs } from '../../contract/bounds.ts';
import type { PromisePair, Proof } from '../../contract/certificate.ts';
import { announcedSeconds } from '../../contract/error-body.ts';
import type { Entry } from '../entries.ts';
import { type Reading, readings } from '../lengths.ts';
import { capPartOf, type Ground, mayCountUnder } from './ground.ts';
import { refutationOf, restsOnRefusals } from './refutations.ts';

/** The proof that a wait as long as a 429 asked for was in vain; `null` where the trace gives none. */
export function promiseProof(ground: Ground): Proof | null {
  if (!ground.trace.header.deployment.exclusiveKeys) return null;
  const cap = capPartOf(ground);
  const parts = readings.map((reading) => {
    const pair = pairUnder(ground, reading);
    return { reading, refuted: pair === null ? refutationOf(ground, reading, cap) : null, pair };
  });
  const isProved = parts.every(({ refuted, pair }) => refuted !== null || pair !== null);
  if (!isProved || parts.every(({ pair }) => pair === null)) return null;
  const needsCap = parts.some(({ refuted }) => restsOnRefusals(refuted));
  return { rule: 'promise', readings: parts, cap: needsCap ? cap : null };
}

/** Two 429s, the wait of the first over before the second, and nothing that may have taken the place. */
function pairUnder({ group, stepped }: Ground, reading: Reading): PromisePair | null {
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
    return {
      first: found.entry.exchange.requestId,
      again: again.exchange.requestId,
      seconds: found.seconds,
      inequality: { left: again.lowMs, relation: '>=', right: found.dueMs },
    };
  }
  return null;
}

function isUndisturbed(counting: readonly Entry[], first: Entry, again: Entry): boolean {
  return counting.every(
    (entry) => entry === first || entry === again || entry.lowMs > again.highMs || entry.highMs < first.lowMs,
  );
}

import type { Arrival } from '../../contract/clients/trace.ts';
import type { ClientRequest } from './requests.ts';

/** Whether a client has more to ask: it was refused to the last, or has no answer. */
export function isUnanswered(last: Arrival | undefined): boolean {
  return last === undefined || last.status === null || last.status === 429;
}

/**
 * Requests that got no other answer than a refusal, for each of which one more came later that holds the same, by another
 * Idempotency-Key: that one may be its retry.
 */
export function renamedAmong(requests: readonly ClientRequest[]): ReadonlySet<ClientRequest> {
  const renamed = new Set<ClientRequest>();
  const keyed = requests.filter(({ isOne, arrivals }) => isOne && arrivals[0]?.content !== undefined);
  for (const same of Map.groupBy(keyed, ({ key, arrivals }) => `${key} ${arrivals[0]?.content}`).values()) {
    const refused = same
      .filter(({ admitted, arrivals }) => admitted === 0 && isUnanswered(arrivals.at(-1)))
      .toSorted((left, right) => endMs(left) - endMs(right));
    let at = 0;
    // They stand in the order in which they began.
    for (const next of same) {
      const before = refused[at];
      if (before === undefined || endMs(before) >= beginMs(next)) continue;
      renamed.add(before);
      at += 1;
    }
  }
  return renamed;
}

function beginMs({ arrivals }: ClientRequest): number {
  return arrivals[0]?.arrivedMs ?? Number.POSITIVE_INFINITY;
}

function endMs({ arrivals }: ClientRequest): number {
  const last = arrivals.at(-1);
  return last?.answeredMs ?? last?.arrivedMs ?? Number.POSITIVE_INFINITY;
}

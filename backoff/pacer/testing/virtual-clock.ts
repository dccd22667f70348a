import type { QueueClock } from '../queue.ts';

/** A clock that jumps from one due call to the next. Calls that are due at one moment come in the order of asking. */
export type VirtualClock = QueueClock & {
  /** Makes every call that is due until a moment, or until none is left; throws beyond a million, which no test has. */
  run(untilMs?: number): void;
};

type Due = { readonly atMs: number; readonly order: number; readonly call: () => void };

const callsMax = 1_000_000;

export function virtualClock(startMs = 0): VirtualClock {
  const due = new Set<Due>();
  let nowMs = startMs;
  let orders = 0;
  const earliest = (): Due | null => {
    let first: Due | null = null;
    for (const one of due) {
      const isEarlier =
        first === null || one.atMs < first.atMs || (one.atMs === first.atMs && one.order < first.order);
      if (isEarlier) first = one;
    }
    return first;
  };
  return {
    nowMs: () => nowMs,
    at(atMs, call) {
      const one = { atMs: Math.max(atMs, nowMs), order: orders, call };
      orders += 1;
      due.add(one);
      return { cancel: () => void due.delete(one) };
    },
    run(untilMs = Number.POSITIVE_INFINITY) {
      let calls = 0;
      for (let next = earliest(); next !== null && next.atMs <= untilMs; next = earliest()) {
        calls += 1;
        if (calls > callsMax) throw new Error('this never ends');
        due.delete(next);
        nowMs = next.atMs;
        next.call();
      }
    },
  };
}

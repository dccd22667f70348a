import { type PacerSettings, placeMarginMs } from '../pacer/pacer.ts';
import { createQueue, type Queue, type QueueClock } from '../pacer/queue.ts';
import type { ScopeRule } from './scopes.ts';
import { ownMaxOf, type PacedSettings } from './settings.ts';

/** The queues of one process, one for each scope and key. */
export type Queues = {
  of(scope: string, key: string): Queue;
  waiting(): number;
  room(): Promise<void>;
};

/** Queues that are kept before idle ones are looked for. */
const queuesKept = 64;

export function createQueues(settings: PacedSettings, clock: QueueClock): Queues {
  const queues = new Map<string, Queue>();
  const roomWanted = new Set<() => void>();
  let sweepAt = queuesKept;

  const isRoomy = (): boolean =>
    [...queues.values()].every((queue) => queue.waiting <= settings.queueMax / 2);
  const onShorter = (): void => {
    if (roomWanted.size === 0 || !isRoomy()) return;
    for (const resolve of roomWanted) resolve();
    roomWanted.clear();
  };
  /** Keys come and go: what is as good as new is dropped, each time that there are twice as many. */
  const sweep = (): void => {
    for (const [name, queue] of queues) if (queue.idleFromMs() <= clock.nowMs()) queues.delete(name);
    sweepAt = Math.max(queuesKept, 2 * queues.size);
  };

  return {
    of(scope, key) {
      const name = JSON.stringify([scope, key]);
      const known = queues.get(name);
      if (known !== undefined) return known;
      if (queues.size >= sweepAt) sweep();
      const { queueMax, scopes } = settings;
      const rule = scopes[scope] ?? { limit: 1 };
      const queue = createQueue({ limits: limitsIn(rule, settings), queueMax, onShorter }, clock);
      queues.set(name, queue);
      return queue;
    },
    waiting: () => [...queues.values()].reduce((sum, queue) => sum + queue.waiting, 0),
    room: () => (isRoomy() ? Promise.resolve() : new Promise((resolve) => roomWanted.add(resolve))),
  };
}

/** All limits of a scope, with the part of each that is this process's own. */
function limitsIn(rule: ScopeRule, { windowMs, share }: PacedSettings): readonly PacerSettings[] {
  const { limit, windowSeconds = windowMs / 1_000, kind, also = [] } = rule;
  const isBlind = also.length > 0 || rule.learnFromHeaders === false;
  return [{ limit, windowSeconds, kind }, ...also].map((one) => ({
    limit: one.limit,
    ownMax: ownMaxOf(one.limit, share),
    windowMs: one.windowSeconds * 1_000,
    marginMs: placeMarginMs(one.windowSeconds * 1_000),
    isBlind,
    isBucket: one.kind === 'token-bucket',
  }));
}

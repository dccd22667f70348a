import { createPacer, type Pacer, type PacerSettings, placeMarginMs } from '../pacer/pacer.ts';
import { createQueue, type Queue, type QueueClock } from '../pacer/queue.ts';
import type { PacedSettings } from './options.ts';
import { ownMaxOf, type ScopeRule, type Scopes } from './scopes.ts';

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
  const families = new Map<string, Family>();
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
    for (const [name, queue] of queues) {
      if (queue.idleFromMs() > clock.nowMs()) continue;
      queues.delete(name);
      for (const family of families.values()) family.queues.delete(queue);
    }
    // What no queue has is idle as well: none goes before its limits do.
    for (const [name, family] of families) if (family.queues.size === 0) families.delete(name);
    sweepAt = Math.max(queuesKept, 2 * queues.size);
  };

  const familyOf = (outer: string, key: string): Family => {
    const name = JSON.stringify([outer, key]);
    const family =
      families.get(name) ?? createFamily(limitsIn(settings.scopes[outer] ?? { limit: 1 }, settings));
    families.set(name, family);
    return family;
  };

  return {
    of(scope, key) {
      const name = JSON.stringify([scope, key]);
      const known = queues.get(name);
      if (known !== undefined) return known;
      if (queues.size >= sweepAt) sweep();
      const { queueMax, scopes } = settings;
      const rule = scopes[scope] ?? { limit: 1 };
      const outer = rule.within ?? (isOuter(scope, scopes) ? scope : null);
      const family = outer === null ? null : familyOf(outer, key);
      const limits = outer === scope ? [] : limitsIn(rule, settings);
      const shared = family === null ? {} : { shared: family.pacers, onFreed: family.wakeAll };
      const queue = createQueue({ ...{ limits, queueMax, onShorter }, ...shared }, clock);
      family?.queues.add(queue);
      queues.set(name, queue);
      return queue;
    },
    waiting: () => [...queues.values()].reduce((sum, queue) => sum + queue.waiting, 0),
    room: () => (isRoomy() ? Promise.resolve() : new Promise((resolve) => roomWanted.add(resolve))),
  };
}

/** The queues of one key that share the limits of a scope. */
type Family = {
  readonly pacers: readonly Pacer[];
  readonly queues: Set<Queue>;
  readonly wakeAll: () => void;
};

function createFamily(limits: readonly PacerSettings[]): Family {
  const queues = new Set<Queue>();
  const wakeAll = (): void => {
    for (const queue of queues) queue.wake();
  };
  // Answers to the requests of several scopes do not say whose limit they tell.
  return { pacers: limits.map((one) => createPacer({ ...one, isBlind: true })), queues, wakeAll };
}

function isOuter(scope: string, scopes: Scopes): boolean {
  return Object.values(scopes).some(({ within }) => within === scope);
}

/** All limits of a scope, with the part of each that is this process's own. */
function limitsIn(rule: ScopeRule, { windowMs, share }: PacedSettings): readonly PacerSettings[] {
  const { limit, windowSeconds = windowMs / 1_000, kind, also = [] } = rule;
  const isBlind = also.length > 0 || rule.within !== undefined || rule.learnFromHeaders === false;
  return [{ limit, windowSeconds, kind }, ...also].map((one) => ({
    limit: one.limit,
    ownMax: ownMaxOf(one.limit, share),
    windowMs: one.windowSeconds * 1_000,
    marginMs: placeMarginMs(one.windowSeconds * 1_000),
    isBlind,
    isBucket: one.kind === 'token-bucket',
  }));
}

import { setTimeout as sleep } from 'node:timers/promises';
import { clauses } from '../../contract/clauses/registry.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import type { VerdictKind } from '../../reports/outcome.ts';
import type { Deviation, Fault } from '../../service/faults/fault.ts';
import { startService } from '../../service/server.ts';
import { type LiveRun, liveKeys, liveRun, mustClauses } from './live-run.ts';
import type { Network, Partition } from './networks.ts';
import type { Link, Toxiproxy } from './toxiproxy.ts';

export type TrialOptions = {
  /** What the service does other than documented; `null`: nothing. */
  readonly deviation: Deviation | null;
  readonly network: Omit<Network, 'name'>;
  readonly toxiproxy: Toxiproxy;
  /** Folder in which the run is saved. */
  readonly folder: string;
  readonly load: 'bursts' | 'none';
  readonly signal: AbortSignal;
};

/** What a short window has room for: requests are given up soon, and few connections are opened for it. */
const inShortWindows = { connectionsPerScope: 10, requestTimeoutSeconds: 3 };
const shortSecondsMax = 15;

/** One whole run against a service of its own, through a network. */
export async function trial(options: TrialOptions): Promise<LiveRun> {
  const { deviation, network, toxiproxy, folder, load, signal } = options;
  const service = await startService({
    windowMs: network.windowSeconds * 1_000,
    limits: documentedLimits,
    keys: liveKeys,
    faults: deviation === null ? [] : [deviation.name],
    nodes: deviation?.setting?.nodes ?? 1,
    graceMs: 0,
  });
  const links = await Promise.all(service.urls.map((url) => toxiproxy.link(url)));
  const over = new AbortController();
  try {
    for (const toxic of network.toxics) await Promise.all(links.map((link) => link.add(toxic)));
    const filling = Promise.withResolvers<void>();
    const parted = filling.promise.then(() => cutOff(links, network.partition, over.signal));
    // What fails there is said once the run is over.
    parted.catch(() => undefined);
    const run = await liveRun({
      deployment: {
        baseUrls: links.map(({ url }) => url),
        windowSeconds: network.windowSeconds,
        perSecond: deviation?.setting?.perSecond,
        ...(network.windowSeconds > shortSecondsMax ? {} : inShortWindows),
        // It would end most of these runs, and with them what they could be wrong about.
        breaker: { failuresInARow: 0, failureShare: 1 },
      },
      load,
      folder,
      signal,
      onFilling: filling.resolve,
    });
    over.abort();
    // Where it never came so far, there is nothing to part.
    filling.resolve();
    await parted;
    return run;
  } finally {
    over.abort();
    await Promise.all(links.map((link) => link.close()));
    await service.close();
  }
}

/** Parts the links for a while, or until the run is over. */
async function cutOff(
  links: readonly Link[],
  partition: Partition | null,
  signal: AbortSignal,
): Promise<void> {
  if (partition === null) return;
  const { kind, atMs, forMs } = partition;
  try {
    await sleep(atMs, undefined, { signal });
    const ends = await Promise.all(links.map((link) => cut(link, kind)));
    await sleep(forMs, undefined, { signal });
    await Promise.all(ends.map((end) => end()));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** @returns what ends it. */
async function cut(link: Link, kind: Partition['kind']): Promise<() => Promise<unknown>> {
  if (kind === 'refused') {
    await link.accept(false);
    return () => link.accept(true);
  }
  const lost = { type: 'timeout', toxicity: 1, attributes: { timeout: 0 } } as const;
  const toxics = [
    await link.add({ ...lost, stream: 'upstream' }),
    await link.add({ ...lost, stream: 'downstream' }),
  ];
  return () => Promise.all(toxics.map(({ mend }) => mend()));
}

export type Caught = {
  /**
   * A clause that the fault breaks is violated; where none can be, what it leaves open is open; a window that is longer by
   * less than a second falls short of the clause on granularity alone where the network, or this machine, is slow.
   */
  readonly how: 'violated' | 'open' | 'falls short' | 'missed';
  /** Violated `must` clauses that the fault does not explain. */
  readonly unexplained: readonly string[];
};

/** What a run says of a fault. Where the deviation itself is not proved, a clause that depends on it can show it. */
export function caughtIn(
  run: Pick<LiveRun, 'verdicts'>,
  { must, may, leavesOpen = [] }: Pick<Fault, 'must' | 'may' | 'leavesOpen'>,
): Caught {
  const dependent = clauses.filter(({ dependsOn }) => must.some((id) => dependsOn.includes(id)));
  const explained: readonly string[] = [...must, ...may, ...dependent.map(({ id }) => id)];
  const unexplained = mustClauses(run, 'violated').filter((id) => !explained.includes(id));
  const says = (kind: VerdictKind) => (id: string) => run.verdicts.get(id) === kind;
  if (must.some(says('violated'))) return { how: 'violated', unexplained };
  const isLeftOpen = leavesOpen.length > 0 && leavesOpen.every(says('inconclusive'));
  if (must.length === 0 && isLeftOpen) return { how: 'open', unexplained };
  const isALittleLonger = must.includes('window.length') && says('violated')('window.granularity');
  return { how: isALittleLonger ? 'falls short' : 'missed', unexplained };
}

import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Deviation, Fault } from '../../service/faults/fault.ts';
import { variants } from '../../service/faults.ts';
import { type LiveRun, mustClauses } from './live-run.ts';
import { drawsOf, type Network, type NetworkName, networkOf, slowNetwork } from './networks.ts';
import type { Toxiproxy } from './toxiproxy.ts';
import { type Caught, caughtIn, trial } from './trial.ts';

/** What one run against a conforming service led to. */
export type HostileRow = {
  readonly seed: number;
  readonly network: NetworkName;
  readonly service: string;
  /** `must` clauses called violated, and judges that crashed: each is a mistake of ours. */
  readonly wrong: readonly string[];
  readonly open: readonly string[];
  readonly held: readonly string[];
  readonly incomplete: string | null;
  /** The saved trace of a run with a mistake; the others are removed. */
  readonly traceFile: string | null;
};

/** What one run against a service with a fault led to, on a network that is slow and nothing else. */
export type FaultRow = {
  readonly fault: string;
  readonly how: Caught['how'];
  readonly wrong: readonly string[];
  readonly incomplete: string | null;
  readonly traceFile: string | null;
};

export type Surroundings = {
  readonly toxiproxy: Toxiproxy;
  readonly folder: string;
  readonly load: 'bursts' | 'none';
  /** The window of runs against services that conform; `short`: those of the networks. */
  readonly windowSeconds: number | 'short';
  readonly signal: AbortSignal;
};

/** Every second run is against the service as documented, the others are against what the document allows too. */
export async function playHostile(seed: number, surroundings: Surroundings): Promise<HostileRow> {
  const network = networkOf(seed, surroundings.windowSeconds);
  const variant = variantOf(seed);
  const run = await trial({ deviation: variant, network, ...surroundings });
  const wrong = [...mustClauses(run, 'violated'), ...mustClauses(run, 'crashed')];
  return {
    seed,
    network: network.name,
    service: variant?.name ?? 'as documented',
    wrong,
    open: mustClauses(run, 'inconclusive'),
    held: mustClauses(run, 'held'),
    incomplete: run.incomplete,
    traceFile: await keptTrace(run, wrong),
  };
}

/** The half minute that one of them adds is within the bound of a minute's window, and beyond that of a short one. */
const conforming = variants.filter(({ name }) => name !== 'retry-after-spread');

function variantOf(seed: number): Deviation | null {
  // By the seed's turn, as the network is: so that each network meets both.
  if (Math.floor(seed / 8) % 2 === 0) return null;
  return conforming[Math.floor(drawsOf(seed)() * conforming.length)] ?? null;
}

export type FaultTrial = {
  readonly fault: Fault;
  readonly windowSeconds: number;
  readonly roundTripMsMax: number;
};

export async function playFault(
  { fault, windowSeconds, roundTripMsMax }: FaultTrial,
  surroundings: Surroundings,
): Promise<FaultRow> {
  const quickest = (fault.setting?.oneWayMsMax ?? Number.POSITIVE_INFINITY) * 2;
  const network: Omit<Network, 'name'> = {
    ...slowNetwork(Math.min(roundTripMsMax, quickest)),
    partition: null,
    windowSeconds,
  };
  const run = await trial({ deviation: fault, network, ...surroundings });
  const { how, unexplained } = caughtIn(run, fault);
  const wrong = [...unexplained, ...mustClauses(run, 'crashed')];
  return {
    fault: fault.name,
    how,
    wrong,
    incomplete: run.incomplete,
    traceFile: await keptTrace(run, how === 'missed' ? ['it was missed'] : wrong),
  };
}

async function keptTrace({ traceFile }: LiveRun, mistakes: readonly string[]): Promise<string | null> {
  if (mistakes.length > 0) return traceFile;
  await rm(dirname(traceFile), { recursive: true, force: true });
  return null;
}

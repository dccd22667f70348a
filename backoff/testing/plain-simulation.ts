import { oneWayMs } from '../simulation/network.ts';
import { instantMs, jobsOf, openedLimiter, type Setting } from '../simulation/setting.ts';
import type { AnyStrategy } from '../strategies.ts';
import { type Answer, nobody, type Random, type Sharers } from '../strategy.ts';

/** What the plain simulation says of a backlog; each figure has its namesake in `Outcome`. */
export type PlainOutcome = {
  readonly makespanMs: number;
  readonly admitted: number;
  readonly limited: number;
  readonly early: number;
  readonly lostJobs: number;
  readonly p99Ms: number;
  readonly fairness: number;
  readonly sent: number;
  readonly events: number;
};

type Pending = { readonly atMs: number; readonly client: Client; readonly happens: () => void };

/** Clients that share a state, by their number in it. */
type Group = { state: unknown; readonly members: Client[] };

type Client = {
  readonly index: number;
  readonly member: number;
  readonly shared: Group;
  /** What it does next: what else is pending of it was overtaken by a call. */
  next: Pending | null;
  jobsLeft: number;
  attempts: number;
  toldUntilMs: number;
  endMs: number | null;
};

/**
 * The simulation as one would write it first: an object for each client and each thing that happens, closures, a heap
 * of objects. It is here to be obvious, and `simulate` is held to the same figures.
 */
export function plainSimulation(setting: Setting, strategy: AnyStrategy, random: Random): PlainOutcome {
  const { limiter, network, startMs, horizonMs, sendsRetryAfter } = setting;
  const limiterState = openedLimiter(setting);
  const clients = clientsOf(setting, strategy);
  const pending: Pending[] = [];
  const completedMs: number[] = [];
  const counts = { limited: 0, early: 0, sent: 0, events: 0 };

  const at = (atMs: number, client: Client, happens: () => void): void => {
    client.next = { atMs, client, happens };
    push(pending, client.next);
  };

  const consult = (client: Client, answer: Omit<Answer, 'client' | 'attempts'>): number => {
    const { member, attempts, shared } = client;
    const [waitMs, state] = strategy.next(shared.state, { ...answer, client: member, attempts }, random);
    shared.state = state;
    return waitMs;
  };

  const ask = (client: Client, nowMs: number): void => {
    const waitMs = strategy.gates ? consult(client, { ...silence, kind: 'ready', nowMs }) : 0;
    const againMs = nowMs + Math.max(waitMs, instantMs);
    if (waitMs > 0) at(againMs, client, () => ask(client, againMs));
    else send(client, nowMs);
  };

  const askCalled = ({ state, members }: Group, nowMs: number): void => {
    const called = () => strategy.called?.(state) ?? nobody;
    for (let member = called(); member !== nobody; member = called()) ask(members[member] as Client, nowMs);
  };

  const send = (client: Client, sentMs: number): void => {
    counts.sent += 1;
    if (sentMs < client.toldUntilMs - 1e-6) counts.early += 1;
    client.attempts += 1;
    const arrivesMs = sentMs + oneWayMs(network, random);
    at(arrivesMs, client, () => arrive(client, arrivesMs));
  };

  const arrive = (client: Client, nowMs: number): void => {
    const draw = network.lossShare > 0 ? random() : 1;
    const decision = draw >= network.lossShare / 2 ? limiter.decide(limiterState, nowMs) : null;
    const answerMs = nowMs + oneWayMs(network, random);
    const isLost = decision === null || draw < network.lossShare;
    at(answerMs, client, () => {
      if (isLost) goOn(client, answerMs, consult(client, { ...silence, kind: 'lost', nowMs: answerMs }));
      else receive(client, answerMs, decision);
    });
  };

  const receive = (client: Client, nowMs: number, decision: ReturnType<typeof limiter.decide>): void => {
    const { admitted, remaining } = decision;
    const seconds = admitted ? 0 : Math.max(1, Math.ceil(decision.retryAfterMs / 1_000));
    if (admitted) completedMs.push(nowMs);
    else {
      counts.limited += 1;
      client.toldUntilMs = nowMs + seconds * 1_000;
    }
    const waitMs = consult(client, {
      kind: admitted ? 'admitted' : 'limited',
      nowMs,
      remaining,
      resetSeconds: Math.ceil(decision.resetMs / 1_000),
      retryAfterSeconds: seconds,
      retryAfterHeaderSeconds: sendsRetryAfter ? seconds : 0,
    });
    if (admitted) endJob(client, nowMs);
    goOn(client, nowMs, waitMs);
  };

  const endJob = (client: Client, nowMs: number): void => {
    client.jobsLeft -= 1;
    client.attempts = 0;
    client.toldUntilMs = Number.NEGATIVE_INFINITY;
    if (strategy.sharedBy === 'request') client.shared.state = strategy.start(oneClient);
    if (client.jobsLeft === 0) client.endMs = nowMs;
  };

  const goOn = (client: Client, nowMs: number, waitMs: number): void => {
    const isGivenUp = waitMs === Number.POSITIVE_INFINITY;
    if (isGivenUp) endJob(client, nowMs);
    if (client.jobsLeft === 0) return;
    const restMs = isGivenUp ? 0 : waitMs;
    if (restMs === 0) ask(client, nowMs);
    else if (strategy.gates) at(nowMs + restMs, client, () => ask(client, nowMs + restMs));
    else send(client, nowMs + restMs);
  };

  for (const client of clients) {
    if (client.jobsLeft > 0) at(startMs, client, () => ask(client, startMs));
  }
  while (pending[0] !== undefined && pending[0].atMs <= startMs + horizonMs) {
    const due = pop(pending);
    if (due !== due.client.next) continue;
    counts.events += 1;
    due.happens();
    askCalled(due.client.shared, due.atMs);
  }
  return { ...counts, ...figuresOf(setting, clients, completedMs) };
}

const silence = {
  retryAfterSeconds: 0,
  retryAfterHeaderSeconds: 0,
  remaining: -1,
  resetSeconds: 0,
};

const oneClient: Sharers = { process: 0, processes: 1, clients: 1 };

function clientsOf(setting: Setting, strategy: AnyStrategy): readonly Client[] {
  const { clients, processes } = setting;
  const group = { key: 1, process: Math.min(processes, clients), client: clients, request: clients };
  const groups = group[strategy.sharedBy];
  const shared = Array.from(
    { length: groups },
    (_, at): Group => ({
      members: [],
      state: strategy.start({
        process: at % processes,
        processes,
        clients: Math.ceil((clients - at) / groups),
      }),
    }),
  );
  return Array.from({ length: clients }, (_, index) => {
    const group = shared[index % groups] ?? { state: null, members: [] };
    const client: Client = {
      index,
      member: group.members.length,
      shared: group,
      next: null,
      jobsLeft: jobsOf(setting, index),
      attempts: 0,
      toldUntilMs: Number.NEGATIVE_INFINITY,
      endMs: null,
    };
    group.members.push(client);
    return client;
  });
}

function figuresOf(setting: Setting, clients: readonly Client[], completedMs: readonly number[]) {
  const { startMs, jobs } = setting;
  const working = clients.slice(0, Math.min(clients.length, jobs));
  const spentMs = working.map(({ endMs }) => (endMs ?? Number.POSITIVE_INFINITY) - startMs);
  const throughputs = spentMs.map((ms, index) => jobsOf(setting, index) / Math.max(ms, 1));
  const sum = throughputs.reduce((total, one) => total + one, 0);
  const squares = throughputs.reduce((total, one) => total + one * one, 0);
  return {
    makespanMs: Math.max(...spentMs),
    admitted: completedMs.length,
    lostJobs: jobs - completedMs.length,
    p99Ms: (completedMs[Math.ceil(0.99 * jobs) - 1] ?? Number.POSITIVE_INFINITY) - startMs,
    fairness: squares === 0 ? 0 : (sum * sum) / (working.length * squares),
  };
}

function isBefore(left: Pending, right: Pending): boolean {
  return left.atMs < right.atMs || (left.atMs === right.atMs && left.client.index < right.client.index);
}

function push(heap: Pending[], pending: Pending): void {
  let at = heap.push(pending) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(heap[at] as Pending, heap[parent] as Pending)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function pop(heap: Pending[]): Pending {
  swap(heap, 0, heap.length - 1);
  const first = heap.pop() as Pending;
  let at = 0;
  for (;;) {
    let least = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && isBefore(heap[child] as Pending, heap[least] as Pending)) least = child;
    }
    if (least === at) return first;
    swap(heap, at, least);
    at = least;
  }
}

function swap(heap: Pending[], left: number, right: number): void {
  const kept = heap[left] as Pending;
  heap[left] = heap[right] as Pending;
  heap[right] = kept;
}

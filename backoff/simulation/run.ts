import type { AnyStrategy } from '../strategies.ts';
import type { Answer, Random } from '../strategy.ts';
import { type Agenda, agendaFrom } from './agenda.ts';
import { jobsOf, openedLimiter, type Setting } from './setting.ts';
import { emptyTally, type Tally } from './tally.ts';

/** What a client does next: asks whether it may send, is decided upon by the limiter, has its answer. */
export const phases = { waking: 0, arriving: 1, answered: 2 } as const;

/** What becomes of a request; those that never reach the service, or whose answer never comes back, are lost. */
export const fates = { limited: 0, admitted: 1, lost: 2 } as const;

/** A backlog that is being played out; by client, where nothing else is said. */
export type Run = {
  readonly setting: Setting;
  readonly strategy: AnyStrategy;
  readonly random: Random;
  readonly limiterState: unknown;
  readonly agenda: Agenda;
  readonly tally: Tally;
  /** Clients with jobs left. */
  busy: number;
  readonly phase: Uint8Array;
  readonly fate: Uint8Array;
  readonly jobsLeft: Int32Array;
  readonly attempts: Int32Array;
  readonly retryAfterSeconds: Float64Array;
  readonly remaining: Int32Array;
  readonly resetSeconds: Float64Array;
  /** Until when the last 429 asked the client to wait. */
  readonly toldUntilMs: Float64Array;
  /** By group of sharers. */
  readonly states: unknown[];
  readonly groupOf: Int32Array;
  readonly memberOf: Int32Array;
  /** One for all: strategies keep nothing of it. */
  readonly told: { -readonly [Field in keyof Answer]: Answer[Field] };
};

/** Everything as it is before the first request. */
export function begin(setting: Setting, strategy: AnyStrategy, random: Random): Run {
  const { clients, startMs } = setting;
  const run: Run = {
    setting,
    strategy,
    random,
    limiterState: openedLimiter(setting),
    agenda: agendaFrom(
      (client) => (jobsOf(setting, client) > 0 ? startMs : Number.POSITIVE_INFINITY),
      clients,
    ),
    tally: emptyTally(setting),
    busy: Math.min(setting.clients, setting.jobs),
    phase: new Uint8Array(clients),
    fate: new Uint8Array(clients),
    jobsLeft: Int32Array.from({ length: clients }, (_, client) => jobsOf(setting, client)),
    attempts: new Int32Array(clients),
    retryAfterSeconds: new Float64Array(clients),
    remaining: new Int32Array(clients),
    resetSeconds: new Float64Array(clients),
    toldUntilMs: new Float64Array(clients).fill(Number.NEGATIVE_INFINITY),
    ...sharedStates(setting, strategy),
    told: {
      kind: 'ready',
      nowMs: 0,
      client: 0,
      attempts: 0,
      retryAfterSeconds: 0,
      retryAfterHeaderSeconds: 0,
      remaining: -1,
      resetSeconds: 0,
    },
  };
  return run;
}

type Shared = Pick<Run, 'states' | 'groupOf' | 'memberOf'>;

/** Which state each client asks, and as which of those who share it. */
function sharedStates({ clients, processes }: Setting, strategy: AnyStrategy): Shared {
  const groups = groupsOf(strategy, { clients, processes });
  const groupOf = Int32Array.from({ length: clients }, (_, client) => client % groups);
  const memberOf = Int32Array.from({ length: clients }, (_, client) => Math.floor(client / groups));
  const states = Array.from({ length: groups }, (_, group) => {
    const members = Math.ceil((clients - group) / groups);
    const isOfProcesses = strategy.sharedBy === 'process';
    return strategy.start({
      process: isOfProcesses ? group : group % processes,
      processes,
      clients: members,
    });
  });
  return { states, groupOf, memberOf };
}

function groupsOf({ sharedBy }: AnyStrategy, among: { clients: number; processes: number }): number {
  switch (sharedBy) {
    case 'key':
      return 1;
    case 'process':
      return Math.min(among.processes, among.clients);
    case 'client':
    case 'request':
      return among.clients;
    default:
      return sharedBy satisfies never;
  }
}

import { type SharedStates, sharedStates } from '../shared-states.ts';
import type { AnyStrategy } from '../strategies.ts';
import type { Answer, Random } from '../strategy.ts';
import { type Agenda, agendaFrom } from './agenda.ts';
import { emptyTally, type Tally } from './outcome.ts';
import { jobsOf, openedLimiter, type Setting } from './setting.ts';

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
  readonly shared: SharedStates;
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
    shared: sharedStates(strategy, setting),
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

import type { Opening } from '../../checks/opening.ts';
import type { Step } from '../../checks/steps.ts';
import { neutralAgent } from '../../checks/variation.ts';
import { type Breaker, openBreaker } from '../../contract/breaker.ts';
import { limitedStatusesOf } from '../../contract/document/document.ts';
import { toldExchanges } from '../../contract/document/told-headers.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { SentLine } from '../../contract/sent.ts';
import { type Random, seeded } from '../../run/seeded.ts';
import { eventQueue } from './event-queue.ts';
import type { SimulatedAnswer, SimulatedService } from './simulated-service.ts';
import type { World } from './world.ts';
import type { Numbered } from './written-lines.ts';

/** What is simulated: a run of this opening against this service, through this world. */
export type Simulation = {
  readonly opening: Opening;
  readonly service: SimulatedService;
  readonly world: World;
  readonly seed: number;
  /** Gets the lines of a trace in the order in which a run would write them. */
  readonly onLine?: ((line: SentLine | Exchange) => void) | undefined;
};

/** One schedule and how far it is: the opening, and then one for each scope. */
export type Schedule = {
  readonly soFar: Exchange[];
  readonly next: (nowMs: number) => Step;
  /** Requests of the current step that are not over yet. */
  open: number;
};

/** A request on its way, since `sentMs` of true time. */
export type Flight = Numbered & {
  readonly schedule: Schedule;
  readonly sentMs: number;
  readonly isLostBack: boolean;
  answer: SimulatedAnswer | null;
};

/** What happens at a moment of true time. */
export type Happening =
  | { readonly kind: 'wake'; readonly schedule: Schedule }
  | { readonly kind: 'arrive'; readonly flight: Flight }
  | { readonly kind: 'end'; readonly flight: Flight; readonly isAnswered: boolean };

/** A run in virtual time, and how far it is. */
export type RunState = {
  readonly simulation: Simulation;
  readonly random: Random;
  readonly queue: ReturnType<typeof eventQueue<Happening>>;
  readonly all: Exchange[];
  /** An exchange as schedules read it: with headers told as plain numbers. */
  readonly tell: (exchange: Exchange) => Exchange;
  readonly breaker: Breaker;
  readonly userAgent: string;
  readonly limited: readonly number[];
  nowMs: number;
  sent: number;
};

/** The User-Agent of a simulated run that announces itself. */
const announcedAgent = 'messaging-conformance/0.0.0';

/** A run of which nothing has happened. */
export function startState(simulation: Simulation): RunState {
  const { deployment, unannouncedSeed } = simulation.opening;
  return {
    simulation,
    random: seeded(simulation.seed),
    queue: eventQueue<Happening>(),
    all: [],
    tell: toldExchanges(deployment.document, simulation.opening.limits),
    breaker: openBreaker(deployment.breaker, deployment.document),
    userAgent: unannouncedSeed === undefined ? announcedAgent : neutralAgent(unannouncedSeed),
    limited: limitedStatusesOf(deployment.document),
    nowMs: simulation.world.startMs,
    sent: 0,
  };
}

import { type Opening, openingStep, targetsOf } from '../../checks/opening.ts';
import { costIn, templateOf } from '../../checks/probe-template.ts';
import { nextStep } from '../../checks/schedule.ts';
import type { ProbeRequest, Step } from '../../checks/steps.ts';
import { neutralAgent } from '../../checks/variation.ts';
import { type Breaker, openBreaker } from '../../contract/breaker.ts';
import { limitedStatusesOf } from '../../contract/document/document.ts';
import { toldExchanges } from '../../contract/document/told-headers.ts';
import { countedWith, outerOf } from '../../contract/document/within.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { passedStatusesOf } from '../../contract/passed.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { SentLine } from '../../contract/sent.ts';
import { type Random, seeded } from '../../run/seeded.ts';
import { answered, type KeptAnswer, unanswered } from './answered.ts';
import { eventQueue } from './event-queue.ts';
import { awakeMs, monotonicMs, serverMs, trueMs, type World, wallMs } from './world.ts';

export type SimulatedRequest = ProbeRequest & {
  readonly method: string;
  readonly path: string;
  readonly node: number;
  readonly connection: number;
  readonly purpose: string;
  readonly userAgent: string;
  /** As a trace has it: absent where it is 1. */
  readonly cost?: number;
};

/** An answer, and how long the service took for it. */
export type SimulatedAnswer = KeptAnswer & { readonly delayMs: number };

/** A service without sockets: decides at a moment of its own clock; `null` never answers. */
export type SimulatedService = (request: SimulatedRequest, nowMs: number) => SimulatedAnswer | null;

export type Simulation = {
  readonly opening: Opening;
  readonly service: SimulatedService;
  readonly world: World;
  readonly seed: number;
  /** Gets the lines of a trace in the order in which a run would write them. */
  readonly onLine?: ((line: SentLine | Exchange) => void) | undefined;
};

/**
 * From the last answer of a step to the next one, ms: no process is quicker. At the very moment of an answer, the next requests
 * could have been counted before it.
 */
const reactionMs = 0.05;

/** Steps after which a schedule counts as endless. */
const stepsMax = 10_000;

/**
 * A whole run in virtual time: the same opening and schedules as over sockets, deterministic from the seed. Requests
 * of all scopes are decided in the order in which they arrive.
 */
export function simulate(simulation: Simulation): readonly Exchange[] {
  const state = startState(simulation);
  const opened: Exchange[] = [];
  const opening: Schedule = { soFar: opened, open: 0, next: openingOf(simulation.opening, opened) };
  state.queue.push(simulation.world.startMs, { kind: 'wake', schedule: opening });
  drain(state);
  const { document } = simulation.opening.deployment;
  const histories = new Map<Scope, Exchange[]>();
  for (const target of targetsOf(simulation.opening)) {
    const outer = outerOf(document, target.scope) ?? target.scope;
    const together = countedWith(document, outer);
    const soFar = histories.get(outer) ?? opened.filter(({ scope }) => together.includes(scope));
    histories.set(outer, soFar);
    const schedule: Schedule = { soFar, open: 0, next: (nowMs) => nextStep(target, soFar, nowMs) };
    state.queue.push(state.nowMs, { kind: 'wake', schedule });
  }
  drain(state);
  return state.all;
}

function openingOf(opening: Opening, soFar: readonly Exchange[]): (nowMs: number) => Step {
  return (nowMs) => openingStep(opening, soFar, nowMs);
}

/** One schedule and how far it is: the opening, and then one for each scope. */
type Schedule = {
  readonly soFar: Exchange[];
  readonly next: (nowMs: number) => Step;
  /** Requests of the current step that are not over yet. */
  open: number;
};

type Flight = {
  readonly schedule: Schedule;
  readonly request: SimulatedRequest;
  readonly index: number;
  readonly requestId: string;
  readonly sentMs: number;
  readonly isLostBack: boolean;
  answer: SimulatedAnswer | null;
};

type Happening =
  | { readonly kind: 'wake'; readonly schedule: Schedule }
  | { readonly kind: 'arrive'; readonly flight: Flight }
  | { readonly kind: 'end'; readonly flight: Flight; readonly isAnswered: boolean };

type State = {
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

function startState(simulation: Simulation): State {
  const { deployment, unannouncedSeed } = simulation.opening;
  return {
    simulation,
    random: seeded(simulation.seed),
    queue: eventQueue<Happening>(),
    all: [],
    tell: toldExchanges(deployment.document, simulation.opening.limits),
    breaker: openBreaker(deployment.breaker),
    userAgent: unannouncedSeed === undefined ? announcedAgent : neutralAgent(unannouncedSeed),
    limited: limitedStatusesOf(deployment.document),
    nowMs: simulation.world.startMs,
    sent: 0,
  };
}

function drain(state: State): void {
  let steps = 0;
  for (let next = state.queue.pop(); next !== null; next = state.queue.pop()) {
    state.nowMs = next.atMs;
    const { event } = next;
    switch (event.kind) {
      case 'wake':
        steps += 1;
        if (steps > stepsMax) throw new Error('a schedule does not end');
        wake(state, event.schedule);
        break;
      case 'arrive':
        arrive(state, event.flight);
        break;
      case 'end':
        end(state, event.flight, event.isAnswered);
        break;
      default:
        event satisfies never;
    }
  }
}

function wake(state: State, schedule: Schedule): void {
  const { world } = state.simulation;
  // Over sockets a run stops here too; no simulated target asks for a wait first.
  if (state.breaker.tripped() !== null) return;
  const step = schedule.next(monotonicMs(world, state.nowMs));
  if (step.kind === 'wait') {
    state.queue.push(Math.max(trueMs(world, step.untilMs), state.nowMs), { kind: 'wake', schedule });
  }
  if (step.kind !== 'send') return;
  if (step.requests.length === 0) state.queue.push(state.nowMs, { kind: 'wake', schedule });
  schedule.open = step.requests.length;
  const numbered = step.requests.map((request, at) =>
    toSend(state, request, step.purpose, at % world.connections),
  );
  for (const one of numbered) state.simulation.onLine?.(sentLine(one, monotonicMs(world, state.nowMs)));
  numbered.forEach((one, at) => {
    launch(state, schedule, one, at * world.staggerMs);
  });
}

/** The User-Agent of a simulated run that announces itself. */
const announcedAgent = 'messaging-conformance/0.0.0';

type Numbered = {
  readonly index: number;
  readonly requestId: string;
  readonly request: SimulatedRequest;
};

function toSend(state: State, request: ProbeRequest, purpose: string, connection: number): Numbered {
  const { deployment } = state.simulation.opening;
  const { method, path } = templateOf(deployment, request);
  const { userAgent } = state;
  const index = state.sent;
  state.sent += 1;
  const node = index % deployment.baseUrls.length;
  const { cost } = costIn(deployment, request);
  const { scope, route, key, credential } = request;
  const sent = { scope, route, key, credential, method, path, node, connection, purpose, userAgent };
  return {
    index,
    requestId: requestIdOf(index),
    request: cost === undefined ? sent : { ...sent, cost },
  };
}

/** The ids of requests by their numbers. They are the same in each run: a text is found sooner where it was found before. */
const requestIds: string[] = [];

function requestIdOf(index: number): string {
  const known = requestIds[index];
  if (known !== undefined) return known;
  const id = `sim-${index}`;
  requestIds[index] = id;
  return id;
}

const driver = 'simulation';

// Written out, field by field: with objects copied into each other a whole run takes a sixth longer.

function sentLine({ index, requestId, request }: Numbered, sentMs: number): SentLine {
  const { scope, route, key, credential, purpose, method, path, cost, node } = request;
  const requests = [{ index, requestId, node }];
  const line: SentLine = {
    kind: 'sent',
    driver,
    clock: driver,
    scope,
    route,
    key,
    credential,
    purpose,
    method,
    path,
    sentMs,
    wallSentMs: null,
    requests,
  };
  return cost === undefined ? line : { ...line, cost };
}

/** Puts a request on its way: it arrives, or is lost, or hangs until after the client gave up. */
function launch(
  state: State,
  schedule: Schedule,
  { index, requestId, request }: Numbered,
  staggerMs: number,
): void {
  const { world } = state.simulation;
  const sentMs = awakeMs(world, state.nowMs + staggerMs);
  const fate = state.random();
  const isLost = fate < world.lostBefore;
  const isLate = !isLost && fate < world.lostBefore + world.lateShare;
  const isLostBack = state.random() < world.lostAfter;
  const flight: Flight = {
    schedule,
    request,
    index,
    requestId,
    sentMs,
    isLostBack: isLostBack || isLate,
    answer: null,
  };
  const gaveUpMs = awakeMs(world, sentMs + world.timeoutMs);
  if (!isLost) {
    const upMs = isLate ? world.timeoutMs * (1 + 2 * state.random()) : world.latencyMs(state.random);
    state.queue.push(sentMs + upMs, { kind: 'arrive', flight });
  }
  if (isLost || isLate) state.queue.push(gaveUpMs, { kind: 'end', flight, isAnswered: false });
}

function arrive(state: State, flight: Flight): void {
  const { world, service } = state.simulation;
  flight.answer = service(flight.request, serverMs(world, state.nowMs));
  if (flight.isLostBack && state.nowMs > flight.sentMs + world.timeoutMs) return;
  const gaveUpMs = flight.sentMs + world.timeoutMs;
  const backMs = state.nowMs + (flight.answer?.delayMs ?? 0) + world.latencyMs(state.random);
  const isAnswered = flight.answer !== null && !flight.isLostBack && backMs <= gaveUpMs;
  const endMs = awakeMs(world, isAnswered ? backMs : Math.max(gaveUpMs, state.nowMs));
  state.queue.push(endMs, {
    kind: 'end',
    flight,
    isAnswered,
  });
}

function end(state: State, flight: Flight, isAnswered: boolean): void {
  const { schedule } = flight;
  const exchange = exchangeOf(state, flight, isAnswered ? flight.answer : null);
  state.simulation.onLine?.(exchange);
  state.breaker.hear(exchange);
  schedule.soFar.push(state.tell(exchange));
  state.all.push(exchange);
  schedule.open -= 1;
  if (schedule.open === 0) state.queue.push(state.nowMs + reactionMs, { kind: 'wake', schedule });
}

function exchangeOf(state: State, flight: Flight, answer: SimulatedAnswer | null): Exchange {
  const { request, index, requestId, sentMs } = flight;
  const { world } = state.simulation;
  const { scope, route, key, credential, purpose, method, path, cost, node } = request;
  const { status, headers, retryAfter, date, contentType, body, failure, outcome } =
    answer === null
      ? unanswered
      : answered(answer, state.limited, passedStatusesOf(state.simulation.opening.deployment, request));
  const exchange: Exchange = {
    kind: 'exchange',
    driver,
    clock: driver,
    scope,
    route,
    key,
    credential,
    purpose,
    method,
    path,
    index,
    node,
    requestId,
    sentMs: monotonicMs(world, sentMs),
    receivedMs: answer === null ? null : monotonicMs(world, state.nowMs),
    wallSentMs: wallMs(world, sentMs),
    wallReceivedMs: answer === null ? null : wallMs(world, state.nowMs),
    status,
    headers,
    retryAfter,
    date,
    contentType,
    body,
    failure,
    outcome,
  };
  // Of nearly all requests there is none: a literal with a part left open is made several times as slowly.
  return cost === undefined ? exchange : { ...exchange, cost };
}

import { passedStatusesOf } from '../../contract/passed.ts';
import { answered, unanswered } from './answered.ts';
import type { Flight, RunState, Schedule } from './run-state.ts';
import type { SimulatedAnswer, SimulatedRequest } from './simulated-service.ts';
import { awakeMs, serverMs } from './world.ts';
import { exchangeOf, type Numbered } from './written-lines.ts';

/**
 * From the last answer of a step to the next one, ms: no process is quicker. At the very moment of an answer, the next requests
 * could have been counted before it.
 */
const reactionMs = 0.05;

/** Puts a request on its way: it arrives, or is lost, or hangs until after the client gave up. */
export function launch(
  state: RunState,
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

/** The service decides a request that has reached it. */
export function arrive(state: RunState, flight: Flight): void {
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

/** A request is over: its answer is there, or nobody waits for it any more. */
export function end(state: RunState, flight: Flight, isAnswered: boolean): void {
  const { schedule } = flight;
  const { world } = state.simulation;
  const answer = isAnswered ? flight.answer : null;
  const exchange = exchangeOf(
    world,
    flight,
    state.nowMs,
    answer === null ? unanswered : answerOf(state, flight.request, answer),
  );
  state.simulation.onLine?.(exchange);
  state.breaker.hear(exchange);
  schedule.soFar.push(state.tell(exchange));
  state.all.push(exchange);
  schedule.open -= 1;
  if (schedule.open === 0) state.queue.push(state.nowMs + reactionMs, { kind: 'wake', schedule });
}

function answerOf(state: RunState, request: SimulatedRequest, answer: SimulatedAnswer) {
  return answered(answer, state.limited, passedStatusesOf(state.simulation.opening.deployment, request));
}

import { type Opening, openingStep, targetsOf } from '../../checks/opening.ts';
import { costIn, templateOf } from '../../checks/probe-template.ts';
import { nextStep } from '../../checks/schedule.ts';
import type { ProbeRequest, Step } from '../../checks/steps.ts';
import { countedWith, outerOf } from '../../contract/document/within.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Scope } from '../../contract/scopes.ts';
import { arrive, end, launch } from './flights.ts';
import { type RunState, type Schedule, type Simulation, startState } from './run-state.ts';
import { monotonicMs, trueMs } from './world.ts';
import { type Numbered, requestIdOf, sentLine } from './written-lines.ts';

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

function drain(state: RunState): void {
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

function wake(state: RunState, schedule: Schedule): void {
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

function toSend(state: RunState, request: ProbeRequest, purpose: string, connection: number): Numbered {
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

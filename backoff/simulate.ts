import { clientIn } from './shared-states.ts';
import { nextClient, nextMs, reschedule } from './simulation/agenda.ts';
import { oneWayMs } from './simulation/network.ts';
import { countArrival, type Outcome, outcomeOf } from './simulation/outcome.ts';
import { begin, fates, phases, type Run } from './simulation/run.ts';
import { instantMs, type Setting } from './simulation/setting.ts';
import type { AnyStrategy } from './strategies.ts';
import { type Answer, alone, nobody, type Random } from './strategy.ts';

/**
 * Plays one backlog out: clients that share a key and a strategy work it off against a limiter, event by event, in
 * virtual time. Deterministic from its random numbers.
 */
export function simulate(setting: Setting, strategy: AnyStrategy, random: Random): Outcome {
  const run = begin(setting, strategy, random);
  const { agenda, tally } = run;
  const endMs = setting.startMs + setting.horizonMs;
  for (let nowMs = nextMs(agenda); nowMs <= endMs && run.busy > 0; nowMs = nextMs(agenda)) {
    const client = nextClient(agenda);
    tally.events += 1;
    switch (run.phase[client]) {
      case phases.waking:
        ask(run, client, nowMs);
        break;
      case phases.arriving:
        arrive(run, client, nowMs);
        continue;
      default:
        answer(run, client, nowMs);
    }
    if (strategy.called !== undefined) askCalled(run, run.shared.groupOf[client] as number, nowMs);
  }
  return outcomeOf(setting, tally);
}

/** The request is on its way, or is held back. */
function ask(run: Run, client: number, nowMs: number): void {
  if (run.strategy.gates) {
    const waitMs = next(run, 'ready', client, nowMs);
    if (waitMs > 0) {
      sleep(run, client, nowMs + Math.max(waitMs, instantMs));
      return;
    }
  }
  send(run, client, nowMs);
}

/** Those of a group who are called ask again, however long they were to sleep. */
function askCalled(run: Run, group: number, nowMs: number): void {
  const { shared, strategy } = run;
  const called = () => strategy.called?.(shared.states[group]) ?? nobody;
  for (let member = called(); member !== nobody; member = called()) {
    ask(run, clientIn(shared, group, member), nowMs);
  }
}

function sleep(run: Run, client: number, untilMs: number): void {
  run.phase[client] = phases.waking;
  reschedule(run.agenda, client, untilMs);
}

function send(run: Run, client: number, sentMs: number): void {
  const { tally, setting, random } = run;
  tally.sent += 1;
  // A moment that was added up in two ways may differ in its last digits.
  if (sentMs < (run.toldUntilMs[client] as number) - 1e-6) tally.early += 1;
  const attempts = (run.attempts[client] as number) + 1;
  run.attempts[client] = attempts;
  if (attempts > tally.attemptsMax) tally.attemptsMax = attempts;
  run.phase[client] = phases.arriving;
  reschedule(run.agenda, client, sentMs + oneWayMs(setting.network, random));
}

function arrive(run: Run, client: number, nowMs: number): void {
  const { setting, random } = run;
  const { limiter, network } = setting;
  const { lossShare } = network;
  const draw = lossShare > 0 ? random() : 1;
  run.fate[client] = fates.lost;
  // One half of what is lost never arrives, the other half was counted.
  if (draw >= lossShare / 2) {
    countArrival(run.tally, nowMs);
    const decision = limiter.decide(run.limiterState, nowMs);
    if (draw >= lossShare) run.fate[client] = decision.admitted ? fates.admitted : fates.limited;
    run.remaining[client] = decision.remaining;
    run.resetSeconds[client] = Math.ceil(decision.resetMs / 1_000);
    // As the service rounds it: up, and never to no wait at all.
    run.retryAfterSeconds[client] = Math.max(1, Math.ceil(decision.retryAfterMs / 1_000));
  }
  run.phase[client] = phases.answered;
  reschedule(run.agenda, client, nowMs + oneWayMs(network, random));
}

function answer(run: Run, client: number, nowMs: number): void {
  const { tally } = run;
  let waitMs = 0;
  switch (run.fate[client]) {
    case fates.admitted:
      tally.completedMs[tally.admitted] = nowMs;
      tally.admitted += 1;
      waitMs = next(run, 'admitted', client, nowMs);
      endJob(run, client, nowMs);
      break;
    case fates.limited:
      tally.limited += 1;
      if (run.setting.sendsRetryAfter || run.setting.lacks?.bodyWait !== true)
        run.toldUntilMs[client] = nowMs + (run.retryAfterSeconds[client] as number) * 1_000;
      waitMs = next(run, 'limited', client, nowMs);
      break;
    default:
      tally.unanswered += 1;
      waitMs = next(run, 'lost', client, nowMs);
  }
  if (waitMs === Number.POSITIVE_INFINITY) {
    waitMs = 0;
    endJob(run, client, nowMs);
  }
  if (run.jobsLeft[client] === 0) {
    reschedule(run.agenda, client, Number.POSITIVE_INFINITY);
    return;
  }
  if (waitMs === 0) ask(run, client, nowMs);
  else if (run.strategy.gates) sleep(run, client, nowMs + waitMs);
  else send(run, client, nowMs + waitMs);
}

/** The client goes on to its next job, if there is one. */
function endJob(run: Run, client: number, nowMs: number): void {
  const { tally, strategy } = run;
  const left = (run.jobsLeft[client] as number) - 1;
  run.jobsLeft[client] = left;
  run.attempts[client] = 0;
  run.toldUntilMs[client] = Number.NEGATIVE_INFINITY;
  if (strategy.sharedBy === 'request') {
    run.shared.states[client] = strategy.start(alone);
  }
  if (left === 0) {
    tally.finishedMs[client] = nowMs;
    run.busy -= 1;
  }
}

/** Asks the strategy, with all that the client has been told. */
function next(run: Run, kind: Answer['kind'], client: number, nowMs: number): number {
  const { told, setting } = run;
  const { states, groupOf, memberOf } = run.shared;
  const group = groupOf[client] as number;
  told.kind = kind;
  told.nowMs = nowMs;
  told.client = memberOf[client] as number;
  told.attempts = run.attempts[client] as number;
  const isAnswered = kind === 'admitted' || kind === 'limited';
  const refusedSeconds = kind === 'limited' ? (run.retryAfterSeconds[client] as number) : 0;
  told.retryAfterSeconds = setting.lacks?.bodyWait === true ? 0 : refusedSeconds;
  told.retryAfterHeaderSeconds = setting.sendsRetryAfter ? refusedSeconds : 0;
  const isShown = isAnswered && setting.lacks?.headers !== true;
  told.remaining = isShown ? (run.remaining[client] as number) : -1;
  told.resetSeconds = isShown ? (run.resetSeconds[client] as number) : 0;
  const [waitMs, state] = run.strategy.next(states[group], told, run.random);
  states[group] = state;
  return waitMs;
}

import type { Deployment } from '../contract/deployment.ts';
import { toldExchanges } from '../contract/document/told-headers.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Limits, Scope } from '../contract/scopes.ts';
import type { SentLine } from '../contract/sent.ts';
import type { Transport } from '../contract/transport.ts';
import { interrupted } from '../contract/unreachable.ts';
import { systemClock, waitUntil } from './clock.ts';
import { isUnreachable } from './failures.ts';
import { type Guard, openGuard } from './guard.ts';
import { type HttpClient, openHttpClient } from './http-client.ts';
import type { ProbeKey } from './http-request.ts';
import { type Opening, openingStep, targetsOf } from './opening.ts';
import { type ProbeEnd, preflightFault, targetLost } from './preflight-fault.ts';
import type { ConnectionFacts } from './route.ts';
import { nextStep } from './schedule.ts';
import type { Step } from './steps.ts';

export type ProbeEvent =
  | { readonly kind: 'waiting'; readonly scope: Scope | null; readonly why: string; readonly untilMs: number }
  | {
      readonly kind: 'sending';
      readonly scope: Scope | null;
      readonly purpose: string;
      readonly count: number;
    }
  | { readonly kind: 'answered'; readonly exchange: Exchange };

export type ProbeOptions = {
  readonly deployment: Deployment;
  /** How requests get to its nodes; default: straight. */
  readonly transport?: Transport;
  /** The first key is filled. The second, if there is one, is used while the first is full. */
  readonly keys: readonly ProbeKey[];
  readonly runId: string;
  readonly userAgent: string;
  /** The seed of a run that does not announce itself; left out in one that does. */
  readonly unannouncedSeed?: number | undefined;
  readonly limits: Limits;
  readonly windowMs: number;
  readonly mode: 'full' | 'light';
  /** Times are ms by the HTTP client's clock. */
  readonly onEvent: (event: ProbeEvent) => void;
  /** Gets what is about to be sent, before any of it leaves. */
  readonly onSent?: (line: SentLine) => void;
  /** Called for every connection that is opened. */
  readonly onConnected?: (connected: ConnectionFacts) => void;
  readonly signal: AbortSignal;
  /** Of the whole run, where something else sends beside the probes. */
  readonly guard?: Guard;
};

/** The probing of one run. Both parts return how they ended, and never throw because of the target. */
export type Prober = {
  /** Checks that the target answers and accepts the keys. Where a key is in use, waits one window, once. */
  readonly preflight: () => Promise<ProbeEnd>;
  /** Probes all scopes at the same time. */
  readonly run: () => Promise<ProbeEnd>;
  readonly close: () => Promise<void>;
};

/** After this many requests in a row without a connection, the target counts as lost. */
const lostAfter = 12;

export function openProber(options: ProbeOptions): Prober {
  const { deployment, guard = openGuard({ deployment, clock: systemClock }) } = options;
  const tell = toldExchanges(deployment.document, options.limits);
  const soFar: Exchange[] = [];
  const lost = new AbortController();
  const signal = AbortSignal.any([options.signal, lost.signal]);
  let unreachableInARow = 0;
  const onExchange = (exchange: Exchange): void => {
    soFar.push(tell(exchange));
    options.onEvent({ kind: 'answered', exchange });
    guard.hear(exchange);
    unreachableInARow =
      exchange.failure !== null && isUnreachable(exchange.failure) ? unreachableInARow + 1 : 0;
    if (unreachableInARow >= lostAfter) lost.abort();
  };
  const { transport, keys, runId, userAgent, limits, windowMs, mode } = options;
  const { onSent, onConnected, unannouncedSeed } = options;
  const isAnnounced = unannouncedSeed === undefined;
  const client = openHttpClient({
    deployment,
    transport,
    keys,
    runId,
    userAgent,
    isAnnounced,
    signal: () => AbortSignal.any([signal, guard.sending()]),
    onSent,
    onConnected,
    onExchange,
  });
  const aliases = keys.map(({ alias }) => alias);
  const opening: Opening = { deployment, limits, windowMs, mode, keys: aliases, unannouncedSeed };
  const probing: Probing = { client, soFar, signal, guard, onEvent: options.onEvent };
  const end = (): ProbeEnd => {
    if (options.signal.aborted) return { complete: false, kind: 'aborted', reason: interrupted };
    if (lost.signal.aborted) return targetLost(deployment, soFar);
    const reason = guard.whyStopped();
    return reason === null ? { complete: true } : { complete: false, kind: 'stopped', reason };
  };
  return {
    preflight: async () => {
      const targets = targetsOf(opening);
      if (mode === 'full') await Promise.all(targets.map(({ scope }) => client.warm(scope)));
      await follow(probing, null, (nowMs) =>
        preflightFault(soFar, deployment) === null ? openingStep(opening, soFar, nowMs) : { kind: 'done' },
      );
      const ended = end();
      return ended.complete ? (preflightFault(soFar, deployment) ?? ended) : ended;
    },
    run: async () => {
      const targets = mode === 'full' ? targetsOf(opening) : [];
      await Promise.all(
        targets.map((target) => follow(probing, target.scope, (nowMs) => nextStep(target, soFar, nowMs))),
      );
      return end();
    },
    close: () => client.close(),
  };
}

type Probing = {
  readonly client: HttpClient;
  readonly soFar: readonly Exchange[];
  readonly signal: AbortSignal;
  readonly guard: Guard;
  readonly onEvent: (event: ProbeEvent) => void;
};

const waitedFor = 'the service fails, and asked for this wait (Retry-After)';

/** Follows a schedule until it is done or the run is stopped. */
async function follow(
  { client, signal, guard, onEvent }: Probing,
  scope: Scope | null,
  next: (nowMs: number) => Step,
): Promise<void> {
  while (!signal.aborted && guard.whyStopped() === null) {
    const pausedUntilMs = guard.pausedUntilMs();
    if (pausedUntilMs > client.clock.nowMs()) {
      onEvent({ kind: 'waiting', scope: null, why: waitedFor, untilMs: pausedUntilMs });
      await guard.untilClear(signal);
      continue;
    }
    const step = next(client.clock.nowMs());
    switch (step.kind) {
      case 'send':
        if (!guard.take(step.requests.length)) return;
        onEvent({ kind: 'sending', scope, purpose: step.purpose, count: step.requests.length });
        await client.send(step.purpose, step.requests);
        break;
      case 'wait':
        onEvent({ kind: 'waiting', scope, why: step.why, untilMs: step.untilMs });
        await waitUntil(step.untilMs, client.clock, AbortSignal.any([signal, guard.sending()]));
        break;
      case 'done':
        return;
      default:
        step satisfies never;
    }
  }
}

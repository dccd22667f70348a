import { momentStepMs } from '../../contract/announced-wait.ts';
import type { Arrival, Lesson } from '../../contract/clients/trace.ts';
import type { Document } from '../../contract/document/document.ts';
import { keyPlaceOf } from '../../contract/document/key-place.ts';
import type { Limits } from '../../contract/scopes.ts';
import { createApi, epochClock } from '../api.ts';
import { createKeyring } from '../authentication.ts';
import { behaviourOf, documentedBehaviour } from '../documented-behaviour.ts';
import type { Patch } from '../faults/fault.ts';
import { createGate, type WaitingGate } from '../gate.ts';
import { inHeadersOf } from '../header-style.ts';
import { clientHost, listen } from '../listen.ts';
import { createMessageStore } from '../message-store.ts';
import { plainPathsOf } from '../path.ts';
import { type ArrivalRecorder, recordArrivals } from './arrivals.ts';

export type ProvingKey = { readonly alias: string; readonly secret: string; readonly lesson: Lesson };

export type ProvingSettings = {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly windowMs: number;
  readonly limits: Limits;
  /** What it keeps but for those limits and that window; left out: the messaging document. */
  readonly document?: Document;
  readonly keys: readonly ProvingKey[];
  /** How long a key of the lesson `refusals` is refused, ms. */
  readonly refuseMs: number;
  readonly onArrival: (arrival: Arrival) => void;
  /** Called with each request at once, whatever its key. */
  readonly onRequest?: () => void;
};

export type ProvingGround = {
  readonly url: string;
  /** ms since the Unix epoch, by the clock of the arrivals. */
  readonly nowMs: () => number;
  close(): Promise<void>;
};

/** How long requests that are being answered may take when it closes, ms. */
const graceMs = 1_000;

/**
 * The documented service, to judge a client by: it records every request by its own clock.
 * @throws {ServiceError} where the port cannot be had.
 */
export async function startProvingGround(settings: ProvingSettings): Promise<ProvingGround> {
  const { host, port, windowMs, limits, document, keys, refuseMs, onArrival, onRequest } = settings;
  const lessons = new Set(keys.filter(({ lesson }) => lesson === 'refusals').map(({ alias }) => alias));
  const refuse = refusing({ keys: lessons, refuseMs });
  const behaviour =
    document === undefined
      ? refuse(documentedBehaviour)
      : inHeadersOf(document, refuse(behaviourOf(document)));
  const paths = document === undefined ? [] : plainPathsOf(document);
  const nowMs = epochClock();
  const keyPlace = keyPlaceOf({ keys: document?.keys });
  const recorder = recordArrivals(onArrival, {
    keyPlace,
    momentStepMs: document === undefined ? null : momentStepMs(document),
  });
  const gate = createGate({
    behaviour,
    aliasOf: createKeyring(new Map(keys.map(({ alias, secret }) => [alias, secret]))),
    limits,
    windowMs,
  });
  const messages = createMessageStore({ nowMs, sentBefore: 0, onSent: () => undefined });
  const onCounted: ArrivalRecorder['counted'] = (request, counted) => recorder.counted(request, counted);
  const api = createApi({
    ...{ gate: watched(gate, recorder), messages, paths, node: 0, nowMs, onCounted },
    keyPlace,
  });
  recorder.watch(api.app.server);
  if (onRequest !== undefined) api.app.server.prependListener('request', onRequest);
  try {
    const bound = await listen(api.app, { host, port });
    return { url: `http://${clientHost(host)}:${bound}`, nowMs, close: () => api.close(graceMs) };
  } catch (error) {
    await api.close(0);
    throw error;
  }
}

function watched(gate: WaitingGate, recorder: ArrivalRecorder): WaitingGate {
  return {
    rule: (request) => gate.rule(request),
    success(success, context) {
      const answer = gate.success(success, context);
      recorder.answering(answer, context, null);
      return answer;
    },
    failure(error, context) {
      const answer = gate.failure(error, context);
      recorder.answering(answer, context, error);
      return answer;
    },
  };
}

type Refusing = {
  /** Aliases of the keys that are refused at first. */
  readonly keys: ReadonlySet<string>;
  /** How long, from the first request of each of them, ms. */
  readonly refuseMs: number;
};

/** The wait that each of these refusals announces, ms. */
const askedMs = 1_000;

/**
 * Refuses every request of some keys for a while after their first, each time with a retry_after_seconds of 1, as if
 * others used the key up. Only then does a client show how its waits develop. After that the documented limits hold.
 */
function refusing({ keys, refuseMs }: Refusing): Patch {
  const firstMs = new Map<string, number>();
  return (behaviour) => ({
    ...behaviour,
    decide(request, asked) {
      if (!keys.has(request.key)) return behaviour.decide(request, asked);
      const { nowMs } = asked;
      const fromMs = firstMs.get(request.key) ?? nowMs;
      firstMs.set(request.key, fromMs);
      if (nowMs >= fromMs + refuseMs) return behaviour.decide(request, asked);
      return { admitted: false, remaining: 0, resetMs: nowMs + askedMs, retryAfterMs: askedMs };
    },
  });
}

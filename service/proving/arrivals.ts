import { createHash, hash } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Arrival } from '../../contract/clients/trace.ts';
import type { KeyPlace } from '../../contract/document/key-place.ts';
import { withoutParameter } from '../../contract/query.ts';
import type { Answer, AnswerContext } from '../answers.ts';
import type { ApiError, DecidedRequest } from '../behaviour.ts';

/** Records what a client sends and the answers to it: one arrival for each request with a valid key. */
export type ArrivalRecorder = {
  /** Must be called before anything reads bodies. */
  watch(server: Server): void;
  counted(request: IncomingMessage, counted: DecidedRequest): void;
  /** An answer that is about to be handed to its connection. */
  answering(answer: Answer, context: AnswerContext, error: ApiError | null): void;
};

type Open = {
  readonly index: number;
  readonly counted: DecidedRequest;
  answeredMs: number | null;
  status: number | null;
  hasPassed: boolean;
  retryAfterSeconds: number | null;
};

/** Characters of a request target that a trace keeps. */
const pathCharactersMax = 256;

export type Recorded = {
  /** Where keys stand: they are in no arrival, nor in what tells one request from another. */
  readonly keyPlace: KeyPlace;
  /** The step of the moments by which refusals tell when a wait is over, ms; `null` where they tell how long it is. */
  readonly momentStepMs: number | null;
};

export function recordArrivals(
  onArrival: (arrival: Arrival) => void,
  { keyPlace, momentStepMs }: Recorded,
): ArrivalRecorder {
  const targetOf = ({ url = '' }: IncomingMessage): string =>
    keyPlace.in === 'query' ? withoutParameter(url, keyPlace.name) : url;

  const seen = new WeakMap<IncomingMessage, { counted: DecidedRequest | null }>();
  const open = new Map<DecidedRequest, Open>();
  let arrivals = 0;

  const ended = (request: IncomingMessage, contentOf: () => string): void => {
    const counted = seen.get(request)?.counted ?? null;
    const entry = counted === null ? undefined : open.get(counted);
    if (counted === null || entry === undefined) return;
    open.delete(counted);
    const { key, scope, connection, nowMs } = counted;
    const { index, answeredMs, status, hasPassed, retryAfterSeconds } = entry;
    const untilMs =
      retryAfterSeconds === null || momentStepMs === null
        ? null
        : momentStepMs * Math.ceil((nowMs + counted.decision.retryAfterMs) / momentStepMs);
    const target = targetOf(request);
    onArrival({
      kind: 'arrival',
      index,
      key,
      scope,
      connection,
      method: request.method ?? '',
      path: target.slice(0, pathCharactersMax),
      ...identityOf(request, { index, target }, contentOf),
      arrivedMs: nowMs,
      answeredMs,
      status,
      ...(hasPassed ? { passed: true } : {}),
      retryAfterSeconds,
      ...(untilMs === null ? {} : { untilMs }),
    });
  };

  return {
    watch(server) {
      server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
        seen.set(request, { counted: null });
        const contentOf = digestOfBody(request);
        response.once('close', () => ended(request, contentOf));
      });
    },
    counted(request, counted) {
      const known = seen.get(request);
      if (known === undefined) return;
      known.counted = counted;
      open.set(counted, {
        index: arrivals,
        counted,
        answeredMs: null,
        status: null,
        hasPassed: false,
        retryAfterSeconds: null,
      });
      arrivals += 1;
    },
    answering({ status }, { counted, nowMs }, error) {
      const entry = counted === null ? undefined : open.get(counted);
      if (entry === undefined) return;
      entry.answeredMs = nowMs;
      entry.status = status;
      entry.hasPassed = error?.hasPassed === true;
      entry.retryAfterSeconds = error?.retryAfterSeconds ?? null;
    },
  };
}

/** The header by which a client marks repetitions of one request (IETF draft of that name). */
const idempotencyHeader = 'idempotency-key';

/** By what a request is known again. A body that broke off equals no other, so its index becomes part of what it holds. */
function identityOf(
  request: IncomingMessage,
  { index, target }: { readonly index: number; readonly target: string },
  contentOf: () => string,
): Pick<Arrival, 'identity' | 'content'> {
  const held = request.complete ? contentOf() : `broken off ${index}`;
  const content = short(hash('sha256', `${request.method} ${target} ${held}`));
  const given = request.headers[idempotencyHeader];
  return typeof given === 'string' && given !== ''
    ? { identity: { by: 'idempotency-key', digest: short(hash('sha256', given)) }, content }
    : { identity: { by: 'content', digest: content } };
}

/** Node hands each chunk of a body to `push`. Seen there, a chunk is neither taken from its reader nor delayed. */
function digestOfBody(request: IncomingMessage): () => string {
  const digest = createHash('sha256');
  const push = request.push.bind(request);
  request.push = (chunk: unknown, encoding) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) digest.update(chunk);
    return push(chunk, encoding);
  };
  return () => digest.copy().digest('hex');
}

/** Long enough to distinguish the requests of a run. */
function short(digest: string): string {
  return digest.slice(0, 16);
}

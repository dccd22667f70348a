import { recordedNames } from '../contract/document/headers.ts';
import { messagingDocument } from '../contract/document/messaging.ts';
import { pathOf } from '../contract/document/paths.ts';
import type { Limits } from '../contract/scopes.ts';
import type { Answer } from './answers.ts';
import { behaviourOf, type ServedDocument } from './documented-behaviour.ts';
import { notFound } from './errors.ts';
import type { Deviation } from './faults/fault.ts';
import { withFaults } from './faults.ts';
import { createGate } from './gate.ts';
import { inHeadersOf } from './header-style.ts';
import { plainPathsOf } from './path.ts';

/** One request to the service without its sockets. `key` is the alias of a valid key, `null` for any other. */
export type OfflineRequest = {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly userAgent?: string | undefined;
  readonly credential: 'valid' | 'absent' | 'malformed' | 'unknown';
  readonly connection: number;
  readonly node: number;
};

/** The parts of an answer that a trace keeps; header values as a client would read them. */
export type OfflineAnswer = {
  readonly status: number;
  readonly headers: {
    readonly limit: string | null;
    readonly remaining: string | null;
    readonly reset: string | null;
  };
  readonly retryAfter: string | null;
  readonly date: string | null;
  readonly contentType: string | null;
  readonly body: string;
  readonly delayMs: number;
};

export type OfflineSettings = {
  /** Default: the messaging document. */
  readonly document?: ServedDocument;
  readonly limits: Limits;
  readonly windowMs: number;
  readonly faults: readonly Deviation[];
};

/** Paths that are answered 2xx here, with those that a document names. Every other path is not found, as over sockets. */
const found = /^\/v1\/(status|messages|messages\/msg_reference|media)$/;

/**
 * The service as a function of a request and a moment, ms: the same gate as behind the sockets, to play whole runs in
 * virtual time. Every alias is a valid key. `null` stands for no answer.
 */
export function offlineService({ document = messagingDocument, limits, windowMs, faults }: OfflineSettings) {
  const plain = new Set(plainPathsOf(document));
  const behaviour = inHeadersOf(document, withFaults(behaviourOf(document), faults));
  const fieldOf = fieldsNamed(recordedNames(document));
  const read = (answer: Answer, delayMs: number): OfflineAnswer => offlineAnswer(answer, delayMs, fieldOf);
  const gate = createGate({ behaviour, aliasOf: (secret) => aliasOf(secret), limits, windowMs });
  return (request: OfflineRequest, nowMs: number): OfflineAnswer | null => {
    const { method, path, userAgent, connection, node } = request;
    const authorization = authorizationOf(request);
    const ruling = gate.rule({ method, path, authorization, userAgent, connection, node, nowMs });
    const context = { counted: ruling.counted, nowMs };
    if (ruling.kind === 'drop') return null;
    if (ruling.kind === 'refuse') return read(gate.failure(ruling.error, context), 0);
    const delayMs = ruling.kind === 'delay' ? ruling.delayMs : 0;
    if (!found.test(path) && !plain.has(pathOf(path))) return read(gate.failure(notFound, context), delayMs);
    return read(gate.success({ status: 200, data: null }, context), delayMs);
  };
}

const keyPrefix = 'key-';

function aliasOf(secret: string): string | null {
  return secret.startsWith(keyPrefix) ? secret.slice(keyPrefix.length) : null;
}

function authorizationOf({ credential, key }: Pick<OfflineRequest, 'credential' | 'key'>): string | null {
  switch (credential) {
    case 'valid':
      return `Bearer ${keyPrefix}${key}`;
    case 'absent':
      return null;
    case 'malformed':
      return 'Bearer';
    case 'unknown':
      return 'Bearer unknown';
    default:
      return credential satisfies never;
  }
}

function offlineAnswer({ status, headers, body }: Answer, delayMs: number, fieldOf: FieldOf): OfflineAnswer {
  const read = {
    limit: null as string | null,
    remaining: null as string | null,
    reset: null as string | null,
    retryAfter: null as string | null,
    date: null as string | null,
    contentType: null as string | null,
  };
  for (const [name, text] of headers) {
    const field = fieldOf(name);
    if (field !== null) read[field] = read[field] === null ? text : `${read[field]}, ${text}`;
  }
  const { limit, remaining, reset, retryAfter, date, contentType } = read;
  return {
    status,
    headers: { limit, remaining, reset },
    retryAfter,
    date,
    contentType,
    body,
    delayMs,
  };
}

type Field = keyof OfflineAnswer['headers'] | 'retryAfter' | 'date' | 'contentType';

type FieldOf = (name: string) => Field | null;

/** The field of an answer that a header line goes into; `null` for headers that no trace keeps. */
function fieldsNamed({ limit, remaining, reset }: ReturnType<typeof recordedNames>): FieldOf {
  return (name) => {
    switch (name) {
      case limit:
        return 'limit';
      case remaining:
        return 'remaining';
      case reset:
        return 'reset';
      case 'Retry-After':
        return 'retryAfter';
      case 'Date':
        return 'date';
      case 'Content-Type':
        return 'contentType';
      default:
        return null;
    }
  };
}

import { scopesByRequest } from '../contract/document/counted-requests.ts';
import { recordedNames } from '../contract/document/headers.ts';
import { messagingDocument } from '../contract/document/messaging.ts';
import { samplePathOf } from '../contract/document/path-pattern.ts';
import { pathOf } from '../contract/document/paths.ts';
import { recordedRetryAfter } from '../contract/document/retry-after.ts';
import { allHeadersOf, headersIn } from '../contract/document/scope-headers.ts';
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
const found = new Set(['/v1/status', '/v1/messages', '/v1/messages/msg_reference', '/v1/media']);

/**
 * The service as a function of a request and a moment, ms: the same gate as behind the sockets, to play whole runs in
 * virtual time. Every alias is a valid key. `null` stands for no answer.
 */
export function offlineService({ document = messagingDocument, limits, windowMs, faults }: OfflineSettings) {
  const plain = new Set(plainPathsOf(document).map(samplePathOf));
  const behaviour = inHeadersOf(document, withFaults(behaviourOf(document), faults));
  const namesOf = namesByRequest(document);
  const gate = createGate({ behaviour, aliasOf: (secret) => aliasOf(secret), limits, windowMs });
  return (request: OfflineRequest, nowMs: number): OfflineAnswer | null => {
    const { method, path, userAgent, connection, node } = request;
    const authorization = authorizationOf(request);
    const ruling = gate.rule({ method, path, authorization, userAgent, connection, node, nowMs });
    const context = { counted: ruling.counted, nowMs };
    const read = (answer: Answer, afterMs: number): OfflineAnswer =>
      offlineAnswer(answer, afterMs, namesOf(request));
    if (ruling.kind === 'drop') return null;
    if (ruling.kind === 'refuse') return read(gate.failure(ruling.error, context), 0);
    const delayMs = ruling.kind === 'delay' ? ruling.delayMs : 0;
    if (!found.has(path) && !plain.has(pathOf(path))) return read(gate.failure(notFound, context), delayMs);
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

type ReadNames = ReturnType<typeof recordedNames> & { readonly retryAfter: string };

/** The headers that a client reads of the answer to a request, which knows in which scope it is counted. */
function namesByRequest(document: ServedDocument): (request: OfflineRequest) => ReadNames {
  const retryAfter = recordedRetryAfter(document.refusal);
  const readIn = (said: Parameters<typeof recordedNames>[0]): ReadNames => ({
    ...recordedNames(said),
    retryAfter,
  });
  const said = allHeadersOf(document);
  const usual = readIn(said[0] ?? document);
  if (said.length < 2) return () => usual;
  const scopeOf = scopesByRequest(document);
  return ({ path, method }) => readIn(headersIn(document, scopeOf(pathOf(path), method)));
}

/** What a trace keeps of an answer; headers that stand in it twice are joined, as a client reads them. */
function offlineAnswer({ status, headers, body }: Answer, delayMs: number, names: ReadNames): OfflineAnswer {
  let limit: string | null = null;
  let remaining: string | null = null;
  let reset: string | null = null;
  let retryAfter: string | null = null;
  let date: string | null = null;
  let contentType: string | null = null;
  for (const [name, text] of headers) {
    if (name === names.limit) limit = joined(limit, text);
    if (name === names.remaining) remaining = joined(remaining, text);
    if (name === names.reset) reset = joined(reset, text);
    if (name === names.retryAfter) retryAfter = joined(retryAfter, text);
    else if (name === 'Date') date = joined(date, text);
    else if (name === 'Content-Type') contentType = joined(contentType, text);
  }
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

function joined(before: string | null, text: string): string {
  return before === null ? text : `${before}, ${text}`;
}

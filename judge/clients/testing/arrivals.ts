import type { Arrival, ClientHeader, ClientTrace } from '../../../contract/clients/trace.ts';

type More = Partial<Arrival>;

/** A request that was admitted as it arrived, ms. */
export function admitted(digest: string, arrivedMs: number, more: More = {}): Arrival {
  return arrival(digest, arrivedMs, { status: 201, ...more });
}

/** A request that was refused as it arrived, ms, and asked to come back a second later. */
export function limited(digest: string, arrivedMs: number, more: More = {}): Arrival {
  return arrival(digest, arrivedMs, { status: 429, retryAfterSeconds: 1, ...more });
}

/** One request that is refused until it has waited so long after each 429, ms, and then admitted. */
export function waiting(
  digest: string,
  waitsMs: readonly number[],
  more: (attempt: number) => More = () => ({}),
): readonly Arrival[] {
  let atMs = 0;
  const refused = waitsMs.map((waitMs, attempt) => {
    const one = limited(digest, atMs, more(attempt));
    atMs += waitMs;
    return one;
  });
  const last = admitted(digest, atMs, { ...more(waitsMs.length), retryAfterSeconds: null });
  return [...refused, last];
}

function arrival(digest: string, arrivedMs: number, more: More): Arrival {
  return {
    kind: 'arrival',
    index: 0,
    key: 'A',
    scope: 'messages',
    method: 'POST',
    path: '/v1/messages',
    connection: 1,
    identity: { by: 'idempotency-key', digest },
    arrivedMs,
    answeredMs: arrivedMs,
    status: null,
    retryAfterSeconds: null,
    ...more,
  };
}

type Around = Partial<Pick<ClientHeader, 'lessons' | 'requestsExpected'>> & Partial<Pick<ClientTrace, 'end'>>;

/** The trace of a client that is done, unless said otherwise, in order of arrival. */
export function traceOf(arrivals: readonly Arrival[], { end, ...header }: Around = {}): ClientTrace {
  const inOrder = arrivals.toSorted((left, right) => left.arrivedMs - right.arrivedMs);
  return {
    header: {
      kind: 'client-trace',
      schemaVersion: 1,
      tool: { name: 'test', version: '0' },
      runId: 'test',
      startedAt: '2026-01-01T00:00:00.000Z',
      windowMs: 60_000,
      limits: { standard: 120, messages: 300, media: 30 },
      lessons: { A: 'refusals' },
      requestsExpected: {},
      ...header,
    },
    arrivals: inOrder.map((one, index) => ({ ...one, index })),
    end: end === undefined ? { kind: 'end', endedAtMs: 600_000, clientIsDone: true } : end,
  };
}

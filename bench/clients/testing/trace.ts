import { type Arrival, assembleClientTrace, type ClientTrace } from '../../../contract/clients/trace.ts';
import { documentedLimits } from '../../../contract/scopes.ts';

/** Three jobs: one done at once, one done after it came back too early, one never sent. */
export function provingTrace(): ClientTrace {
  const arrival = (index: number, digest: string, status: number): Arrival => ({
    kind: 'arrival',
    index,
    key: 'A',
    scope: 'messages',
    method: 'POST',
    path: '/v1/messages',
    connection: 1,
    identity: { by: 'idempotency-key', digest },
    arrivedMs: 1_000 * index,
    answeredMs: 1_000 * index + 1,
    status,
    retryAfterSeconds: status === 429 ? 5 : null,
  });
  return assembleClientTrace([
    {
      kind: 'client-trace',
      schemaVersion: 1,
      tool: { name: 'test', version: '0' },
      runId: 'test',
      startedAt: '2025-11-01T12:00:00.000Z',
      windowMs: 60_000,
      limits: documentedLimits,
      lessons: { A: 'limits' },
      requestsExpected: { A: 3 },
    },
    arrival(0, 'one', 201),
    arrival(1, 'two', 429),
    arrival(2, 'two', 201),
    { kind: 'end', endedAtMs: 9_000, clientIsDone: true },
  ]);
}

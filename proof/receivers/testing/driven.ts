import { type Clock, systemClock } from '../../../checks/clock.ts';
import { driveReceiver } from '../../../checks/webhooks/drive/drive-receiver.ts';
import { driveCases } from '../../../contract/webhooks/drive/registry.ts';
import {
  type DriveHeader,
  type DriveTrace,
  driveTraceSchemaVersion,
} from '../../../contract/webhooks/drive/trace.ts';
import { candidatesFor } from '../../../run/webhooks/candidates.ts';
import { firstSecret, secondSecret } from './receiver.ts';

export type DriveSetting = {
  readonly target: string;
  readonly effects: string | null;
  /** How long an answer may take: longer than any that is meant to come, on a machine as busy as it may be. */
  readonly budgetMs: number;
  readonly burst: DriveHeader['burst'];
  /** Answers that may be awaited at a time; default: one. */
  readonly atATimeMax?: number;
  readonly clock?: Clock;
  /** Ends the drive; default: nothing does. */
  readonly signal?: AbortSignal;
};

/** Drives a receiver with every case, and keeps the trace in memory. */
export async function drive({
  target,
  effects,
  budgetMs,
  burst,
  atATimeMax = 1,
  clock = systemClock,
  signal = new AbortController().signal,
}: DriveSetting): Promise<DriveTrace> {
  const header: DriveHeader = {
    kind: 'webhook-drive',
    schemaVersion: driveTraceSchemaVersion,
    tool: { name: 'test', version: '0' },
    runId: 'test',
    startedAt: new Date(0).toISOString(),
    target,
    secretEnv: ['FIRST', 'SECOND'],
    effects,
    budgetMs,
    effectsWaitMs: 400,
    burst,
    cases: driveCases.map(({ id }) => id),
  };
  const deliveries: DriveTrace['deliveries'][number][] = [];
  const looks: DriveTrace['effects'][number][] = [];
  const { reason } = await driveReceiver({
    header,
    cases: driveCases,
    secrets: [firstSecret, secondSecret],
    wrongSecret: 'a-secret-that-no-receiver-knows',
    candidates: (request) => candidatesFor(firstSecret, request),
    userAgent: 'test',
    atATimeMax,
    clock,
    signal,
    onLine: (line) => (line.kind === 'delivery' ? deliveries.push(line) : looks.push(line)),
    onNote: () => undefined,
    onEvent: () => undefined,
  });
  const end = { kind: 'end', endedAt: header.startedAt, complete: reason === null, reason } as const;
  return { header, deliveries, effects: looks, notes: [], end };
}

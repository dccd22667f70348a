import { join } from 'node:path';
import { systemClock } from '../../checks/clock.ts';
import type { ProbeKey } from '../../checks/http-request.ts';
import { httpClientClockId } from '../../checks/ready-request.ts';
import type { Deployment } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { traceHeader } from '../../contract/trace-header.ts';
import { openRunRecorder } from '../../run/record/recorder.ts';
import { keyRemover } from '../../run/record/without-keys.ts';

export type Recording = {
  readonly path: string;
  readonly exchange: (exchange: Exchange) => void;
  /** Ends the file. `reason` is `null` where the run is complete. */
  readonly end: (reason: string | null) => void;
};

export type RecordingInput = {
  readonly folder: string;
  /** Name of the file, without its ending. */
  readonly name: string;
  readonly runId: string;
  readonly deployment: Deployment;
  readonly keys: readonly ProbeKey[];
  readonly requestsMax: number;
  readonly seconds: number;
  readonly version: string;
};

/** A trace of one row, written while it happens; it can be judged again later like any other. */
export function openRecording(input: RecordingInput): Recording {
  const { deployment, keys, runId, requestsMax, seconds } = input;
  const { nowMs } = systemClock;
  const header = traceHeader({
    tool: { name: 'messaging-conformance gallery', version: input.version },
    runId,
    startedAtMs: nowMs(),
    mode: 'full',
    limits: documentedLimits,
    deployment,
    keys: keys.map(({ alias }) => alias),
    clocks: [{ id: httpClientClockId, kind: 'monotonic', offsetMsMax: 0 }],
    plan: { requestsMax, peakRequestsPerSecond: requestsMax, seconds },
  });
  const path = join(input.folder, `${input.name}.ndjson`);
  const recorder = openRunRecorder({ path, header, remove: keyRemover(keys), nowMs });
  return { path, exchange: recorder.exchange, end: (reason) => recorder.end({ reason }) };
}

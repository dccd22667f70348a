import { join } from 'node:path';
import { systemClock } from '../../checks/clock.ts';
import { driverClockId, type ProbeKey } from '../../checks/driver.ts';
import type { Deployment } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { assembleTrace, type Trace, type TraceLine, traceSchemaVersion } from '../../contract/trace.ts';
import { openTrace } from '../../run/record/trace-writer.ts';
import { rule } from './subject.ts';

export type Recording = {
  readonly exchange: (exchange: Exchange) => void;
  /** Ends the file, and gives what is in it. `reason` is `null` where the run came to its end. */
  readonly end: (reason: string | null) => Trace;
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
  const lines: TraceLine[] = [
    {
      kind: 'trace',
      schemaVersion: traceSchemaVersion,
      tool: { name: 'messaging-conformance gallery', version: input.version },
      runId,
      startedAt: new Date(systemClock.nowMs()).toISOString(),
      mode: 'full',
      windowMs: rule.windowMs,
      limits: documentedLimits,
      deployment,
      keys: keys.map(({ alias }) => alias),
      clocks: [{ id: driverClockId, kind: 'monotonic', offsetMsMax: 0 }],
      plan: { requestsMax, peakRequestsPerSecond: requestsMax, seconds },
    },
  ];
  const [header] = lines;
  if (header?.kind !== 'trace') throw new Error('a trace begins with its header');
  const file = openTrace<TraceLine>(join(input.folder, `${input.name}.ndjson`), header);
  const add = (line: TraceLine): void => {
    lines.push(line);
    file.write(line);
  };
  return {
    exchange: add,
    end: (reason) => {
      const endedAt = new Date(systemClock.nowMs()).toISOString();
      add({ kind: 'end', endedAt, complete: reason === null, reason });
      file.close();
      return assembleTrace(lines);
    },
  };
}

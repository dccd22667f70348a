import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { systemClock } from '../../checks/clock.ts';
import { traceFileName } from '../judge/trace-file.ts';
import { openRunRecorder } from '../record/recorder.ts';
import { inRunDirectory } from '../record/run-directory.ts';
import { hideKeys } from '../record/without-keys.ts';
import type { RunContext } from '../run-context.ts';
import type { Endpoint } from './endpoint.ts';
import { identificationHeader } from './identification-trace.ts';
import { type ProbeEvent, type ProbeResult, probeEndpoint } from './probe-endpoint.ts';

/** What an identification needs of the process around it. */
export type IdentifyContext = Pick<RunContext, 'cwd' | 'signal' | 'session'> & {
  readonly onEvent: (event: ProbeEvent) => void;
};

/** How an identification ended, and where everything is that was sent. */
export type ConductedIdentification = { readonly probed: ProbeResult; readonly traceFile: string };

/** One whole identification: asks the endpoint, and keeps the trace of it however that ends. */
export async function conductIdentify(
  endpoint: Endpoint,
  { out, context }: { readonly out: string; readonly context: IdentifyContext },
): Promise<ConductedIdentification> {
  const { session, cwd, signal, onEvent } = context;
  const { nowMs } = systemClock;
  const startedAtMs = nowMs();
  hideKeys(session, endpoint.secrets);
  return inRunDirectory(resolve(cwd, out), startedAtMs, async (directory) => {
    const path = join(directory, traceFileName);
    const runId = randomBytes(4).toString('hex');
    const header = identificationHeader({ endpoint, runId, startedAtMs });
    const recorder = openRunRecorder({ path, header, remove: session.removeKeys, nowMs });
    session.traceFile = path;
    let reason: string | null = 'an error of this program broke the identification off';
    try {
      const probed = await probeEndpoint(endpoint, { runId, signal, record: recorder.exchange, onEvent });
      reason = probed.kind === 'stopped' ? probed.reason : null;
      return { probed, traceFile: path };
    } finally {
      recorder.end({ reason });
    }
  });
}

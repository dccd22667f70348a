import { join } from 'node:path';
import { systemClock } from '../../checks/clock.ts';
import { type Endpoint, endpointOf } from '../../run/identify/endpoint.ts';
import { identificationHeader } from '../../run/identify/identification-trace.ts';
import { type Probed, probeEndpoint } from '../../run/identify/probe-endpoint.ts';
import { openRunRecorder } from '../../run/record/recorder.ts';
import { keyRemover } from '../../run/record/without-keys.ts';
import type { RunningPeer } from './running-peer.ts';

/**
 * What the command `identify` does, as it comes: it is told the address, the key and the status of a refusal, and nothing
 * of limit and window. Its trace is kept: `judge --identify` reads it again.
 */
export async function runIdentification(running: RunningPeer): Promise<Probed> {
  const { folder, slug, signal } = running;
  const endpoint = endpointAt(running);
  const { nowMs } = systemClock;
  const runId = `${slug}-identify`;
  const recorder = openRunRecorder({
    path: join(folder, `${runId}.ndjson`),
    header: identificationHeader({ endpoint, runId, startedAtMs: nowMs() }),
    remove: keyRemover(endpoint.secrets),
    nowMs,
  });
  const record = recorder.exchange;
  const probed = await probeEndpoint(endpoint, { runId, signal, record, onEvent: () => undefined });
  recorder.end({ reason: probed.kind === 'stopped' ? probed.reason : null });
  return probed;
}

const keyEnv = 'GALLERY_KEY';

/** The defaults of the command's flags. */
const defaults = {
  method: 'GET',
  contentType: 'application/json',
  longest: 300,
  out: '',
  timeout: 10,
} as const;

function endpointAt({ peer, url, keys }: RunningPeer): Endpoint {
  const flags = { ...defaults, url: `${url}${peer.request.path}`, keyEnv, refusedBy: [peer.refusal] };
  const endpoint = endpointOf(flags, { [keyEnv]: keys.identification.secret });
  const requests = { standard: peer.request };
  return {
    ...endpoint,
    deployment: { ...endpoint.deployment, requests },
    shown: { ...endpoint.shown, requests },
  };
}

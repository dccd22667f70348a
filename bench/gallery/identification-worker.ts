import { join } from 'node:path';
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../checks/clock.ts';
import type { RequestTemplate } from '../../contract/request-template.ts';
import { type Endpoint, endpointOf } from '../../run/identify/endpoint.ts';
import { identificationHeader } from '../../run/identify/identification-trace.ts';
import { type ProbeResult, probeEndpoint } from '../../run/identify/probe-endpoint.ts';
import { openRunRecorder } from '../../run/record/recorder.ts';
import { keyRemover } from '../../run/record/without-keys.ts';

/** What one identification needs to know. */
export type IdentificationOrder = {
  readonly url: string;
  readonly request: RequestTemplate;
  readonly refusal: number;
  readonly secret: string;
  /** Where the trace goes, and its name without its ending. */
  readonly folder: string;
  readonly name: string;
};

const keyEnv = 'GALLERY_KEY';

/** The defaults of the command's flags. */
const defaults = {
  method: 'GET',
  contentType: 'application/json',
  longest: 300,
  out: '',
  timeout: 10,
} as const;

/** A thread of its own: what an identification computes between two requests must not hold up any other. */
parentPort?.postMessage(await identified(workerData as IdentificationOrder));

async function identified(order: IdentificationOrder): Promise<ProbeResult> {
  const endpoint = await endpointAt(order);
  const { nowMs } = systemClock;
  const runId = order.name;
  const recorder = openRunRecorder({
    path: join(order.folder, `${runId}.ndjson`),
    header: identificationHeader({ endpoint, runId, startedAtMs: nowMs() }),
    remove: keyRemover(endpoint.secrets),
    nowMs,
  });
  const { signal } = new AbortController();
  const record = recorder.exchange;
  const probed = await probeEndpoint(endpoint, { runId, signal, record, onEvent: () => undefined });
  recorder.end({ reason: probed.kind === 'stopped' ? probed.reason : null });
  return probed;
}

async function endpointAt({ url, request, refusal, secret }: IdentificationOrder): Promise<Endpoint> {
  const flags = { ...defaults, url: `${url}${request.path}`, keyEnv, refusedBy: [refusal] };
  const endpoint = await endpointOf(flags, { env: { [keyEnv]: secret }, cwd: process.cwd() });
  const requests = { standard: request };
  return {
    ...endpoint,
    deployment: { ...endpoint.deployment, requests },
    shown: { ...endpoint.shown, requests },
  };
}

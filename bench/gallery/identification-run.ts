import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ProbeResult } from '../../run/identify/probe-endpoint.ts';
import type { IdentificationOrder } from './identification-worker.ts';
import type { RunningPeer } from './running-peer.ts';

/**
 * What the command `identify` does, as it comes: it is told the address, the key and the status of a refusal, and nothing
 * of limit and window. Its trace is kept: `judge --identify` reads it again.
 * @throws {Error} where it is stopped.
 */
export async function runIdentification(running: RunningPeer): Promise<ProbeResult> {
  const { peer, url, keys, folder, slug, signal } = running;
  const order: IdentificationOrder = {
    url,
    request: peer.request,
    refusal: peer.refusal,
    secret: keys.identification.secret,
    folder,
    name: `${slug}-identify`,
  };
  const worker = new Worker(new URL('./identification-worker.ts', import.meta.url), { workerData: order });
  try {
    const [probed] = await once(worker, 'message', { signal });
    return probed as ProbeResult;
  } finally {
    await worker.terminate();
  }
}

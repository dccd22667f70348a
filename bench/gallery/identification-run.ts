import { waitUntil } from '../../checks/clock.ts';
import { openHttpClient } from '../../checks/http-client.ts';
import { identifyStep } from '../../checks/identify/schedule.ts';
import { evidenceOf } from '../../checks/identify/second-look.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Identification } from '../../contract/identification.ts';
import { describe, identify } from '../../judge/identify/identify.ts';
import { openRecording } from './recording.ts';
import type { RunningPeer } from './running-peer.ts';
import { deploymentOf, scope } from './subject.ts';

/** Requests after which a limiter that refused none of them is none. */
const unlimitedAfter = 1_000;

/** The longest window that is looked for, ms. */
const windowMsMax = 300_000;

/** Nobody is asked for longer: what is still open then is said as it stands, ms. */
const askedMsMax = 420_000;

/**
 * The project's identification. It is told nothing of the limiter but the status of a refusal, as the command `identify`
 * with `--refused-by`.
 */
export async function runIdentification(running: RunningPeer): Promise<Identification> {
  const { peer, url, keys, folder, slug, version, signal } = running;
  const own = [keys.identification];
  const deployment = deploymentOf(peer, url, own);
  const runId = `${slug}-identify`;
  const recording = openRecording({
    folder,
    name: runId,
    runId,
    deployment,
    keys: own,
    requestsMax: 2 * unlimitedAfter,
    seconds: askedMsMax / 1_000,
    version,
  });
  const soFar: Exchange[] = [];
  const onExchange = (raw: Exchange): void => {
    const exchange: Exchange = raw.status === peer.refusal ? { ...raw, outcome: 'limited' } : raw;
    soFar.push(exchange);
    recording.exchange(exchange);
  };
  const userAgent = `messaging-conformance/${version} gallery`;
  const client = openHttpClient({ deployment, keys: own, runId, userAgent, signal, onExchange });
  const target = {
    request: { scope, route: 'main', key: keys.identification.alias, credential: 'valid' },
    limit: null,
    windowMs: null,
    windows: 'auto',
    windowMsMax,
    unlimitedAfter,
  } as const;
  try {
    await client.warm(scope);
    const untilMs = client.clock.nowMs() + askedMsMax;
    while (!signal.aborted && client.clock.nowMs() < untilMs) {
      const step = identifyStep(target, soFar, client.clock.nowMs());
      if (step.kind === 'done') break;
      if (step.kind === 'send') await client.send(step.purpose, step.requests);
      else await waitUntil(Math.min(step.untilMs, untilMs), client.clock, signal);
    }
    recording.end(signal.aborted ? 'the gallery was stopped' : null);
  } finally {
    await client.close();
  }
  return describe(identify(evidenceOf(soFar)));
}

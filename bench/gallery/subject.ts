import { randomBytes } from 'node:crypto';
import type { ProbeKey } from '../../checks/http-request.ts';
import { type Deployment, deploymentSchema } from '../../contract/deployment.ts';
import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import type { Peer, Rule } from './peer.ts';

/** The document's limit that every server of the gallery is set to keep: the one without a figure per second. */
export const scope = 'media';
export const rule: Rule = { limit: documentedLimits[scope], windowMs: documentedWindowMs };

export type Keys = {
  /** Two keys for the conformance run, and one for the identification beside it: each has a window of its own. */
  readonly contract: readonly ProbeKey[];
  readonly identification: ProbeKey;
};

export function makeKeys(): Keys {
  const make = (alias: string): ProbeKey => ({ alias, secret: `gallery-${randomBytes(12).toString('hex')}` });
  return { contract: [make('A'), make('B')], identification: make('C') };
}

/** A limiter that delays answers for as long as its burst allows must not run into a time-out of ours. */
const requestTimeoutSeconds = 20;

/** What is said about every server: the limiter alone is looked at, so nothing is asked without a key. */
export function deploymentOf(peer: Peer, url: string, keys: readonly ProbeKey[]): Deployment {
  return deploymentSchema.parse({
    name: nameOf(peer),
    baseUrls: [url],
    // These name the keys in messages; the gallery makes its keys itself.
    keyEnv: keys.map(({ alias }) => `GALLERY_KEY_${alias}`),
    requests: { [scope]: peer.request },
    probeWithoutKey: false,
    requestTimeoutSeconds,
    connectionsPerScope: rule.limit,
  });
}

export function nameOf({ library, setting }: Pick<Peer, 'library' | 'setting'>): string {
  return setting === '' ? library : `${library}, ${setting}`;
}

import { randomBytes } from 'node:crypto';
import type { ProbeKey } from '../../checks/http-request.ts';
import { type Deployment, deploymentSchema } from '../../contract/deployment.ts';
import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import type { Peer } from './peer.ts';
import type { Rule } from './rule.ts';

/** The scope whose limit a server must keep to be held to the document: the one without a figure per second. */
export const scope = 'media';
export const documentedRule: Rule = { limit: documentedLimits[scope], windowMs: documentedWindowMs };

/** Whether a server kept to this rule can be held to the document. */
export function isDocumented({ limit, windowMs }: Rule): boolean {
  return limit === documentedRule.limit && windowMs === documentedRule.windowMs;
}

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

/** Connections that stand open, so that a burst leaves at once; as many as the command `identify` opens. */
const connections = 64;

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
    connectionsPerScope: connections,
  });
}

export function nameOf({ library, setting }: Pick<Peer, 'library' | 'setting'>): string {
  return setting === '' ? library : `${library}, ${setting}`;
}

/** A row's name as a part of file names. */
export function slugOf(peer: Pick<Peer, 'origin' | 'library' | 'setting'>): string {
  return `${peer.origin} ${nameOf(peer)}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

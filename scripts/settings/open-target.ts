import { randomBytes } from 'node:crypto';
import type { ProbeKey } from '../../checks/driver.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { startService } from '../../service/server.ts';
import { checkHosts } from './allowed-hosts.ts';
import type { Settings } from './settle-settings.ts';
import { type Environment, takeKeys } from './take-keys.ts';

/** A deployment that can be probed: its address is known, its keys are at hand. */
export type Target = {
  readonly deployment: Deployment;
  readonly keys: readonly ProbeKey[];
  readonly origin: string;
  close(): Promise<void>;
};

/**
 * Takes the keys from the environment, or starts the embedded service with two keys of its own.
 * @throws {UsageError} where a host is not allowed or a key is missing.
 */
export async function openTarget(
  settings: Settings,
  options: { readonly env: Environment; readonly allowHosts: readonly string[] },
): Promise<Target> {
  const { kind, deployment, origin } = settings;
  if (kind === 'embedded') return embeddedTarget(settings);
  checkHosts(deployment.baseUrls, options.allowHosts);
  const keys = takeKeys(deployment.keyEnv, options.env);
  return { deployment, keys, origin, close: () => Promise.resolve() };
}

async function embeddedTarget({ deployment, origin }: Settings): Promise<Target> {
  const keys = ['A', 'B'].map((alias) => ({ alias, secret: newKey() }));
  const service = await startService({
    windowMs: deployment.windowSeconds * 1_000,
    limits: documentedLimits,
    keys: new Map(keys.map(({ alias, secret }) => [alias, secret])),
  });
  return {
    deployment: { ...deployment, baseUrls: [service.url] },
    keys,
    origin,
    close: () => service.close(),
  };
}

/** A random API key of 256 bits. */
export function newKey(): string {
  return `key_${randomBytes(32).toString('base64url')}`;
}

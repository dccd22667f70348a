import { type StdioOptions, spawn } from 'node:child_process';
import { mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expanded } from './expansion.ts';
import type { ConfigMap, Container, Pod, Variable } from './operator.ts';

/** What pods find in their namespace, and where the folders of their volumes are on this machine. */
export type Namespace = {
  readonly configMaps: readonly ConfigMap[];
  /** By name, then by field. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Folders by the name of the claim. */
  readonly claims: Readonly<Record<string, string>>;
};

export type PodSettings = {
  readonly namespace: Namespace;
  /** The loopback address that is the pod's own. */
  readonly ip: string;
  /** A folder for what is the pod's alone; it is made. */
  readonly folder: string;
  /** The PATH of its image: folders with its programs. */
  readonly path: string;
  /** Gets what it writes to its two outputs, as `kubectl logs` shows it. */
  readonly log: string;
  /** Ends the process. */
  readonly signal: AbortSignal;
};

/**
 * Runs the first container of a pod as a process, as a node would: its files, variables and command. It has no image, no
 * limits and no user of its own, what it mounts lies below `folder`, and of all addresses it listens at its own alone.
 * @returns its exit status.
 * @throws where a volume, a Secret or a field is missing, for which Kubernetes would never start it.
 */
export async function runPod({ metadata, spec }: Pod, settings: PodSettings): Promise<number> {
  const { ip, folder, path, signal } = settings;
  const [container] = spec.containers;
  if (container === undefined) throw new Error('a pod without a container');
  await mkdir(folder, { recursive: true });
  const variables: Record<string, string> = { PATH: path, HOME: folder, HOSTNAME: spec.hostname ?? '' };
  for (const variable of container.env ?? [])
    variables[variable.name] = resolved(variable, metadata.labels, variables, settings.namespace);
  const mounts = await mounted(container, spec.volumes ?? [], settings);
  const [command = '', ...args] = container.command
    .map((argument) => expanded(argument, variables))
    .map((argument) => mounts.reduce((text, [there, here]) => text.replace(there, `$1${here}/`), argument))
    .map((argument) => argument.replace(/^(--address=)0\.0\.0\.0:/, `$1${ip}:`));
  const log = await open(settings.log, 'w');
  try {
    return await new Promise((resolve, reject) => {
      const stdio: StdioOptions = ['ignore', log.fd, log.fd];
      const child = spawn(command, args, { cwd: folder, env: variables, signal, stdio });
      child.once('error', reject).once('close', (code) => resolve(code ?? 1));
    });
  } finally {
    await log.close();
  }
}

function resolved(
  { name, value, valueFrom }: Variable,
  labels: Pod['metadata']['labels'],
  earlier: Readonly<Record<string, string>>,
  { secrets }: Namespace,
): string {
  if (valueFrom === undefined) return expanded(value ?? '', earlier);
  const { secretKeyRef: secret, fieldRef } = valueFrom;
  const label = /^metadata\.labels\['(.+)'\]$/.exec(fieldRef?.fieldPath ?? '')?.[1];
  const found = secret === undefined ? labels[label ?? ''] : secrets[secret.name]?.[secret.key];
  if (found === undefined) throw new Error(`nothing gives ${name} its value: ${JSON.stringify(valueFrom)}`);
  return found;
}

/** Where an argument begins a path that is mounted, and the folder that is there. */
type Mount = readonly [there: RegExp, here: string];

async function mounted(
  { volumeMounts = [] }: Container,
  volumes: NonNullable<Pod['spec']['volumes']>,
  { namespace: { configMaps, claims }, folder }: PodSettings,
): Promise<readonly Mount[]> {
  return Promise.all(
    volumeMounts.map(async ({ name, mountPath }): Promise<Mount> => {
      const volume = volumes.find((one) => one.name === name);
      const configMap = configMaps.find(({ metadata }) => metadata.name === volume?.configMap?.name);
      const claim = claims[volume?.persistentVolumeClaim?.claimName ?? ''];
      if (configMap !== undefined) await layOut(join(folder, name), configMap.data);
      else if (claim === undefined) throw new Error(`nothing to mount at ${mountPath}`);
      return [new RegExp(`(^|=)${mountPath}/`), claim ?? join(folder, name)];
    }),
  );
}

/**
 * A ConfigMap as files: each is a symbolic link through `..data` to the folder of the version that counts
 * (pkg/volume/util/atomic_writer.go of Kubernetes v1.34).
 */
async function layOut(folder: string, data: ConfigMap['data']): Promise<void> {
  const version = '..2026_01_02_03_04_05.678901234';
  await mkdir(join(folder, version), { recursive: true });
  await symlink(version, join(folder, '..data'));
  for (const [name, text] of Object.entries(data)) {
    await writeFile(join(folder, version, name), text);
    await symlink(join('..data', name), join(folder, name));
  }
}

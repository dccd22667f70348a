import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, constants, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { buildGo, cacheFolderOf, type GoProgram } from '../../runner/build-go.ts';

/** The folder whose `go.mod` and `go.sum` pin the release of k6-operator that the manifests are for. */
export const operatorFolder = join(import.meta.dirname, 'operator');

/** What a test reads of a pod, in the words of Kubernetes' API. */
export type Pod = {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly hostname?: string;
    readonly automountServiceAccountToken: boolean;
    readonly securityContext: object;
    readonly containers: readonly Container[];
    readonly volumes?: readonly Volume[];
  };
};

export type Container = {
  readonly command: readonly string[];
  readonly env?: readonly Variable[];
  readonly securityContext: object;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
};

export type Variable = {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly secretKeyRef?: { readonly name: string; readonly key: string };
  };
};

type Volume = {
  readonly name: string;
  readonly configMap?: { readonly name: string };
  readonly persistentVolumeClaim?: { readonly claimName: string };
};

export type Job = {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly template: Pod };
};

export type ConfigMap = {
  readonly metadata: { readonly name: string };
  readonly data: Readonly<Record<string, string>>;
};

/** What k6-operator makes of a manifest. */
export type Made = {
  readonly configMaps: readonly ConfigMap[];
  readonly testRuns: readonly {
    readonly name: string;
    /** `null` where the manifest says that none is needed. */
    readonly initializer: Job | null;
    readonly runners: readonly { readonly job: Job; readonly service: object }[];
    readonly starter: Job;
  }[];
};

/**
 * The operator's code, with `main.go` around it, as a program in the user's cache. Where there is none of this source, Go builds it
 * there, within minutes.
 * @returns the path of the program.
 * @throws where that is not possible: without Go, or where Go cannot download modules.
 */
export async function operatorProgram(): Promise<string> {
  const program: GoProgram = {
    name: 'k6-operator',
    version: `1.5.0-${await sourceHash()}`,
    main: '.',
    moduleFolder: operatorFolder,
  };
  const path = join(cacheFolderOf(program, { env: process.env }), 'operator');
  const isThere = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (isThere) return path;
  const built = await buildGo({ env: process.env, program, path });
  if (built.kind !== 'built') throw new Error(built.kind === 'failed' ? built.reason : built.kind);
  return path;
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of ['main.go', 'go.mod', 'go.sum']) hash.update(await readFile(join(operatorFolder, name)));
  return hash.digest('hex').slice(0, 16);
}

/**
 * Asks that program what it makes of a manifest where the services of the runners have these addresses.
 * @throws with what it says where the manifest has a field that is unknown, or a value that is not possible.
 */
export function operatorOf(
  path: string,
  manifest: string,
  serviceAddresses: readonly string[],
): Promise<Made> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 * 1_024 * 1_024 };
    const child = execFile(path, serviceAddresses, options, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout) as Made);
      else reject(new Error(stderr.trim()));
    });
    child.stdin?.end(manifest);
  });
}

import { randomInt } from 'node:crypto';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Namespace, runPod } from './node.ts';
import { type Job, type Made, operatorOf, type Pod } from './operator.ts';

export type ClusterSettings = {
  /** The program of `operatorProgram`. */
  readonly operator: string;
  readonly k6: string;
  /** A new folder for all that the pods leave; their logs are in `logs`. */
  readonly folder: string;
  readonly secrets: Namespace['secrets'];
  readonly claims: Namespace['claims'];
};

/** What became of a manifest. */
export type Applied = {
  readonly made: Made;
  /** Pods by their names, which are those of their logs too. */
  readonly pods: ReadonlyMap<string, Pod>;
  /** Exit statuses of the runners. */
  readonly statuses: readonly number[];
};

/**
 * Applies a manifest of one TestRun to a cluster that is this machine, as the operator would (internal/controller of
 * k6-operator v1.5.0): its runners begin paused, and when all of them answer, its starter resumes them.
 * @throws where a runner ends before it was resumed.
 */
export async function apply(manifest: string, settings: ClusterSettings): Promise<Applied> {
  const { operator, k6, folder, secrets, claims } = settings;
  const image = join(folder, 'image');
  const logs = join(folder, 'logs');
  await mkdir(image, { recursive: true });
  await mkdir(logs);
  await symlink(k6, join(image, 'k6'));
  // A loopback address for each pod, so that all can listen on the operator's port, and its starter is run as it is.
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const ips = [1, 2, 3, 4].map((at) => `${network}.${at}`);
  const made = await operatorOf(operator, manifest, ips);
  const [testRun] = made.testRuns;
  if (testRun?.runners.length !== ips.length) throw new Error(`not a TestRun of ${ips.length} runners`);

  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(wholeMsMax)]);
  const pods = new Map<string, Pod>();
  const run = (job: Job, ip: string, path: string): Promise<number> => {
    const name = `${job.metadata.name}-abcde`;
    const pod = podOf(job);
    pods.set(name, pod);
    const namespace = { configMaps: made.configMaps, secrets, claims };
    const log = join(logs, `${name}.log`);
    return runPod(pod, { namespace, ip, folder: join(folder, name), path, log, signal });
  };
  try {
    const ended = Promise.all(testRun.runners.map(({ job }, at) => run(job, ips[at] ?? '', image)));
    const ready = Promise.all(ips.map((ip) => untilReady(ip, signal)));
    const early = ended.then((statuses) => {
      throw new Error(`the runners ended before they were resumed: ${statuses.join(', ')}`);
    });
    await Promise.race([ready, early]);
    const started = await run(testRun.starter, '127.0.0.1', process.env['PATH'] ?? '');
    if (started !== 0) throw new Error(`the starter ended with ${started}`);
    return { made, pods, statuses: await ended };
  } finally {
    over.abort();
  }
}

/** The pod of a job, with the label that Kubernetes adds to it. */
function podOf({ metadata, spec: { template } }: Job): Pod {
  const labels = { ...template.metadata.labels, 'job-name': metadata.name };
  return { ...template, metadata: { labels } };
}

/** How long all of it may take on a busy machine: against runners that nobody resumes. */
const wholeMsMax = 200_000;

/** Asks the API of a runner's k6 as the operator does, until it answers. */
async function untilReady(ip: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const isReady = await fetch(`http://${ip}:6565/v1/status`, { signal }).then(
      ({ status }) => status < 400,
      () => false,
    );
    if (isReady) return;
    await sleep(100, null, { signal });
  }
}

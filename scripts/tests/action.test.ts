import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { k6Version } from '../../load/runner/find-k6.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { bash } from '../testing/bash.ts';
import { sharedCache } from '../testing/command-line.ts';
import { type Reference, startReference } from '../testing/reference.ts';

const root = join(import.meta.dirname, '..', '..');

const texts = z.record(z.string(), z.coerce.string()).default({});

/** What GitHub's reference of metadata knows of a composite action. */
const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(
    z.string(),
    z.strictObject({
      description: z.string(),
      required: z.boolean().optional(),
      default: z.string().default(''),
    }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({
    using: z.literal('composite'),
    steps: z.array(
      z.strictObject({
        id: z.string().optional(),
        if: z.literal('always()').optional(),
        uses: z.string().optional(),
        with: texts,
        shell: z.literal('bash').optional(),
        'working-directory': z.string().optional(),
        env: texts,
        run: z.string().optional(),
      }),
    ),
  }),
});

const action = actionSchema.parse(parse(await readFile(join(root, 'action.yml'), 'utf8')));

type Ran = {
  readonly failed: boolean;
  readonly stdout: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly uploaded: string;
  readonly summary: string;
};

/**
 * Runs the steps as GitHub's runner does, in a workspace of somebody else; but for what others have made (`uses`), and for
 * `npm ci`, which a checkout of this project has behind it.
 */
async function asRunner(
  cwd: string,
  given: Readonly<Record<string, string>>,
  env: Reference['env'],
): Promise<Ran> {
  const files = { output: join(cwd, 'output'), summary: join(cwd, 'summary of the job.md') };
  const values: Record<string, string> = {
    'github.action_path': root,
    'github.run_id': '1',
    'github.run_attempt': '1',
    'runner.os': 'Linux',
    'runner.arch': 'X64',
  };
  for (const [name, { default: usual }] of Object.entries(action.inputs))
    values[`inputs.${name}`] = given[name] ?? usual;
  const filled = (text: string): string =>
    text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_whole, name: string) => {
      // What a step has not said is empty; any other name is a mistake.
      const value = values[name] ?? (name.startsWith('steps.') ? '' : undefined);
      if (value === undefined) throw new Error(`GitHub knows no ${name}`);
      return value;
    });
  let failed = false;
  let said = '';
  let uploaded = '';
  for (const step of action.runs.steps) {
    if (failed && step.if !== 'always()') continue;
    const settings = Object.fromEntries(
      Object.entries(step.with).map(([name, text]) => [name, filled(text)]),
    );
    if (step.uses?.startsWith('actions/upload-artifact@')) uploaded = settings['path'] ?? '';
    if (step.run === undefined || step.id === 'install') continue;
    await writeFile(files.output, '');
    const own = Object.fromEntries(Object.entries(step.env).map(([name, text]) => [name, filled(text)]));
    const { PATH = '' } = process.env;
    const { code, stdout } = await bash(step.run, {
      cwd,
      env: {
        PATH,
        HOME: cwd,
        TMPDIR: tmpdir(),
        XDG_CACHE_HOME: sharedCache(),
        RUNNER_TEMP: cwd,
        GITHUB_OUTPUT: files.output,
        GITHUB_STEP_SUMMARY: files.summary,
        ...env,
        ...own,
      },
    });
    said += stdout;
    failed ||= code !== 0;
    for (const line of (await readFile(files.output, 'utf8')).split('\n')) {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (name !== '') values[`steps.${step.id}.outputs.${name}`] = value;
    }
  }
  const outputs = Object.fromEntries(
    Object.entries(action.outputs).map(([name, { value }]) => [name, filled(value)]),
  );
  const summary = await readFile(files.summary, 'utf8').catch(() => '');
  return { failed, stdout: said, outputs, uploaded, summary };
}

describe('the action', () => {
  it('puts no expression into a script, and has a shell and an id for each', () => {
    for (const { run, shell, id } of action.runs.steps) {
      if (run === undefined) continue;
      expect([run, shell]).toEqual([expect.not.stringContaining('${{'), 'bash']);
      expect(id).toBeDefined();
    }
  });

  it('installs in its own folder, and keeps the k6 that this version builds', () => {
    const install = action.runs.steps.find(({ id }) => id === 'install');
    expect(install?.['working-directory']).toMatch(/^\$\{\{ github\.action_path \}\}$/);
    expect(install?.run).toMatch(/^npm ci\b/);
    const cache = action.runs.steps.find(({ with: { path } }) => path?.includes('.cache') === true);
    expect(cache?.with['key']).toContain(`k6-${k6Version}-`);
  });

  it('holds a service to its document, says what is violated beside the commit, and gives the page', async () => {
    const cwd = await temporaryFolder();
    const { service, env } = await startReference({ windowSeconds: 2, faults: ['limit-header-doubled'] });
    const inputs = { url: service.url, 'allow-host': '127.0.0.1', load: 'none' };
    const ran = await asRunner(cwd, inputs, {
      ...env,
      CONFORMANCE_PROFILE: 'reference',
      CONFORMANCE_WINDOW: '2',
    });
    await service.close();
    expect(ran.failed, ran.stdout).toBe(true);
    expect(ran.outputs['verdict']).toBe('not-conformant');
    expect(ran.stdout).toMatch(/^::notice title=Rate limits%3A Not conformant::/m);
    expect(ran.stdout).toMatch(/^::error title=[^:]+::headers\.limit: /m);
    expect(ran.uploaded).not.toBe('');
    expect(ran.outputs['report']).toMatch(/\/report\.html$/);
    expect(ran.outputs['report']?.startsWith(ran.uploaded)).toBe(true);
    expect(await readFile(ran.outputs['report'] ?? '', 'utf8')).toContain('headers.limit');
    expect(await readFile(ran.outputs['badge'] ?? '', 'utf8')).toContain('<title>rate limits: 1 violated, 2');
    expect(ran.summary).toMatch(/^## ❌ Not conformant: /);
    expect(await readFile(join(cwd, 'runs', 'history.ndjson'), 'utf8')).toMatch(/^.+\n$/);
  });

  it('says so where there is no report, and takes none of another step', async () => {
    const cwd = await temporaryFolder();
    await mkdir(join(cwd, 'runs', '2999-01-01T00-00-00Z'), { recursive: true });
    await writeFile(join(cwd, 'runs', '2999-01-01T00-00-00Z', 'report.json'), '{}');
    const ran = await asRunner(cwd, { url: 'https://api.example.test' }, { KEY_A: 'a-key', KEY_B: 'b-key' });
    expect([ran.failed, ran.outputs]).toEqual([true, { verdict: 'none', report: '', badge: '' }]);
    expect(ran.stdout).toMatch(/^::error title=Rate limits%3A no report::/m);
  });
});

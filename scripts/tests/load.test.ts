import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { burstClause } from '../../contract/clauses/load.ts';
import type { Verdict } from '../../contract/verdict.ts';
import { scenarios } from '../../load/runner/scenarios.ts';
import { type Report, reportSchema } from '../../reports/result.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance, everythingIn, savedRuns } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';
import { k6VariableBeforeAll } from '../testing/k6-for.ts';
import { startReference } from '../testing/reference.ts';

const k6For = k6VariableBeforeAll();

const slow = { timeout: 180_000 };

const verdictOn = (report: Report, id: string): Verdict | undefined => {
  const verdict = report.clauses.find((clause) => clause.id === id)?.verdict;
  return verdict?.kind === 'crashed' ? undefined : verdict;
};

describe('conformance load', () => {
  it('lists every scenario with what it sends and how long it takes', async () => {
    const cwd = await temporaryFolder();
    const { code, stdout } = await inProcess(['load'], cwd);
    expect(code).toBe(0);
    for (const { name, shows } of scenarios.filter(({ clause }) => clause !== burstClause.id)) {
      expect(stdout).toMatch(new RegExp(`^${name} +\\d+ requests in at most \\d+ s`, 'm'));
      expect(stdout).toContain(shows);
    }
  });

  it('says why, where no scenario shows anything of a document', async () => {
    const file = join(import.meta.dirname, '../../documents/examples/costs.yaml');
    const { code, stdout } = await inProcess(['load', '--document', file], await temporaryFolder());
    expect(code).toBe(0);
    expect(stdout).toContain('No scenario shows anything of "an API of points":');
    expect(stdout).toMatch(
      /^ {2}burst, .*: some of its requests cost more than 1, which no scenario counts yet$/m,
    );
    for (const { name } of scenarios) expect(stdout).toContain(name);
  });

  it(
    'shares a burst among four processes: admitted exactly, and the same by their traces as one',
    slow,
    async (context) => {
      const env = k6For(context);
      const cwd = await temporaryFolder();
      const args = ['load', 'messages-burst', '--segments', '4', '--window', '12', '--json'];
      const whole = await conformance(args, { cwd, env });
      const report = reportSchema.parse(JSON.parse(whole.stdout));
      const burst = { kind: 'held', summary: expect.stringMatching(/^300 of 450 admitted within /) };
      expect(verdictOn(report, 'load.messages-burst')).toEqual(burst);
      const [folder = ''] = await savedRuns(cwd);
      const parts = (await readdir(folder)).filter((name) => name.startsWith('trace-k6-messages-burst-'));
      expect(parts).toHaveLength(4);
      const paths = parts.map((name) => join(folder, name));
      const merged = await inProcess(['judge', ...paths, '--json'], cwd);
      const again = reportSchema.parse(JSON.parse(merged.stdout));
      expect(verdictOn(again, 'load.messages-burst')).toEqual(verdictOn(report, 'load.messages-burst'));
      expect(again.bursts).toEqual(report.bursts);
      const twice = await inProcess(['judge', paths[0] ?? '', paths[0] ?? '', '--json'], cwd);
      const doubled = reportSchema.parse(JSON.parse(twice.stdout));
      expect(doubled.notes.map(({ text }) => text)).toContainEqual(expect.stringMatching(/counts? once$/));
      expect(doubled.bursts).toMatchObject([{ admitted: expect.any(Number) }]);
      const each = await inProcess(['judge', '--each', '--json', ...paths.slice(0, 2)], cwd);
      expect(each.stdout.match(/"schemaVersion"/g)).toHaveLength(2);
    },
  );
});

it('sees a run to its end where what k6 needs cannot be made', slow, async (context) => {
  const env = k6For(context);
  const cwd = await temporaryFolder();
  const options = { cwd, env: { ...env, TMPDIR: join(cwd, 'missing') } };
  const { code, stdout } = await conformance(['--window', '4', '--json'], options);
  const report = reportSchema.parse(JSON.parse(stdout));
  expect([code, report.complete]).toEqual([3, true]);
  for (const name of ['messages-burst', 'media-burst']) {
    const reason = expect.stringMatching(/^an error of this program broke it off: ENOENT.*missing/);
    expect(verdictOn(report, `load.${name}`)).toMatchObject({ kind: 'inconclusive', reason });
  }
});

describe('conformance load --bundle', () => {
  it('writes a script that k6 alone runs, whose trace is judged as it is', slow, async (context) => {
    const { K6_BIN } = k6For(context);
    const cwd = await temporaryFolder();
    const { service, env, flags } = await startReference({ windowSeconds: 6 });
    const args = ['load', 'messages-burst', '--bundle', 'scripts', '--header-env', 'X-Api-Key=GATE'];
    const written = await inProcess([...args, ...flags], cwd, { env });
    expect(written.stdout).toMatch(
      /^scripts\/messages-burst\.js: 450 requests in at most 2 s; CONFORMANCE_LOAD_KEY holds the API key, GATE the header X-Api-Key\n/,
    );
    expect(await everythingIn(cwd)).not.toContain(env['KEY_A']);
    const console = join(cwd, 'trace.ndjson');
    const options = ['--quiet', '--no-usage-report', '--console-output', console, '--log-format', 'raw'];
    const script = join(cwd, 'scripts', 'messages-burst.js');
    await promisify(execFile)(K6_BIN, ['run', ...options, '--log-output', 'stderr', script], {
      env: {
        PATH: process.env['PATH'],
        HOME: cwd,
        TMPDIR: tmpdir(),
        CONFORMANCE_LOAD_KEY: env['KEY_A'],
        GATE: 'the key of a gate',
      },
    });
    await service.close();
    const judged = await inProcess(['judge', console, '--json', '--allow-partial'], cwd);
    const report = reportSchema.parse(JSON.parse(judged.stdout));
    expect(report).toMatchObject({ complete: true, outcome: 'conformant' });
    expect(verdictOn(report, 'load.messages-burst')).toMatchObject({ kind: 'held' });
    expect(await everythingIn(cwd)).not.toContain(env['KEY_A']);
  });

  it.each([
    [['--k6-out', 'json=x.json'], 'leave --k6-out out'],
    [['--dashboard'], 'leave --dashboard out'],
  ])('sends nothing, so that %j would do nothing', async (more, said) => {
    const args = ['load', 'messages-burst', '--bundle', 'scripts', '--url', 'http://127.0.0.1:9', ...more];
    const { code, stderr } = await inProcess(args, await temporaryFolder());
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it('needs the address of the service', async () => {
    const cwd = await temporaryFolder();
    const { code, stderr } = await inProcess(['load', 'nodes', '--bundle', 'scripts'], cwd);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('Name the service that the scripts are to reach'),
    ]);
  });
});

it('asks k6 for its outputs before anything is sent', slow, async (context) => {
  const cwd = await temporaryFolder();
  const env = k6For(context);
  const args = ['load', 'messages-burst', '--k6-out', 'jsn=x.json'];
  const { code, stderr } = await inProcess(args, cwd, { env });
  expect(stderr).toMatch(/has no output "jsn"; did you mean json\? Outputs: .*csv.*opentelemetry/);
  expect(code).toBe(2);
  expect(await savedRuns(cwd)).toEqual([]);
});

describe('what cannot be run is said before k6 is looked for', () => {
  const url = ['--url', 'http://127.0.0.1:9', '--profile', 'reference', '--key-env', 'KEY'];
  it.each([
    [['load', 'nodes', ...url], 'The load scenario nodes cannot be run: it needs 2 base URLs or more'],
    [['load', 'noisy-neighbour', ...url], 'it needs a second key: name two with --key-env A,B'],
    [['load', 'many-keys', ...url], 'it needs many keys: conformance load many-keys --keys-file FILE'],
    [
      ['load', 'many-keys', '--keys-file', '/nope', '--keys', '3'],
      'the embedded service has its own keys: leave it out, or give the address',
    ],
    [['load', 'nodes', ...url, '--keys-file', '/nope'], '--keys-file changes nothing of nodes: leave it out'],
    [['load', 'nodes', '--vus', '3'], '--vus changes nothing of nodes: leave it out'],
    [['load', 'sustained', '--windows', '0'], 'It must be a whole number from 1 to 1440'],
    [['load', 'many-keys', '--keys', '1e3'], 'It must be a whole number from 1 to 10000'],
  ])('%j', async (args, says) => {
    const cwd = await temporaryFolder();
    const env = { KEY: 'a-usable-key', K6_BIN: '/nowhere/k6' };
    const { code, stderr } = await inProcess(args, cwd, { env });
    expect(stderr).toContain(says);
    expect(code).toBe(2);
    expect(await savedRuns(cwd)).toEqual([]);
  });
});

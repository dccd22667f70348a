import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { appWith, rollingLog } from '../../run/own-suite/testing/small-limiters.ts';
import { skipWithout } from '../../testing/needs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { bash } from '../testing/bash.ts';
import { inProcess } from '../testing/in-process.ts';
import { k6VariableBeforeAll } from '../testing/k6-for.ts';
import { type PackageTools, packageTools } from '../testing/package-tools.ts';
import { blocksOf } from '../testing/pages/blocks-of.ts';
import { linesOf } from '../testing/pages/typed.ts';
import { buildPackage } from './build.ts';
import type { Holding } from './holdings.ts';

const k6For = k6VariableBeforeAll();

const root = join(import.meta.dirname, '..', '..');
const trace = join(root, 'judge', 'testdata', 'limit-minus-one.ndjson');
const folder = await temporaryFolder();
/** A project of somebody else with the package installed, and beside it a trace and the examples of docs/package.md. */
const project = join(folder, 'project');
let tarball = '';
/** Whose code its programs are. */
let held: readonly Holding[] = [];
let tools: PackageTools | null = null;
const page = await readFile(join(root, 'docs', 'package.md'), 'utf8');

const run = promisify(execFile);

beforeAll(async () => {
  const packed = join(folder, 'packed');
  held = await buildPackage(join(packed, 'dist'));
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md'])
    await copyFile(join(root, name), join(packed, name));
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json'], { cwd: packed });
  const name = (JSON.parse(stdout) as readonly { filename: string }[])[0]?.filename ?? '';
  tarball = join(packed, name);
  await mkdir(project);
  await copyFile(tarball, join(project, name));
  await writeFile(join(project, 'package.json'), '{ "name": "theirs", "type": "commonjs" }');
  const [packing, , installing = ''] = typed;
  expect([packing, installing]).toEqual(['npm pack', expect.stringContaining(` ./${name}`)]);
  await run('npm', [...installing.split(' ').slice(1), '--offline', '--no-audit'], { cwd: project });
  for (const [name, text] of examples()) await writeFile(join(project, name), text);
  await copyFile(trace, join(project, 'trace.ndjson'));
  for (const name of ['undici', 'vitest', '@types'])
    await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name));
  tools = await packageTools();
  // The first time, other versions of Node are downloaded: the bound is against hanging alone.
}, 20 * 60_000);

/** The programs of docs/package.md by the names in their first lines. */
function examples(): readonly (readonly [string, string])[] {
  return blocksOf(page).flatMap(({ text }) => {
    const name = /^\/\/ (\S+)\n/.exec(text)?.[1];
    return name === undefined ? [] : [[name, text] as const];
  });
}

/** The first block of docs/package.md, a line for each command. */
const typed = linesOf(blocksOf(page)[0]?.text ?? '');

type Said = { readonly code: number; readonly stdout: string; readonly stderr: string };

function saidBy(
  node: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = project,
): Promise<Said> {
  const compiled = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const own = { PATH: dirname(node), HOME: folder, ...compiled, ...env };
  return new Promise((resolve) => {
    execFile(node, args, { cwd, env: own }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const command = join('node_modules', '.bin', 'conformance');

/** The address of the app in the examples of docs/own-tests.md. */
const printedUrl = 'http://127.0.0.1:3000/items';
/** As little as there is to tune: what it prints is the point. */
const small = ['--runs', '2', '--clients', '2', '--jobs', '5', '--limit', '3', '--window', '1'];
const tune = [command, 'tune', ...small];

async function onEach(
  context: TestContext,
  use: (node: string, own: string) => Promise<void>,
): Promise<void> {
  if (tools === null) return skipWithout('other-nodes', context);
  await Promise.all(tools.nodes.map(([name, node]) => use(node, name.replace(' ', '-'))));
}

/** The table of what the package holds: kB by its first column. */
function tableOf(text: string): ReadonlyMap<string, number> {
  const rows = text.matchAll(/^\| ([^|]+) \| (\d+) \| [^|]+ \|$/gm);
  return new Map([...rows].map(([, what = '', kilobytes = '']) => [what, Number(kilobytes)]));
}

/** The files of a tarball by their paths in the package. */
async function listed(path: string): Promise<readonly { readonly path: string; readonly bytes: number }[]> {
  const { stdout } = await run('tar', ['-tvf', path]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [, , bytes = '', , , name = ''] = line.trim().split(/\s+/);
      return { path: name.replace('package/', ''), bytes: Number(bytes) };
    });
}

describe('the package, installed into a project of somebody else,', () => {
  it('needs no other package and no install script', async () => {
    const installed = join(project, 'node_modules', 'messaging-conformance');
    const text = await readFile(join(installed, 'package.json'), 'utf8');
    const { dependencies, scripts } = JSON.parse(text) as Record<string, Readonly<Record<string, string>>>;
    expect(dependencies).toBeUndefined();
    expect(Object.keys(scripts ?? {}).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
    expect(
      (await readdir(join(project, 'node_modules', '.bin'))).filter((name) => !name.startsWith('.')),
    ).toEqual(['conformance']);
  });

  it('names no script of a checkout', async () => {
    const dist = join(project, 'node_modules/messaging-conformance/dist');
    const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(names.map((name) => readFile(join(dist, name), 'utf8')));
    expect(names.length).toBeGreaterThan(20);
    expect(texts.filter((text) => /npm (?:start|run conformance)\b/.test(text))).toEqual([]);
  });

  it('prints code that imports from it, not from a checkout', async () => {
    const printed = join(
      project,
      'node_modules/messaging-conformance/dist/assets/backoff/configurations/paced.ts',
    );
    expect(await readFile(printed, 'utf8')).toContain(`import { paced } from 'messaging-conformance/paced';`);
  });

  it('asks the schema of a body, with nothing beside it', async () => {
    const own = join(project, 'schema.yaml');
    const text = await readFile(join(root, 'documents/examples/problem-details.yaml'), 'utf8');
    await writeFile(own, text.replace('quota: 25', 'quota: none'));
    const { code, stderr } = await saidBy(process.execPath, [command, 'document', 'check', own]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'bodyExample: does not fit bodySchema: /limits/0/quota is a text, not a whole number',
      ),
    ]);
  });

  it('holds what the table of docs/package.md says, in about as many bytes', async () => {
    const said = tableOf(page);
    const files = await listed(tarball);
    const under = (path: RegExp): number =>
      files.reduce((sum, file) => sum + (path.test(file.path) ? file.bytes : 0), 0);
    const truly = new Map<string, number>([
      ['`dist/*.js`', under(/^dist\/[^/]+$/)],
      ...held.map(({ what, bytes }) => [`– ${what}`, bytes] as const),
      ['`dist/assets/`', under(/^dist\/assets\//)],
      ['`dist/types/`', under(/^dist\/types\//)],
      ['`k6/`', under(/^k6\//)],
      ['`README.md`, `CHANGELOG.md`, `package.json`', under(/^[^/]+$/)],
    ]);
    expect([...said.keys()].sort()).toEqual([...truly.keys()].sort());
    for (const [what, bytes] of truly) {
      const kilobytes = said.get(what) ?? 0;
      expect(Math.abs(bytes / 1e3 - kilobytes), `${what}: ${(bytes / 1e3).toFixed(0)} kB`).toBeLessThan(
        5 + kilobytes / 20,
      );
    }
    const [, packed, unpacked] = /The tarball has ([\d.]+) MB,\nand ([\d.]+) MB unpacked/.exec(page) ?? [];
    expect(Math.abs((await stat(tarball)).size / 1e6 - Number(packed))).toBeLessThan(0.1);
    expect(Math.abs(under(/./) / 1e6 - Number(unpacked))).toBeLessThan(0.1);
  });

  it('holds no more than it says', async () => {
    const { stdout } = await run('tar', ['-tf', tarball]);
    const folders = stdout
      .trim()
      .split('\n')
      .map((path) => /^package\/((?:dist\/(?:assets|types)|k6)?)/.exec(path)?.[1] ?? path);
    expect(new Set(folders)).toEqual(new Set(['', 'dist/assets', 'dist/types', 'k6']));
  });

  it('judges as a checkout does, to the letter, with Node 22, 24 and 26', async (context) => {
    const ours = await inProcess(['judge', trace, '--json'], folder);
    await onEach(context, async (node) => {
      const { code, stdout } = await saidBy(node, [command, 'judge', 'trace.ndjson', '--json']);
      expect(code).toBe(1);
      expect(timeless(stdout)).toBe(timeless(ours.stdout));
    });
  });

  it('writes reports, plays scripts of k6 elsewhere and prints code, from files that it holds', async (context) => {
    await onEach(context, async (node, own) => {
      const judged = await saidBy(node, [
        command,
        'judge',
        'trace.ndjson',
        '--out',
        `judged-${own}`,
        '--quiet',
      ]);
      expect(judged).toMatchObject({ code: 1, stderr: '' });
      const target = [
        '--url',
        'http://127.0.0.1:9',
        '--profile',
        'reference',
        '--key-env',
        'KEY',
        '--config',
        'none.json',
      ];
      await writeFile(join(project, 'none.json'), '{}');
      const bundled = await saidBy(node, [command, 'load', 'media-burst', ...target, '--bundle', own], {
        KEY: 'k',
      });
      expect(bundled.stderr + bundled.stdout).toContain('media-burst.js');
      expect(await readFile(join(project, own, 'media-burst.js'), 'utf8')).toContain('k6/http');
      const tuned = await saidBy(node, [...tune, '--for', 'got']);
      expect(tuned.stdout).toContain(`from 'got'`);
    });
  });

  it('is started by npx from the tarball alone: runs the embedded service, whose webhooks arrive', async () => {
    const [, started = ''] = typed;
    const args = [...started.split(' ').slice(1), '--window', '2', '--no-load', '--no-history'];
    const env = { ...process.env, PATH: inPath(process.execPath), npm_config_cache: join(folder, 'npm') };
    // In a folder without settings.
    const cwd = dirname(tarball);
    const { stdout, stderr } = await run('npx', ['--yes', '--offline', ...args], { cwd, env }).catch(
      (ended: Said) => ended,
    );
    expect(stdout, stderr).toMatch(/^(CONFORMANT|INCONCLUSIVE): /m);
    expect(stdout).not.toContain('webhook.');
  });

  it('gives its exports to programs, as docs/package.md shows, with Node 22, 24 and 26', async (context) => {
    const server = createServer((_request, response) => response.end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await onEach(context, async (node) => {
      const shown = async (name: string) => {
        const { code, stdout, stderr } = await saidBy(node, ['--no-warnings', name], { API_URL: url });
        expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' });
        return stdout;
      };
      expect(await shown('judge.mts')).toMatch(/^not-conformant\nlimits\.\w+: /);
      expect(await shown('identify.mts')).toMatch(/sliding-log 29 60\n$/);
      expect(await shown('paced.mts')).toMatch(/^\[(\s*200,?){12}\s*\]\n$/);
      expect(await shown('paced-document.mts')).toMatch(/^\[\s*200, 200, 200\s*\]\n$/);
      expect(await shown('webhooks.mts')).toBe('true false\n');
      const planned = await saidBy(node, ['--no-warnings', command, 'plan'], { SEARCH_KEY: 'k' });
      expect(planned).toMatchObject({ code: 0, stderr: '' });
      expect(planned.stdout).toContain('/search');
    });
  });

  it('tests a limit in a suite of somebody else, as docs/own-tests.md shows', {
    timeout: 120_000,
  }, async () => {
    await using app = await appWith(rollingLog({ limit: 30, windowMs: 2_000 }));
    const own = await readFile(join(root, 'docs', 'own-tests.md'), 'utf8');
    const [ofVitest = '', ofNode = ''] = blocksOf(own).map(({ text }) =>
      text.replaceAll(printedUrl, app.url),
    );
    const suite = join(project, 'suite');
    await mkdir(suite);
    await writeFile(join(suite, 'vitest.test.mts'), ofVitest);
    await writeFile(join(suite, 'node.test.mts'), ofNode);
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const byVitest = await saidBy(
      process.execPath,
      [vitest, 'run', 'vitest.test.mts'],
      { NO_COLOR: '1' },
      suite,
    );
    expect(byVitest).toMatchObject({ code: 0, stdout: expect.stringMatching(/Tests\s+1 passed/) });
    const byNode = await saidBy(process.execPath, ['--test', 'node.test.mts'], {}, suite);
    expect(byNode).toMatchObject({ code: 0, stdout: expect.stringMatching(/pass 1$/m) });
  });

  it('plays scenarios in the k6 of somebody else, as docs/load.md shows, and finds a fault', {
    timeout: 120_000,
  }, async (context) => {
    const { K6_BIN } = k6For(context);
    const cwd = await temporaryFolder();
    await symlink(join(project, 'node_modules'), join(cwd, 'node_modules'));
    const page = await readFile(join(root, 'docs', 'load.md'), 'utf8');
    const [, section = ''] = /^## In your k6, without a runner\n([\s\S]*?)^## /m.exec(page) ?? [];
    const shown = [...section.matchAll(/^ {4}(.+)$/gm)].map(([, line = '']) => line);
    const [exported = '', serve = '', ...others] = shown;
    expect(others.map((line) => line.split(' ')[0])).toEqual(['rm', 'k6', 'npx']);
    const path = [dirname(K6_BIN), dirname(process.execPath), process.env['PATH']].join(delimiter);
    // A short window, so that nobody waits; all else stands in the page.
    const env = { PATH: path, HOME: folder, TMPDIR: tmpdir(), WINDOW_SECONDS: '4', NO_COLOR: '1' };
    const played = async (fault: string) => {
      const serving = `${exported}; exec ${serve.replace('npx conformance', command)} --port 0 --window 4 --quiet ${fault}`;
      const service = spawn('bash', ['-c', serving], { cwd, env });
      onTestFinished(() => void service.kill());
      const address = await new Promise<string>((resolve) =>
        service.stdout.once('data', (text: Buffer) => resolve(text.toString().trim())),
      );
      const codes: number[] = [];
      let said = '';
      for (const line of others) {
        const script = `${exported}; ${line.replace('http://127.0.0.1:8080', address)}`;
        const { code, stdout, stderr } = await bash(script, { cwd, env });
        codes.push(code);
        said += stdout + stderr;
      }
      service.kill();
      return { codes, said };
    };
    const good = await played('');
    expect(good.codes, good.said).toEqual([0, 0, 0]);
    expect(good.said).toContain(
      'messages-burst: 450 requests, 300 admitted, 150 over the limit, 0 answered otherwise',
    );
    // The command that k6 prints is the one that was typed.
    expect(good.said).toContain(`\n  ${others[2]}\n`);
    const bad = await played('--fault limit-plus-one');
    expect(bad.codes, bad.said).toEqual([0, 99, 1]);
    expect(bad.said).toContain('admitted{scenario:burst,within:window}: count<=300, and there were 301');
    expect(bad.said).toContain('VIOLATED      load.messages-burst');
    expect(await readFile(join(cwd, 'trace.ndjson'), 'utf8')).not.toContain('a-key-of-mine');
  });

  it('tests a limit in Jest, as docs/own-tests.md shows, with Node 22, 24 and 26', {
    timeout: 120_000,
  }, async (context) => {
    const own = await readFile(join(root, 'docs', 'own-tests.md'), 'utf8');
    const [, , ofJest = '', started = ''] = blocksOf(own).map(({ text }) => text);
    const [flag = '', , ...options] = (linesOf(started)[0] ?? '').split(' ').slice(1);
    await onEach(context, async (node, name) => {
      await using app = await appWith(rollingLog({ limit: 30, windowMs: 2_000 }));
      const suite = join(project, `jest-${name}`);
      await mkdir(suite);
      await writeFile(join(suite, 'package.json'), '{ "type": "commonjs" }');
      await writeFile(join(suite, 'limit.test.mjs'), ofJest.replaceAll(printedUrl, app.url));
      const asTyped = options.map((option) => option.replaceAll("'", ''));
      const args = [flag, tools?.jest ?? '', ...asTyped, '--rootDir', suite];
      const { code, stderr } = await saidBy(node, args, { CI: 'true' }, suite);
      expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/1 passed, 1 total/) });
    });
  });

  it('has types for all of them, with the strictest settings', async () => {
    const settings = {
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noPropertyAccessFromIndexSignature: true,
        skipLibCheck: false,
        module: 'nodenext',
        target: 'es2023',
        types: ['node'],
        allowImportingTsExtensions: true,
        noEmit: true,
      },
      include: ['*.mts'],
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(settings));
    await writeFile(join(project, 'described.mts'), described);
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await saidBy(process.execPath, [compiler, '--project', 'tsconfig.json']);
    expect(stdout).toBe('');
  });

  it('is installed by pnpm as well', async (context) => {
    if (tools === null) return skipWithout('other-nodes', context);
    const other = join(folder, 'other');
    await mkdir(other);
    await writeFile(join(other, 'package.json'), '{}');
    const env = { ...process.env, PATH: inPath(process.execPath) };
    await run(tools.pnpm, ['add', '--offline', '--store-dir', join(folder, 'store'), tarball], {
      cwd: other,
      env,
    });
    const own = join(other, 'node_modules', '.bin', 'conformance');
    expect((await run(own, ['--version'], { env })).stdout).toContain('messaging-conformance');
  });
});

/** Each function that takes a document takes one of `defineDocument`. */
const described = `
import { defineDocument, pacedOptions } from 'messaging-conformance';
import { describeLimits } from 'messaging-conformance/vitest';
const document = defineDocument({ version: 1, title: 'a', windowSeconds: 2, scopes: { a: { title: 'a', limit: 30 } } });
pacedOptions(document);
describeLimits(document, {
  baseUrls: ['http://127.0.0.1:3000'],
  keyEnv: ['A', 'B'],
  requests: { a: { method: 'GET', path: '/a' } },
});
`;

/** The variable by which programs find this Node first. */
function inPath(node: string): string {
  return [dirname(node), process.env['PATH']].join(delimiter);
}

/** A report without the moment at which it was made. */
function timeless(report: string): string {
  return report.replace(/"judgedAt": "[^"]*"/, '');
}

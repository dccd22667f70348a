import { appendFile, chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { build, type Metafile } from 'esbuild';
import { bundle, bundleTogether } from '../../load/runner/bundle.ts';
import { bundlePage } from '../../reports/page/bundle-page.ts';
import { packedPage, packedPageName } from '../../reports/page/prebuilt-page.ts';
import { shownPath } from '../../run/shown-path.ts';
import { writeDeclarations } from './declarations.ts';
import { type Holding, holdingsOf } from './holdings.ts';
import { assets, slim } from './slim.ts';

const root = join(import.meta.dirname, '..', '..');

/** What `package.json` exports, and what a process of its own begins with. */
const entries = {
  index: 'scripts/package/index.ts',
  paced: 'scripts/package/paced.ts',
  webhooks: 'scripts/package/webhooks.ts',
  limits: 'scripts/package/limits.ts',
  vitest: 'scripts/package/vitest.ts',
  main: 'scripts/main.ts',
  'compile-cache': 'scripts/compile-cache.js',
  'own-imports': 'scripts/own-imports.js',
  'shard-worker': 'run/judge/shard-worker.ts',
};

/** Most bytes of a script of k6; the one that plays strategies of backoff holds all of them. */
const k6Scripts = { scenario: 20 * 1_024, 'drain-backlog': 40 * 1_024 };

/**
 * Writes `dist/`, and beside it `k6/`, all that the package holds besides its README: `npm run build`, and before each
 * `npm pack`.
 * @returns whose code its programs are.
 */
export async function buildPackage(dist: string): Promise<readonly Holding[]> {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const [metafile] = await Promise.all([
    buildPrograms(dist),
    writeLauncher(dist),
    writeAssets(join(dist, assets)),
    writeTypes(join(dist, 'types')),
    writeK6Alone(join(dist, '..', 'k6')),
  ]);
  return holdingsOf(metafile);
}

async function writeTypes(folder: string): Promise<void> {
  const names = ['index', 'paced', 'webhooks', 'limits', 'vitest'];
  await writeDeclarations(
    names.map((name) => `scripts/package/${name}.ts`),
    folder,
  );
  await appendFile(join(folder, 'scripts/package/vitest.d.ts'), await matcherTypes());
}

/** What a matcher adds to the types of Vitest: no export, and so no declaration that anything here needs. */
async function matcherTypes(): Promise<string> {
  const source = await readFile(join(root, 'run/own-suite/vitest.ts'), 'utf8');
  const [augmentation] = /^declare module 'vitest' \{[\s\S]*?^\}$/m.exec(source) ?? [];
  if (augmentation === undefined) throw new Error('run/own-suite/vitest.ts declares no matcher');
  const needed = `import type { ExpectedLimit } from '../../run/own-suite/expected-limit.js';`;
  return `${needed}\n${augmentation}\n`;
}

async function buildPrograms(dist: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: dist,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node22.18',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    // Packages of CommonJS ask for modules of Node.
    banner: { js: `import{createRequire as own}from'node:module';const require=own(import.meta.url);` },
    // By this undici leaves out a second parser of HTTP, an experiment that has to be switched on.
    define: { esbuildDetection: 'true' },
    // It has to be that of the suite that it is used in.
    external: ['vitest'],
    plugins: [slim],
    metafile: true,
    logLevel: 'warning',
  });
  return metafile;
}

/** The command: the launcher of a checkout, with the built program in place of its sources. */
async function writeLauncher(dist: string): Promise<void> {
  const source = await readFile(join(root, 'scripts', 'conformance.js'), 'utf8');
  const path = join(dist, 'conformance.js');
  await writeFile(path, source.replace(`'./main.ts'`, `'./main.js'`));
  await chmod(path, 0o755);
}

/** What programs read beside themselves: scripts of k6, the page's program, texts. */
async function writeAssets(folder: string): Promise<void> {
  const copies = ['service/store/sliding-log.lua', 'load/k6-build'];
  await Promise.all(copies.map((path) => cp(join(root, path), join(folder, path), { recursive: true })));
  await Promise.all([writeConfigurations(folder), writePage(folder), writeK6Scripts(folder)]);
}

/** What `tune` prints for each library: in the package, `paced` comes from its export. */
async function writeConfigurations(folder: string): Promise<void> {
  const path = join('backoff', 'configurations');
  const names = (await readdir(join(root, path))).filter((name) => name.endsWith('.ts'));
  for (const name of names) {
    const text = await readFile(join(root, path, name), 'utf8');
    const own = text.replaceAll(`'../paced/paced.ts'`, `'messaging-conformance/paced'`);
    await writeInto(join(folder, path, name), own);
  }
}

async function writePage(folder: string): Promise<void> {
  await writeInto(join(folder, 'reports/page', packedPageName), packedPage(await bundlePage()));
}

async function writeK6Scripts(folder: string): Promise<void> {
  for (const [name, bytesMax] of Object.entries(k6Scripts)) {
    const outfile = join(folder, 'load/k6', `${name}.js`);
    const bundled = await bundle({ entry: join(root, 'load/k6', `${name}.ts`), outfile, bytesMax });
    if (bundled.kind === 'refused') throw new Error(bundled.reason);
  }
}

/** The scripts of `node_modules/messaging-conformance/k6/`, which k6 runs without anything beside it. */
async function writeK6Alone(folder: string): Promise<void> {
  const sources = join(root, 'load/k6/alone');
  const names = await readdir(sources);
  await rm(folder, { recursive: true, force: true });
  await bundleTogether(
    names.map((name) => join(sources, name)),
    folder,
  );
}

async function writeInto(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

function kilobytes(bytes: number): string {
  return (bytes / 1e3).toFixed(0).padStart(5);
}

/** How many bytes a folder holds. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

if (import.meta.main) {
  const dist = resolve(process.argv[2] ?? join(root, 'dist'));
  for (const { what, bytes } of await buildPackage(dist)) console.log(`${kilobytes(bytes)} kB  ${what}`);
  for (const folder of [dist, join(dist, '..', 'k6')])
    console.log(`${shownPath(folder, process.cwd())} holds ${((await bytesIn(folder)) / 1e6).toFixed(2)} MB`);
}

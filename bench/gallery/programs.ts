import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { messageOf } from '../../contract/thrown.ts';
import { NotAvailable } from './peer.ts';

/** Servers in other languages, and npm packages that nothing else here needs. */
export type ProgramSet = 'node' | 'python' | 'go' | 'java' | 'rust';

const sources = new URL('programs/', import.meta.url);

/** Makes a folder ready to run from: what is run as commands, one after another, in that folder. */
const steps: Readonly<Record<ProgramSet, readonly (readonly [string, ...string[]])[]>> = {
  // No package runs a script of its own while it is installed.
  node: [['npm', 'ci', '--ignore-scripts', '--no-strict-allow-scripts', '--no-audit', '--no-fund']],
  python: [
    ['python3', '-m', 'venv', 'venv'],
    [
      'venv/bin/pip',
      'install',
      '--quiet',
      '--no-deps',
      '--disable-pip-version-check',
      '-r',
      'requirements.txt',
    ],
  ],
  go: [['go', 'build', '-trimpath', '-o', 'gallery', '.']],
  java: [['mvn', '--batch-mode', '--quiet', 'process-classes']],
  rust: [['cargo', 'build', '--locked', '--quiet']],
};

const needs: Readonly<Record<ProgramSet, string>> = {
  node: 'npm and a registry of npm packages',
  python: 'Python 3.11 with venv (apt-get install python3-venv) and PyPI',
  go: 'Go 1.26 or later (https://go.dev/dl/) and a Go module proxy',
  java: 'a JDK from 17 on, Maven (apt-get install openjdk-17-jdk-headless maven) and Maven Central',
  rust: 'Rust 1.95 or later (https://rustup.rs) and crates.io',
};

/** Installing takes this long at most. */
const installMsMax = 600_000;

const ready = new Map<ProgramSet, Promise<string>>();

/**
 * The folder of a set in the user's cache, with its committed sources. What they need is installed there once, at the
 * versions of the committed lock file.
 * @throws {NotAvailable} where it cannot be installed.
 */
export function installed(set: ProgramSet): Promise<string> {
  const known = ready.get(set) ?? install(set);
  ready.set(set, known);
  return known;
}

/**
 * An npm package of the set `node`, as it exports itself.
 * @throws {NotAvailable} where the set cannot be installed.
 */
export async function packageOf(name: string): Promise<unknown> {
  const folder = await installed('node');
  return import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href);
}

/** The source file of a set, as committed. */
export function readSource(set: ProgramSet, file: string): Promise<string> {
  return readFile(new URL(`${set}/${file}`, sources), 'utf8');
}

async function install(set: ProgramSet): Promise<string> {
  const folder = join(cacheFolder(), `${set}-${await contentHash(set)}`);
  const done = join(folder, '.installed');
  const isDone = await isThere(done);
  if (!isDone) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(fileURLToPath(new URL(`${set}/`, sources)), folder, { recursive: true });
  if (isDone) return folder;
  process.stderr.write(`installing the ${set} servers into ${folder}\n`);
  for (const [command, ...args] of steps[set]) await run(set, folder, [command, ...args]);
  await writeFile(done, '');
  return folder;
}

async function run(
  set: ProgramSet,
  cwd: string,
  [command, ...args]: readonly [string, ...string[]],
): Promise<void> {
  try {
    await promisify(execFile)(command.includes('/') ? join(cwd, command) : command, args, {
      cwd,
      env: { ...process.env, CGO_ENABLED: '0' },
      timeout: installMsMax,
      maxBuffer: 2 ** 24,
    });
  } catch (error) {
    const said = messageOf(error).trim().split('\n').at(-1);
    throw new NotAvailable(`the ${set} servers need ${needs[set]}: ${said?.slice(0, 300)}`);
  }
}

function cacheFolder(): string {
  const named = process.env['XDG_CACHE_HOME'];
  const base = named !== undefined && isAbsolute(named) ? named : join(homedir(), '.cache');
  return join(base, 'messaging-conformance', 'gallery');
}

/** What the folder of a set depends on: other versions, or another program that is built, get a folder of their own. */
const decisive: Readonly<Record<ProgramSet, RegExp>> = {
  node: /^package(-lock)?\.json$/,
  python: /^requirements\.txt$/,
  go: /\.go$|^go\.(mod|sum)$/,
  java: /\.java$|^pom\.xml$/,
  rust: /\.rs$|^Cargo\.(toml|lock)$/,
};

async function contentHash(set: ProgramSet): Promise<string> {
  const all = await readdir(new URL(`${set}/`, sources), { recursive: true });
  const files = all.filter((name) => decisive[set].test(name));
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(file).update(await readSource(set, file));
  return hash.digest('hex').slice(0, 12);
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

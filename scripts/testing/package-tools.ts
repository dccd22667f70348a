import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { userCacheFolder } from '../../load/runner/build-go.ts';

/** What somebody may install and run the package with; the oldest Node is the oldest that it needs. */
const versions = { node22: '22.18.0', node24: '24.21.0', pnpm: '12.21.0', jest: '30.5.2' } as const;

export type PackageTools = {
  /** Paths of programs by a name for people: Node 22, 24, and the one that runs this. */
  readonly nodes: readonly (readonly [name: string, path: string])[];
  readonly pnpm: string;
  /** The program of Jest, to be run by Node. */
  readonly jest: string;
};

/**
 * Other versions of Node, another package manager and another test runner, from npm, once in the user's cache: `null` where they are not there
 * and npm cannot be asked.
 */
export async function packageTools(): Promise<PackageTools | null> {
  const { node22, node24, pnpm, jest } = versions;
  const platform = `node-${process.platform}-${process.arch}`;
  const folder = join(
    userCacheFolder({ env: process.env }),
    `package-tools-${node22}-${node24}-${pnpm}-${jest}-${process.platform}-${process.arch}`,
  );
  try {
    await access(folder).catch(() =>
      install(folder, [
        `node22@npm:${platform}@${node22}`,
        `node24@npm:${platform}@${node24}`,
        `pnpm@${pnpm}`,
        `jest@${jest}`,
      ]),
    );
  } catch {
    return null;
  }
  const program = (name: string): string => join(folder, 'node_modules', name, 'bin', 'node');
  return {
    nodes: [
      [`Node ${node22}`, program('node22')],
      [`Node ${node24}`, program('node24')],
      [`Node ${process.versions.node}`, process.execPath],
    ],
    pnpm: join(folder, 'node_modules', '.bin', 'pnpm'),
    jest: join(folder, 'node_modules', 'jest', 'bin', 'jest.js'),
  };
}

/** Beside its place first: what is there is whole, also where two do so at once. */
async function install(folder: string, packages: readonly string[]): Promise<void> {
  await mkdir(join(folder, '..'), { recursive: true });
  const made = await mkdtemp(`${folder}-`);
  try {
    await writeFile(join(made, 'package.json'), '{}');
    await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', ...packages], {
      cwd: made,
    });
    await rename(made, folder);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    await access(folder).catch(() => {
      throw error;
    });
  }
}

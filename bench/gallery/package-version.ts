import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const root = new URL('../../', import.meta.url);
const packageSchema = z.object({ version: z.string() });

/** The installed version of a package: the one whose code runs, not the one that was asked for. */
export function packageVersion(name: string): Promise<string> {
  return versionIn(new URL(`node_modules/${name}/package.json`, root));
}

/** This project's own version. */
export function ownVersion(): Promise<string> {
  return versionIn(new URL('package.json', root));
}

async function versionIn(file: URL): Promise<string> {
  return packageSchema.parse(JSON.parse(await readFile(file, 'utf8'))).version;
}

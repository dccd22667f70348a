import { access, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';

/** A settings file as it was written: nothing of it is checked yet. */
export type ConfigFile = { readonly path: string; readonly input: Readonly<Record<string, unknown>> };

/** Read from the working folder where no other is named. */
export const defaultConfigName = 'conformance.config.ts';

/** Its name in a package whose `.ts` files are CommonJS. */
const moduleConfigName = 'conformance.config.mts';

/**
 * The settings file that was named, else the one of the working directory by either name, else `null`.
 * @throws {UsageError} where it cannot be read or exports no settings.
 */
export async function loadConfigFile(options: {
  readonly named: string | undefined;
  readonly cwd: string;
}): Promise<ConfigFile | null> {
  const path = await pathOf(options);
  if (!(await exists(path))) {
    if (options.named === undefined) return null;
    throw new UsageError(`The settings file ${path} does not exist: --config needs the path of one.`);
  }
  const input = path.endsWith('.json') ? await readJson(path) : await importDefault(path);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new UsageError(
      `The settings file ${path} exports no settings: write "export default defineDeployment({ … })"`,
    );
  }
  return { path, input: input as Readonly<Record<string, unknown>> };
}

async function pathOf({ named, cwd }: { named: string | undefined; cwd: string }): Promise<string> {
  const path = resolve(cwd, named ?? defaultConfigName);
  const other = resolve(cwd, moduleConfigName);
  return named === undefined && !(await exists(path)) && (await exists(other)) ? other : path;
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function importDefault(path: string): Promise<unknown> {
  try {
    const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(path).href);
    return module['default'];
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): UsageError {
  const [why = ''] = messageOf(error).split('\n');
  const fix = /outside a module|Unexpected token 'export'/.test(why)
    ? `. Its package.json says that it is CommonJS: call it ${moduleConfigName}`
    : '';
  return new UsageError(`The settings file ${path} cannot be loaded: ${why}${fix}`);
}

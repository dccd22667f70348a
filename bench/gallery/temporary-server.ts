import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../proof/programs/ports.ts';
import type { LocalServer } from '../../proof/programs/server-program.ts';
import { type ServerProgram, startServer } from '../../proof/programs/server-program.ts';

/** Where a server with files of its own is to run. */
export type Place = { readonly folder: string; readonly port: number };

export type PreparedServer = {
  /** Texts by file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly program: Omit<ServerProgram, 'port' | 'folder'>;
};

/** Starts a server that reads its configuration from a temporary folder, which goes when the server ends. */
export async function startInFolder(prepare: (place: Place) => PreparedServer): Promise<LocalServer> {
  const folder = await mkdtemp(join(tmpdir(), 'gallery-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    // Servers started by root give up its rights, and still have to read their files.
    await chmod(folder, 0o755);
    const port = await freePort();
    const { files, program } = prepare({ folder, port });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const { url, close } = await startServer({ ...program, port, folder });
    return { url, close: () => close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

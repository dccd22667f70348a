import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { createRunDirectory } from './run-directory.ts';

const atMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

describe('createRunDirectory', () => {
  it('names the folder by UTC time, and gives two runs of one second folders of their own', async () => {
    const parent = join(await temporaryFolder(), 'new', 'runs');
    const made = await Promise.all([1, 2, 3].map(() => createRunDirectory(parent, atMs)));
    expect(made.toSorted()).toEqual(
      ['2026-01-02T03-04-05Z', '2026-01-02T03-04-05Z-2', '2026-01-02T03-04-05Z-3'].map((name) =>
        join(parent, name),
      ),
    );
  });

  it('says what to do where it cannot be made', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    await expect(createRunDirectory(file, atMs)).rejects.toThrow('Choose another place with --out.');
    // Below /proc, where there is one, Node's recursive mkdir does not end.
    await expect(createRunDirectory('/proc/nowhere/runs', atMs)).rejects.toThrow('Choose another place');
  });
});

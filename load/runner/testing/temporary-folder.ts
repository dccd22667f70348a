import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder that lives as long as the tests of one file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'load-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a program for `sh` and returns its path. */
export async function writeScript(path: string, lines: readonly string[]): Promise<string> {
  await writeFile(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  await chmod(path, 0o755);
  return path;
}

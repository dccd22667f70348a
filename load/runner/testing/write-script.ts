import { chmod, writeFile } from 'node:fs/promises';

/** Writes a program for `sh` and returns its path. */
export async function writeScript(path: string, lines: readonly string[]): Promise<string> {
  await writeFile(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  await chmod(path, 0o755);
  return path;
}

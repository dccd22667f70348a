import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { type HistoryLine, parseHistory, type ReadHistory } from '../../reports/history/history-line.ts';
import { makeFolder } from '../record/run-directory.ts';

/**
 * The history in a file; an empty one where there is none yet.
 * @throws {UsageError} where it cannot be read.
 */
export async function readHistory(path: string): Promise<ReadHistory> {
  try {
    return parseHistory(await readFile(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { lines: [], unreadable: 0 };
    throw new UsageError(
      `The history ${path} cannot be read: ${messageOf(error)}. Choose another with --history.`,
    );
  }
}

/**
 * Adds one run at the end. The line is appended in one write, so that the lines of two runs at once stay whole; after a
 * line that a crash cut off a new one is begun.
 * @throws {UsageError} where it cannot be written.
 */
export function appendHistory(path: string, line: HistoryLine): void {
  try {
    makeFolder(dirname(path));
    const file = openSync(path, 'a+');
    try {
      const bytes = Buffer.from(`${endsLine(file) ? '' : '\n'}${JSON.stringify(line)}\n`);
      const written = writeSync(file, bytes);
      if (written < bytes.length) throw new Error('the disk is full');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new UsageError(
      `The run could not be added to the history ${path}: ${messageOf(error)}. Choose another with --history, or leave it out with --no-history.`,
    );
  }
}

function endsLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last.toString() === '\n';
}

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { traceFileName } from '../../run/judge/trace-file.ts';
import { writeLongCapture } from './long-capture.ts';

/**
 * `node bench/soak/judge.ts 5000000` writes a capture of so many deliveries; another process judges it, writes its
 * reports, and says what that took.
 */
const count = Number(process.argv[2] ?? 200_000);
const folder = await mkdtemp(join(tmpdir(), 'bench-soak-'));
try {
  const trace = join(folder, traceFileName);
  writeLongCapture(trace, count);
  const judge = join(import.meta.dirname, 'judge-saved.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [judge, trace]);
  process.stdout.write(stdout);
} finally {
  await rm(folder, { recursive: true, force: true });
}

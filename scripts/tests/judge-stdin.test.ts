import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { appWith, rollingLog } from '../../run/own-suite/testing/small-limiters.ts';
import { needing } from '../../testing/needs.ts';
import { inProcess } from '../testing/in-process.ts';

const program = join(import.meta.dirname, '..', '..', 'docs', 'trace', 'write_trace.py');
const pythonIsHere = spawnSync('python3', ['--version'], { stdio: 'ignore' }).error === undefined;

test(
  'a trace that Python writes is judged from standard input',
  needing('python', pythonIsHere),
  async () => {
    await using app = await appWith(rollingLog({ limit: 6, windowMs: 1_000 }));
    const { stdout } = await promisify(execFile)('python3', [program, app.url, '5', '1']);
    const answers = stdout.trimEnd().split('\n');
    const judged = await inProcess(['judge', '--stdin', '--json'], import.meta.dirname, { answers });
    expect(judged.stderr).toBe('');
    const { clauses } = JSON.parse(judged.stdout) as { clauses: { id: string; verdict: { kind: string } }[] };
    const violated = clauses.filter(({ verdict }) => verdict.kind === 'violated').map(({ id }) => id);
    expect(violated).toEqual(['limits.endpoint']);
  },
);

test('without a trace and without --stdin, what to name is said', async () => {
  const { code, stderr } = await inProcess(['judge'], import.meta.dirname);
  expect(code).toBe(2);
  expect(stderr).toContain('--stdin');
});

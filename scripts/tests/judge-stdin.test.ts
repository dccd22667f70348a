import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { appWith, rollingLog } from '../../run/own-suite/testing/small-limiters.ts';
import { needing } from '../../testing/needs.ts';
import { inProcess } from '../testing/in-process.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'trace');
const isHere = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).error === undefined;

const writers = [
  ['Python', 'python', isHere('python3', ['--version']), ['python3', join(folder, 'write_trace.py')]],
  ['Go', 'go', isHere('go', ['version']), ['go', 'run', join(folder, 'write_trace.go')]],
] as const;

for (const [language, need, has, [command, ...args]] of writers)
  test(`a trace that ${language} writes is judged from standard input`, {
    ...needing(need, has),
    timeout: 120_000,
  }, async () => {
    const violatedBy = async (limit: number): Promise<readonly string[]> => {
      await using app = await appWith(rollingLog({ limit, windowMs: 1_000 }));
      const { stdout } = await promisify(execFile)(command, [...args, app.url, '5', '1']);
      const answers = stdout.trimEnd().split('\n');
      const judged = await inProcess(['judge', '--stdin', '--json'], import.meta.dirname, { answers });
      expect(judged.stderr).toBe('');
      const { clauses } = JSON.parse(judged.stdout) as {
        clauses: { id: string; verdict: { kind: string } }[];
      };
      return clauses.filter(({ verdict }) => verdict.kind === 'violated').map(({ id }) => id);
    };
    expect(await violatedBy(6)).toEqual(['limits.endpoint']);
    expect(await violatedBy(5)).toEqual([]);
  });

test('without a trace and without --stdin, what to name is said', async () => {
  const { code, stderr } = await inProcess(['judge'], import.meta.dirname);
  expect(code).toBe(2);
  expect(stderr).toContain('--stdin');
});

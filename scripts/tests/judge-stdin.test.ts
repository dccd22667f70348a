import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { appWith, rollingLog } from '../../run/own-suite/testing/small-limiters.ts';
import { needing } from '../../testing/needs.ts';
import { inProcess } from '../testing/in-process.ts';
import { blocksOf } from '../testing/pages/blocks-of.ts';

const root = join(import.meta.dirname, '..', '..');
const isHere = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).error === undefined;
const commands = blocksOf(await readFile(join(root, 'docs', 'trace.md'), 'utf8'));
const needs = { python3: ['python', ['--version']], go: ['go', ['version']] } as const;

for (const [program, [need, args]] of Object.entries(needs))
  test(`a trace that ${program} writes is judged by the command of docs/trace.md`, {
    ...needing(need, isHere(program, args)),
    // Go compiles its own library first, where it never has.
    timeout: 20 * 60_000,
  }, async () => {
    const { text = '' } = commands.find((block) => block.text.startsWith(`${program} `)) ?? {};
    const [writer = '', judge = ''] = text.split(' | npm run -s conformance -- ');
    const violatedBy = async (limit: number): Promise<readonly string[]> => {
      await using app = await appWith(rollingLog({ limit, windowMs: 1_000 }));
      const [command = '', ...words] = writer
        .replace('http://127.0.0.1:3000/items 30 2', `${app.url} 5 1`)
        .split(' ');
      const { stdout } = await promisify(execFile)(command, words, { cwd: root });
      const answers = stdout.trimEnd().split('\n');
      const judged = await inProcess([...judge.split(' '), '--json'], import.meta.dirname, { answers });
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

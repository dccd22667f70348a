import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { needing } from '../../testing/needs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import type { CommandIo } from '../commands/command-io.ts';
import { programOf } from '../program.ts';
import { completionScript, type Shell } from './completions.ts';

const program = await programOf({ stdout: process.stdout, stderr: process.stderr } as unknown as CommandIo, [
  'completions',
]);
const folder = await temporaryFolder();

/** What each shell runs after the script: it prints what is offered for the words given to it. */
const askers: Readonly<Record<Shell, string>> = {
  bash: `COMP_WORDS=(conformance "$@"); COMP_CWORD=$#; _conformance; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Stands in for the editor of lines, which is there in a terminal alone.
  zsh: `words=(conformance "$@"); CURRENT=$(( $# + 1 ))
    _describe() { local each; for each in "\${(@P)3}"; do print -- "\${each%%:*}"; done }
    compadd() { shift; print -l -- "$@" }
    _files() { :; }
    _conformance | grep -e "^$words[CURRENT]" || true`,
  fish: `complete -C "conformance $argv" | string split -f1 \\t`,
};

async function offered(shell: Shell, words: readonly string[]): Promise<readonly string[]> {
  const path = join(folder, `asked.${shell}`);
  const before = shell === 'zsh' ? 'compdef() { :; }\n' : '';
  await writeFile(path, `${before}${completionScript(shell, program)}\n${askers[shell]}\n`);
  const plain = { bash: '--norc', zsh: '-f', fish: '--no-config' }[shell];
  const { stdout, stderr } = spawnSync(shell, [plain, path, ...words], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

function isHere(shell: Shell): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}

describe.each([
  ['bash', {}],
  ['zsh', needing('zsh', isHere('zsh'))],
  ['fish', needing('fish', isHere('fish'))],
] as const)('%s completes', (shell, options) => {
  it('commands, and those below them', options, async () => {
    expect(await offered(shell, ['doc'])).toEqual(expect.arrayContaining(['doctor', 'document']));
    expect(await offered(shell, ['webhooks', 'dr'])).toEqual(['drive']);
  });

  it('options of a command, and of the default one', options, async () => {
    expect(await offered(shell, ['judge', '--sh'])).toEqual(['--shards']);
    expect(await offered(shell, ['--allow-p'])).toEqual(['--allow-partial']);
  });

  it('what an option can be', options, async () => {
    expect((await offered(shell, ['run', '--load', 'n'])).filter((word) => word === 'none')).toEqual([
      'none',
    ]);
  });

  it('files where nothing of its own is wanted', options, async () => {
    const asked = await offered(shell, ['judge', 'asked.']);
    // Where bash finds nothing of ours, its own completion of files takes over.
    expect(asked).toEqual(shell === 'fish' ? expect.arrayContaining(['asked.fish']) : []);
  });
});

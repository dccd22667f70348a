import process from 'node:process';
import { expect, it } from 'vitest';
import type { CommandIo } from './commands/command-io.ts';
import { programOf } from './program.ts';

const io = { stdout: process.stdout, stderr: process.stderr } as unknown as CommandIo;

const namesFor = async (...words: string[]): Promise<readonly string[]> =>
  (await programOf(io, words)).commands.map((command) => command.name());

it('has every command for the help, and for a word that names none', async () => {
  const all = await namesFor('--help');
  expect(all).toEqual(expect.arrayContaining(['run', 'checks', 'webhooks']));
  expect(await namesFor('cheks')).toEqual(all);
  expect(await namesFor('help', 'run')).toEqual(all);
  expect(await namesFor('--json', '-h')).toEqual(all);
});

it('has a command that is named, and no other', async () => {
  for (const name of await namesFor('--help'))
    expect(await namesFor('--debug', name, '--help')).toEqual([name]);
});

it('has the default command for flags alone', async () => {
  expect(await namesFor()).toEqual(['run']);
  expect(await namesFor('--url', 'identify')).toEqual(['run']);
});

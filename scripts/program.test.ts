import process from 'node:process';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import type { CommandIo } from './commands/command-io.ts';
import { programOf } from './program.ts';

const io = { stdout: process.stdout, stderr: process.stderr } as unknown as CommandIo;

const commandsFor = async (...words: string[]): Promise<readonly Command[]> =>
  (await programOf(io, words)).commands;

/** Names of those that were loaded: what is only listed has neither options nor subcommands. */
const loadedFor = async (...words: string[]): Promise<readonly string[]> =>
  (await commandsFor(...words))
    .filter(({ options, commands }) => options.length + commands.length > 0)
    .map((command) => command.name());

const names = (await commandsFor('--help')).map((command) => command.name());

it('lists every command for the help, and loads none', async () => {
  expect(names).toEqual(expect.arrayContaining(['run', 'checks', 'webhooks']));
  expect(await loadedFor('--help')).toEqual([]);
  expect(await loadedFor('--json', '-h')).toEqual([]);
  expect(await loadedFor('--version')).toEqual([]);
});

/** It completes all of them. */
const loadsAll = 'completions';

it.each(names.filter((name) => name !== loadsAll))(
  '%s is listed as it is, and loaded with no other where it is named',
  async (name) => {
    expect(await loadedFor('--debug', name, '--help')).toEqual([name]);
    const shown = async (...words: string[]): Promise<unknown> => {
      const command = (await commandsFor(...words)).find((one) => one.name() === name);
      const given = command?.registeredArguments ?? [];
      return [command?.description(), given.map((one) => [one.name(), one.required, one.variadic])];
    };
    expect(await shown('--help')).toEqual(await shown(name));
  },
);

it('loads all of them to complete them', async () => {
  expect(await loadedFor(loadsAll, 'bash')).toEqual(names.filter((name) => name !== loadsAll));
});

it('loads what help is asked about, wherever its name stands', async () => {
  expect(await loadedFor('help', 'judge')).toEqual(expect.arrayContaining(['judge']));
  expect(await loadedFor('--help', 'judge')).toEqual(['judge']);
});

it('has the default command for flags alone, and for a word that names none', async () => {
  expect(await loadedFor()).toEqual(['run']);
  expect(await loadedFor('--url', 'identify')).toEqual(['run', 'identify']);
  expect(await loadedFor('cheks')).toEqual(['run']);
});

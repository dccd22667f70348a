import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { conformance, type EndedCommand, once } from '../command-line.ts';
import { inProcess } from '../in-process.ts';
import type { Typed } from './ways.ts';

/** Where a page's lines are typed. */
export type Place = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What stands on the page for what everybody has their own of, and what is here for it. */
  readonly here: readonly (readonly [onPage: string, here: string])[];
};

/** The lines of a block as a shell takes them: what ends with `\` goes on, and comments are left out. */
export function linesOf(block: string): readonly string[] {
  return block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''));
}

/** Types a line of a page, and expects of it what the list says. */
export async function type(line: string, way: Typed, place: Place): Promise<void> {
  const exported = /^export (\w+)=…$/.exec(line);
  if (exported !== null) return expect(place.env).toHaveProperty(exported[1] ?? '');
  const [, command] = /^npm (?:run (?:-s )?conformance|start) -- ([^>]+?)(?: > \S+)?$/.exec(line) ?? [];
  if (command === undefined) throw new Error(`nobody types this: ${line}`);
  await typeWords(command, way, place);
}

/** Types the words after the name of the command. */
export async function typeWords(command: string, way: Typed, place: Place): Promise<void> {
  const [lastRun = ''] = (await readdir(join(place.cwd, 'runs')).catch(() => [])).toSorted().reverse();
  const here = [...place.here, ['runs/TIME', `runs/${lastRun}`] as const];
  const asHere = here.reduce((text, [onPage, own]) => text.replaceAll(onPage, own), command);
  const words = wordsOf(`${asHere} ${way.more ?? ''}`);
  const ended =
    way.until === undefined ? await inProcess(words, place.cwd, place) : await untilSaid(words, way, place);
  const said = ended.stdout + ended.stderr;
  expect(way.ends ?? [0], `${words.join(' ')}\n${said}`).toContain(ended.code);
  expect(said).toMatch(way.says);
}

/** `npm start` is `run`, as flags alone are. Quoted words are one. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

function untilSaid(
  words: readonly string[],
  { until = '' }: Typed,
  { cwd, env }: Place,
): Promise<EndedCommand> {
  return conformance(words, { cwd, env, onOutput: once(until, (child) => child.kill('SIGINT')) });
}

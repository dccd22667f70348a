import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { inferred, neededOf } from './declared-names.ts';
import { fieldComments, withComments } from './field-comments.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * Writes the types that these sources of the project export, and all that they need, into a folder of their own. Types that
 * are inferred from schemas of zod are written out, so that whoever installs the package needs no zod.
 * @param entries Paths from the root of the project.
 * @throws where a type of zod is left.
 */
export async function writeDeclarations(entries: readonly string[], folder: string): Promise<void> {
  const sources = entries.map((entry) => join(root, entry));
  await inNewFolder(async (place) => {
    const declared = await declarationsOf(sources, place);
    const needed = neededOf(sources.map(declaration), declared);
    const expanded = await expandedTypes(needed, declared, place);
    for (const [path, text] of needed) {
      const written = text.replace(
        inferred,
        (all, kind, name) => expanded.get(keyOf(path, kind, name)) ?? all,
      );
      const left = /.*(?:\bz\.|\bzod\b).*/.exec(written);
      if (left !== null) throw new Error(`${path} still names a type of zod: ${left[0]}`);
      const to = join(folder, relative(root, path));
      await mkdir(dirname(to), { recursive: true });
      await writeFile(to, written.replaceAll(/(from '\.[^']*)\.ts'/g, `$1.js'`));
    }
  });
}

/** The declarations of sources and of all that they import, by the path that they would have beside each. */
async function declarationsOf(
  sources: readonly string[],
  place: string,
): Promise<ReadonlyMap<string, string>> {
  const outDir = await mkdtemp(join(place, 'declared-'));
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      incremental: false,
      tsBuildInfoFile: null,
      declaration: true,
      emitDeclarationOnly: true,
      noErrorTruncation: true,
      listEmittedFiles: true,
      rootDir: '/',
      outDir,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: sources,
    include: [],
  };
  const project = join(outDir, 'tsconfig.json');
  await writeFile(project, JSON.stringify(settings));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--project', project]).catch(
    (failed: { readonly stdout: string }) => {
      throw new Error(`the types of the package cannot be written:\n${failed.stdout}`);
    },
  );
  const emitted = stdout.split('\n').flatMap((line) => /^TSFILE: (.*\.d\.m?ts)$/.exec(line)?.[1] ?? []);
  const texts = emitted.map(
    async (path) => [`/${relative(outDir, path)}`, await readFile(path, 'utf8')] as const,
  );
  return new Map(await Promise.all(texts));
}

/** The text of every inferred type in these declarations. */
async function expandedTypes(
  needed: ReadonlyMap<string, string>,
  declared: ReadonlyMap<string, string>,
  place: string,
): Promise<ReadonlyMap<string, string>> {
  const asked = [...needed].flatMap(([path, text]) =>
    [...text.matchAll(inferred)].map(([, kind = '', name = '']) => ({
      key: keyOf(path, kind, name),
      schema: name,
      ...probed(name, kind, { path, text: declared.get(path) ?? '' }),
    })),
  );
  const lines = asked.flatMap(({ exported, from, type }, at) => [
    `import type { ${exported} as T${at} } from '${from}';`,
    `export const type${at} = () => made<${type.replace(exported, `T${at}`)}>();`,
  ]);
  const probe = join(place, 'probe.mts');
  await writeFile(probe, ['declare function made<T>(): T;', ...lines].join('\n'));
  const text = (await declarationsOf([probe], place)).get(declaration(probe)) ?? '';
  const types = text.split(/^(?=import |export |declare )/m);
  const found = new Map<string, string>();
  for (const [at, { key, schema, home }] of asked.entries()) {
    const begin = `export declare const type${at}: () => `;
    const type = types
      .find((one) => one.startsWith(begin))
      ?.slice(begin.length)
      .trim()
      .replace(/;$/, '');
    if (type === undefined) throw new Error(`the type of ${schema} could not be written out`);
    const comments = fieldComments(await readFile(home, 'utf8'), schema);
    found.set(key, withComments(type.replaceAll('import("zod").JSONType', 'unknown'), comments));
  }
  return found;
}

type Declared = { readonly path: string; readonly text: string };

/** How a program of its own names the type that a schema stands for: by the schema, or by a type where only that is exported. */
function probed(name: string, kind: string, { path, text }: Declared) {
  const [, imported] = new RegExp(`^import .*\\b${name}\\b.* from '(\\.[^']*)'`, 'm').exec(text) ?? [];
  const home = imported === undefined ? sourceOf(path) : resolve(dirname(path), imported);
  const [, alias] = new RegExp(`^export type (\\w+) = z\\.${kind}<typeof ${name}>;`, 'm').exec(text) ?? [];
  if (alias !== undefined) return { home, exported: alias, from: sourceOf(path), type: alias };
  const member = kind === 'infer' ? 'output' : 'input';
  return { home, exported: name, from: home, type: `(typeof ${name})['_zod']['${member}']` };
}

function declaration(source: string): string {
  return source.replace(/\.(m?)ts$/, '.d.$1ts');
}

function sourceOf(path: string): string {
  return path.replace(/\.d\.ts$/, '.ts');
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('\n');
}

async function inNewFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'declarations-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

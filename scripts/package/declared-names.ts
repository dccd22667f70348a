import { dirname, resolve } from 'node:path';

/** A type that a schema of zod stands for, e.g. `z.infer<typeof exchangeSchema>`. */
export const inferred = /z\.(infer|input)<typeof (\w+)>/g;

/** One file of declarations as the compiler writes it. */
type DeclaredFile = {
  /** What each name is declared as, with the comment above it; functions may be declared several times. */
  readonly statements: readonly { readonly name: string; readonly text: string }[];
  /** By the name that it has here: what is imported, and from where. */
  readonly imports: ReadonlyMap<string, Imported>;
  /** `export { … } from …` */
  readonly passedOn: readonly Imported[];
};

type Imported = { readonly name: string; readonly from: string; readonly text: string };

/**
 * Of files of declarations, what the exports of some of them need, as a text for each: the rest is nobody's business, and
 * names packages that are not installed with this one.
 * @param entries Paths of the files whose exports are wanted.
 * @param declared All files by their paths.
 */
export function neededOf(
  entries: readonly string[],
  declared: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const files = new Map([...declared].map(([path, text]) => [path, parsed(text)]));
  const needed = new Map<string, Set<string>>();
  const open = entries.flatMap((path) => exportsOf(path, files.get(path)));
  for (const path of entries) needed.set(path, new Set());
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, name } = next;
    const file = files.get(path);
    const names = needed.get(path) ?? new Set();
    if (file === undefined || names.has(name)) continue;
    needed.set(path, names.add(name));
    open.push(...usedBy(name, path, file));
  }
  return new Map([...needed].map(([path, names]) => [path, textOf(files.get(path) as DeclaredFile, names)]));
}

type Named = { readonly path: string; readonly name: string };

/** All that an entry exports, its own and that of others. */
function exportsOf(path: string, file: DeclaredFile | undefined): readonly Named[] {
  if (file === undefined) throw new Error(`the compiler declared nothing for ${path}`);
  return [
    ...file.passedOn.map(({ from, name }) => ({ path: pathFrom(path, from), name })),
    ...file.statements.map(({ name }) => ({ path, name })),
  ];
}

/** What a name in a file needs: the names in its declaration, or what it is imported as. */
function usedBy(name: string, path: string, file: DeclaredFile): readonly Named[] {
  const used = [...namesIn(file, name)].map((one) => ({ path, name: one }));
  const imported = file.imports.get(name);
  return imported === undefined
    ? used
    : [...used, { path: pathFrom(path, imported.from), name: imported.name }];
}

/** Names that the declaration of another one uses. */
function namesIn({ statements }: DeclaredFile, name: string): ReadonlySet<string> {
  const own = statements.filter((one) => one.name === name).map(({ text }) => text);
  // What is inferred from a schema is written out: nobody asks what the schema is made of.
  const text = own.join('').replaceAll(docComments, '').replaceAll(inferred, '');
  return new Set(text.match(/\b[A-Za-z_$][\w$]*/g) ?? []);
}

function textOf({ statements, imports, passedOn }: DeclaredFile, names: ReadonlySet<string>): string {
  const used = [...imports].filter(([name]) => names.has(name)).map(([, { text }]) => text);
  const kept = statements.filter(({ name }) => names.has(name)).map(({ text }) => text);
  return [...new Set([...used, ...passedOn.map(({ text }) => text)]), ...kept].join('');
}

function parsed(text: string): DeclaredFile {
  const imports = new Map<string, Imported>();
  const passedOn: Imported[] = [];
  const statements: { name: string; text: string }[] = [];
  let comment = '';
  for (const part of text.split(/^(?=\/\*\*|import |export |declare |type )/m)) {
    const [, verb, names = '', from = ''] =
      /^(import|export) (?:type )?\{([^}]*)\} from '([^']*)';/.exec(part) ?? [];
    if (verb === 'import') for (const [as, one] of importedBy(names, from)) imports.set(as, one);
    if (verb === 'export') passedOn.push(...listed(names).map(({ name }) => ({ name, from, text: part })));
    const [, name] = declaredName.exec(part) ?? [];
    if (name !== undefined) statements.push({ name, text: comment + part });
    comment = part.startsWith('/**') ? part : '';
  }
  return { statements, imports, passedOn };
}

const declaredName = /^(?:export )?(?:declare )?(?:abstract )?(?:const|function|class|type|interface) (\w+)/;

const docComments = /\/\*\*(?:(?!\*\/)[\s\S])*\*\//g;

/** What an import brings, each by the name that it has from then on. */
function importedBy(names: string, from: string): readonly (readonly [string, Imported])[] {
  return listed(names).map(({ name, as }) => {
    const shown = name === as ? name : `${name} as ${as}`;
    return [as, { name, from, text: `import type { ${shown} } from '${from}';\n` }];
  });
}

/** What stands between the braces of an import. */
function listed(names: string): readonly { readonly name: string; readonly as: string }[] {
  return names.split(',').flatMap((one) => {
    const [name, as = name] = one
      .trim()
      .replace(/^type /, '')
      .split(' as ');
    return name === undefined || as === undefined || name === '' ? [] : [{ name, as }];
  });
}

function pathFrom(path: string, from: string): string {
  return resolve(dirname(path), from).replace(/\.ts$/, '.d.ts');
}

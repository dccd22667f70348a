import type { Metafile } from 'esbuild';

/** Something that the package holds, and how many bytes of it. */
export type Holding = { readonly what: string; readonly bytes: number };

/** Whose code is named by itself. */
const namedFromBytes = 25_000;

const theirs = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** Whose code the programs of the package are: this project's own, large packages by their names, and all others together. */
export function holdingsOf({ outputs }: Pick<Metafile, 'outputs'>): readonly Holding[] {
  const bytesOf = new Map<string, number>();
  const add = (what: string, bytes: number): void => {
    bytesOf.set(what, (bytesOf.get(what) ?? 0) + bytes);
  };
  for (const { bytes, inputs } of Object.values(outputs)) {
    let left = bytes;
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      add(theirs.exec(path)?.[1] ?? 'own', bytesInOutput);
      left -= bytesInOutput;
    }
    // What joins the parts of a file.
    add('own', left);
  }
  const all = [...bytesOf].map(([what, bytes]): Holding => ({ what, bytes }));
  const named = all.filter(({ bytes }) => bytes >= namedFromBytes);
  const others = all.filter(({ bytes }) => bytes < namedFromBytes);
  const ofOthers = { what: 'others', bytes: others.reduce((sum, { bytes }) => sum + bytes, 0) };
  return [...named, ofOthers].sort((left, right) => right.bytes - left.bytes);
}

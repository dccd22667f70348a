import { copyFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BundleOptions, BundleResult } from './bundle.ts';

/** Path of the script that k6 runs for every scenario, as `bundle.ts` names it. */
export const k6Script = join(import.meta.dirname, '..', 'k6', 'scenario.ts');

/** What stands in the installed package for `bundle.ts`: there, the scripts of k6 are bundled already. */
export async function bundle({ entry, outfile }: BundleOptions): Promise<BundleResult> {
  await copyFile(prebuiltOf(entry), outfile);
  return { kind: 'bundled', path: outfile, bytes: (await stat(outfile)).size };
}

/** The text of the script that k6 runs for every scenario, bundled. */
export function k6ScriptText(): Promise<string> {
  return readFile(prebuiltOf(k6Script), 'utf8');
}

function prebuiltOf(entry: string): string {
  return entry.replace(/\.ts$/, '.js');
}

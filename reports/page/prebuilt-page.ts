import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageAssets } from './shell.ts';

const folder = join(import.meta.dirname, 'client');

/** What stands in the installed package for `bundle-page.ts`: there, the program and the style of all pages are bundled already. */
export async function bundlePage(): Promise<PageAssets> {
  const [script, style] = await Promise.all(
    ['main.js', 'main.css'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  if (script === undefined || style === undefined) throw new Error('the page has a script and a style');
  return { script, style };
}

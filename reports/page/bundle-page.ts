import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { inToolEnvironment } from '../../contract/tool-environment.ts';
import type { PageAssets } from './shell.ts';

const folder = join(import.meta.dirname, 'client');

let bundled: Promise<PageAssets> | null = null;

/** The program and the style of all pages, bundled once in a process; it takes about a quarter of a second. */
export function bundlePage(): Promise<PageAssets> {
  bundled ??= inToolEnvironment(process, () =>
    build({
      entryPoints: [join(folder, 'main.ts'), join(folder, 'page.css')],
      outdir: folder,
      write: false,
      bundle: true,
      minify: true,
      format: 'iife',
      target: 'es2022',
      platform: 'browser',
      // Pages are UTF-8, and escapes would be longer.
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
    }),
  ).then(({ outputFiles }) => ({
    script: textOf(outputFiles, '.js'),
    style: textOf(outputFiles, '.css'),
  }));
  return bundled;
}

function textOf(files: readonly { readonly path: string; readonly text: string }[], ending: string): string {
  const file = files.find(({ path }) => path.endsWith(ending));
  if (file === undefined) throw new Error(`esbuild wrote no ${ending} file for the page`);
  return file.text;
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of one run of k6, in a folder of its own. */
export type K6Files = { readonly config: string; readonly console: string; readonly summary: string };

export async function prepareFiles(folder: string): Promise<K6Files> {
  const files = {
    config: join(folder, 'k6.json'),
    console: join(folder, 'console.ndjson'),
    summary: join(folder, 'summary.json'),
  };
  await writeFile(files.config, '{}');
  await writeFile(files.console, '');
  return files;
}

/** No REST API is opened (`--address` is not given), nobody's settings file is read, nothing is reported home. */
export function k6Arguments(files: K6Files, script: string): readonly string[] {
  return [
    ...['run', '--quiet', '--no-color', '--no-usage-report', '--config', files.config],
    ...['--console-output', files.console, '--log-format', 'raw', '--log-output', 'stderr'],
    ...['--summary-export', files.summary, script],
  ];
}

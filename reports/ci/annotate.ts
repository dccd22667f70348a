import { appendFile, glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { missingReport, renderAnnotations } from '../annotations.ts';
import { reportSchema } from '../result.ts';

/*
 * The last step of the action: says what was found where GitHub shows it, and gives the outputs. `FOLDER` is the folder of
 * the runs of this step: two where an inconclusive one was repeated.
 */
const { FOLDER: folder = '', GITHUB_OUTPUT: outputs = '' } = process.env;
const found: string[] = [];
if (folder !== '')
  for await (const path of glob('*/report.json', { cwd: folder })) found.push(join(folder, path));
// The names of runs are times of one clock.
const newest = found.toSorted().at(-1);

if (newest === undefined) {
  process.stdout.write(missingReport('The log of the step before says why.'));
  await appendFile(outputs, 'verdict=none\nreport=\nbadge=\n');
} else {
  const report = reportSchema.parse(JSON.parse(await readFile(newest, 'utf8')));
  process.stdout.write(renderAnnotations(report));
  const page = newest.replace(/json$/, 'html');
  const badge = join(dirname(newest), 'badge.svg');
  await appendFile(outputs, `verdict=${report.outcome}\nreport=${page}\nbadge=${badge}\n`);
}

import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { startChromium } from '../../reports/page/testing/chromium.ts';
import { conformance } from './command-line.ts';

/* Draws `docs/report.png` and `docs/badge.svg`, page and badge of a saved run as the README shows them: `npm run picture`. Sends nothing. */

const root = join(import.meta.dirname, '..', '..');
const trace = join(root, 'judge', 'testdata', 'fixed-window-first-request.ndjson');
const picture = join(root, 'docs', 'report.png');
const badge = join(root, 'docs', 'badge.svg');

const folder = await mkdtemp(join(tmpdir(), 'picture-'));
const browser = await startChromium();
try {
  const said = await conformance(['judge', trace, '--out', 'judged', '--no-baseline'], { cwd: folder });
  const [run = ''] = await readdir(join(folder, 'judged'));
  if (run === '') throw new Error(said.stderr);
  const page = await browser.newPage({ viewport: { width: 1_000, height: 860 }, colorScheme: 'light' });
  await page.goto(pathToFileURL(join(folder, 'judged', run, 'report.html')).href);
  await page.screenshot({ path: picture });
  await copyFile(join(folder, 'judged', run, 'badge.svg'), badge);
  process.stdout.write('docs/report.png\ndocs/badge.svg\n');
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}

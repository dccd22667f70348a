import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { startChromium } from '../reports/page/testing/chromium.ts';
import { median } from './cpu-seconds.ts';
import type { Bench, Measure } from './measure.ts';
import { writeLongTrace } from './reports/long-trace.ts';
import type { RenderCost } from './reports/render.ts';

const exchanges = 100_000;
const rounds = 5;

const renderSecondsMax = 3;
const renderMegabytesMax = 500;
const pageBytesMax = 1_000_000;
const openSecondsMax = 2;
/** A redraw that takes longer is felt as a pause. */
const redrawMsMax = 100;

const run = promisify(execFile);
const folder = import.meta.dirname;

/** Every report of a long run, and its page in a browser. */
export const reportsBench: Bench = {
  name: 'reports',
  about: `all reports of a run of ${exchanges.toLocaleString('en')} exchanges, and its page in Chromium; medians of ${rounds}`,
  run: async (say) => {
    const work = await mkdtemp(join(tmpdir(), 'bench-reports-'));
    try {
      const trace = join(work, 'trace.ndjson');
      const judged = join(work, 'judged.json');
      say('writing and judging a trace');
      writeLongTrace(trace, exchanges);
      await run(process.execPath, [join(folder, 'reports', 'judge.ts'), trace, judged]);
      const rendered = await inRounds('rendering', say, async () => {
        const { stdout } = await run(process.execPath, [
          join(folder, 'reports', 'render.ts'),
          ...[trace, judged, work],
        ]);
        return JSON.parse(stdout) as RenderCost;
      });
      const browser = await startChromium();
      try {
        const looked = await inRounds('opening the page', say, () =>
          lookAt(browser, pathToFileURL(join(work, 'report.html')).href),
        );
        return [...renderMeasures(rendered), ...pageMeasures(looked)];
      } finally {
        await browser.close();
      }
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  },
};

async function inRounds<Value>(
  what: string,
  say: (line: string) => void,
  once: () => Promise<Value>,
): Promise<readonly Value[]> {
  const values: Value[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`${what}, ${round} of ${rounds}`);
    values.push(await once());
  }
  return values;
}

/** How the page feels, ms. */
type Looked = { readonly openMs: number; readonly redrawMs: number; readonly frameMs: number };

async function lookAt(browser: Browser, url: string): Promise<Looked> {
  const context = await browser.newContext({ offline: true, viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(url);
  await page.locator('[data-chart] svg').first().waitFor();
  const openMs = performance.now() - began;
  const redrawMs = (await page.evaluate(redrawing)) as number;
  const frameMs = (await page.evaluate(scrolling)) as number;
  await context.close();
  return { openMs, redrawMs, frameMs };
}

/** In the page: how long the slowest of some zooms takes to be drawn, ms. */
const redrawing = `(() => {
  const holder = document.querySelector('.plot[data-chart=in-window]');
  let slowest = 0;
  for (const key of ['+', '+', 'ArrowRight', 'ArrowRight', '-', 'Escape']) {
    const began = performance.now();
    holder.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    holder.getBoundingClientRect();
    slowest = Math.max(slowest, performance.now() - began);
  }
  return slowest;
})()`;

/** In the page: the median time between two frames while it is scrolled from one end to the other, ms. */
const scrolling = `new Promise((resolve) => {
  const frames = [];
  let last = performance.now();
  const step = (now) => {
    frames.push(now - last);
    last = now;
    scrollBy({ top: 60, behavior: 'instant' });
    const isOver = scrollY + innerHeight >= document.documentElement.scrollHeight - 1 || frames.length >= 600;
    if (!isOver) return requestAnimationFrame(step);
    frames.sort((left, right) => left - right);
    resolve(frames[Math.floor(frames.length / 2)]);
  };
  requestAnimationFrame(step);
})`;

function renderMeasures(all: readonly RenderCost[]): readonly Measure[] {
  const seconds = median(all.map(({ renderSeconds }) => renderSeconds));
  const cpuSeconds = median(all.map((one) => one.cpuSeconds));
  const megabytes = median(all.map(({ peakMegabytes }) => peakMegabytes));
  const pageBytes = median(all.map((one) => one.pageBytes));
  const reportBytes = median(all.map((one) => one.reportBytes));
  return [
    {
      measured: 'series and all reports, CPU time',
      ours: `${cpuSeconds.toFixed(2)} s`,
      bar: { text: `under ${renderSecondsMax} s`, isMet: cpuSeconds < renderSecondsMax },
    },
    { measured: 'the same by the clock, beside whatever else runs', ours: `${seconds.toFixed(2)} s` },
    {
      measured: 'peak of that process',
      ours: `${megabytes.toFixed(0)} MB`,
      bar: { text: `under ${renderMegabytesMax} MB`, isMet: megabytes < renderMegabytesMax },
    },
    {
      measured: 'report.html',
      ours: kilobytes(pageBytes),
      bar: { text: `under ${kilobytes(pageBytesMax)}`, isMet: pageBytes < pageBytesMax },
    },
    { measured: 'report.json', ours: kilobytes(reportBytes) },
  ];
}

function pageMeasures(all: readonly Looked[]): readonly Measure[] {
  const openMs = median(all.map((one) => one.openMs));
  const redrawMs = median(all.map((one) => one.redrawMs));
  const frameMs = median(all.map((one) => one.frameMs));
  return [
    {
      measured: 'page opened, first picture drawn',
      ours: `${(openMs / 1_000).toFixed(2)} s`,
      bar: { text: `under ${openSecondsMax} s`, isMet: openMs < openSecondsMax * 1_000 },
    },
    {
      measured: 'slowest redraw of a zoom',
      ours: `${redrawMs.toFixed(0)} ms`,
      bar: { text: `under ${redrawMsMax} ms`, isMet: redrawMs < redrawMsMax },
    },
    { measured: 'frame while scrolling, median', ours: `${frameMs.toFixed(1)} ms` },
  ];
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1_000)} kB`;
}

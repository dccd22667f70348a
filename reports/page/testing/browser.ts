import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startChromium } from './chromium.ts';

/** One page in a real browser, opened from a file as a user would, and everything else that it did. */
export type OpenedPage = {
  readonly page: Page;
  /** What it wrote to the console, errors it threw, and requests for anything but itself. */
  readonly complaints: readonly string[];
};

/** A browser for the tests of one file. */
export function useBrowser(): (markup: string, options?: BrowserContextOptions) => Promise<OpenedPage> {
  let browser: Browser | null = null;
  let folder: string;
  let files = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'page-test-'));
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });
  return async (markup, options = {}) => {
    browser ??= await startChromium();
    files += 1;
    const file = join(folder, `${files}.html`);
    await writeFile(file, markup);
    const context = await browser.newContext({ offline: true, ...options });
    return open(await context.newPage(), pathToFileURL(file).href);
  };
}

async function open(page: Page, url: string): Promise<OpenedPage> {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:'))
      complaints.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}

/** The serious and critical findings of axe-core on a page, one line each. */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger: the policy of the page forbids every script but its own.
  await page.evaluate(axe.source);
  const results = (await page.evaluate('axe.run(document)')) as axe.AxeResults;
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

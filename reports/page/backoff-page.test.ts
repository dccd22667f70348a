import { describe, expect, it } from 'vitest';
import { needing } from '../../testing/needs.ts';
import { renderBackoffPage } from './backoff-page.ts';
import { bundlePage } from './bundle-page.ts';
import type { Frontier } from './frontier.ts';
import { seriousFaults, useBrowser } from './testing/browser.ts';
import { chromiumIsHere } from './testing/chromium.ts';

const interval = (value: number) => ({ value, low: value * 0.9, high: value * 1.1 });

const frontier: Frontier = {
  setting: '20 clients, 1,200 jobs, 300 in 60 s',
  lowerBoundSeconds: 180,
  strategies: [
    {
      name: '</script><img src=x>',
      parameters: '',
      makespanSeconds: interval(200),
      wasted: interval(0.05),
      role: 'recommended',
    },
  ],
};

const rendered = async () => {
  const configurations = [{ name: 'undici', code: 'a < b && "c"' }];
  return renderBackoffPage({ title: 'Backoff', frontier, configurations }, await bundlePage());
};

const opened = useBrowser();

describe('the page of a tuned backoff', () => {
  it('is one small file that names no other', async () => {
    const page = await rendered();
    expect(page.length).toBeLessThan(400_000);
    expect(page).not.toMatch(/(src|href)="(?!#|data:)/);
    expect(page).toContain('default-src &#39;none&#39;');
  });

  it('keeps every text a text', async () => {
    const page = await rendered();
    expect(page).not.toContain('<img');
    expect(page).toContain('a &lt; b &amp;&amp; &quot;c&quot;');
    expect(page.match(/<\/script>/g)).toHaveLength(2);
  });

  it('has neither zod nor anything of Node in its program', async () => {
    const { script } = await bundlePage();
    expect(script).not.toContain('ZodError');
    expect(script).not.toMatch(/require\(["']node:/);
  });

  it(
    'draws its chart in a browser, quietly, for everybody',
    needing('chromium', chromiumIsHere()),
    async () => {
      const { page, complaints } = await opened(await rendered());
      await page.locator('[data-chart=frontier] svg').waitFor();
      expect(await page.locator('[data-chart=frontier] circle').count()).toBe(1);
      expect(await page.locator('img').count()).toBe(0);
      expect(await seriousFaults(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});

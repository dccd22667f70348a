import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clauses } from '../../contract/clauses/registry.ts';
import { violated } from '../../contract/verdict.ts';
import { type HistoryLine, historyLineOf } from '../../reports/history/history-line.ts';
import { remembering } from '../../reports/history/since-last.ts';
import { bundlePage } from '../../reports/page/bundle-page.ts';
import { renderReportPage } from '../../reports/page/report-page.ts';
import { seriousFaults, useBrowser } from '../../reports/page/testing/browser.ts';
import { chromiumIsHere } from '../../reports/page/testing/chromium.ts';
import type { Report } from '../../reports/result.ts';
import { hostile, quoted, reportOf } from '../../reports/testing/fixtures.ts';
import { judgeSaved } from '../../run/judge/judge-file.ts';
import { documentAlone } from '../../run/judge/judging.ts';
import { needing } from '../../testing/needs.ts';

const opened = useBrowser();
const faults = [{ name: 'limit-header-absent', summary: 'sends no limit', clauses: ['headers.present'] }];

const rendered = async (report: Report, past: readonly HistoryLine[] = []) =>
  renderReportPage({ report, faults, past }, await bundlePage());

const reports = new Map<string, Promise<Report>>();

/** The report on a saved trace, which is judged once for all tests that look at its page. */
const saved = (name: string): Promise<Report> => {
  const trace = join(import.meta.dirname, '..', '..', 'judge', 'testdata', `${name}.ndjson`);
  const report =
    reports.get(name) ?? judgeSaved('deployment', trace, documentAlone).then((judged) => judged.report);
  reports.set(name, report);
  return report;
};

const all = clauses.length;

/** What A4 leaves within its margins of 14 mm, CSS px. */
const paper = { width: 688, height: 1_016 };

const verdictOf = ({ page }: Awaited<ReturnType<typeof opened>>) => page.locator('h1').innerText();

/** In the page: links to places that it does not have. */
const deadLinks = `[...document.querySelectorAll('a[href^="#"]')]
  .map((link) => decodeURIComponent(link.hash.slice(1)))
  .filter((id) => document.getElementById(id) === null)`;

/** Every picture is drawn once it has been in view. */
const drawAll = async ({ page }: Awaited<ReturnType<typeof opened>>) => {
  const holders = page.locator('[data-chart]:visible');
  for (let at = 0; at < (await holders.count()); at += 1) {
    await holders.nth(at).scrollIntoViewIfNeeded();
    await holders.nth(at).locator('svg').first().waitFor();
  }
  return holders.count();
};

describe('the page of a run', needing('chromium', chromiumIsHere()), () => {
  it('of a service that limits as documented draws all pictures, quietly, for everybody', async () => {
    const markup = await rendered(await saved('conforming'));
    expect(markup.length).toBeLessThan(1_000_000);
    const it = await opened(markup);
    expect(await verdictOf(it)).toBe('Inconclusive');
    expect(await it.page.evaluate(deadLinks)).toEqual([]);
    expect(await drawAll(it)).toBe(4);
    expect(await it.page.locator('#violated').count()).toBe(0);
    expect(await seriousFaults(it.page)).toEqual([]);
    expect(it.complaints).toEqual([]);
  });

  it('says first what is violated, with evidence, a command that repeats it and the excess shaded', async () => {
    const it = await opened(await rendered(await saved('fixed-window-first-request')), {
      colorScheme: 'dark',
    });
    expect(await verdictOf(it)).toBe('Not conformant');
    const finding = it.page.locator('#violated article').first();
    expect(await finding.innerText()).toContain('31 of key A at media admitted within');
    expect(await finding.locator('pre').innerText()).toContain('curl');
    await drawAll(it);
    expect(await it.page.locator('.of-over').count()).toBe(1);
    const excess = it.page.locator('[data-chart=in-window] [fill="var(--bad)"] path').first();
    expect((await excess.boundingBox())?.height).toBeGreaterThan(5);
    expect(await it.page.locator('[data-chart=returns]').innerText()).toContain(
      'fixed window (from the first request)',
    );
    expect(await seriousFaults(it.page)).toEqual([]);
    expect(it.complaints).toEqual([]);
  });

  it('filters its clauses, and opens the one that a link leads to', async () => {
    const it = await opened(await rendered(await saved('limit-minus-one')));
    const shown = it.page.locator('.clause:visible');
    expect(await shown.count()).toBe(all);
    await it.page.getByLabel('Search clauses').fill('limit-header-absent');
    expect(await shown.count()).toBe(1);
    expect(await it.page.locator('form output').innerText()).toBe(`1 of ${all} clauses`);
    await it.page.getByLabel('Search clauses').fill('');
    await it.page.getByLabel('Verdict').selectOption('VIOLATED');
    expect(await shown.count()).toBe(1);
    await it.page.locator('#violated a').first().click();
    await it.page.locator('.clause[open]').waitFor();
    expect(await it.page.locator('.clause[open] dl').innerText()).toContain('Violated by');
    expect(it.complaints).toEqual([]);
  });

  it('can be looked at closely by keyboard alone', async () => {
    const it = await opened(await rendered(await saved('conforming')));
    const figure = it.page.locator('figure').first();
    await figure.locator('.plot').focus();
    await figure.locator('.plot').press('ArrowRight');
    await figure.locator('.plot').press('ArrowRight');
    expect(await figure.locator('output').innerText()).toMatch(
      /^admitted \(2\d\d\), .*sent \+0\.\d+ s, answered/,
    );
    const ticks = () => figure.locator('[aria-label="x-axis tick label"]').textContent();
    const before = await ticks();
    await figure.locator('.plot').press('+');
    expect(await ticks()).not.toBe(before);
    await figure.locator('.plot').press('Escape');
    expect(await ticks()).toBe(before);
  });

  it('shows a request to the mouse, and what is dragged across more closely', async () => {
    const { page, complaints } = await opened(await rendered(await saved('conforming')));
    const figure = page.locator('figure').first();
    await figure.scrollIntoViewIfNeeded();
    const { x, y, width } = (await figure.locator('svg').boundingBox())!;
    await page.mouse.move(x + width / 2, y + 60);
    await page.mouse.move(x + 60, y + 60);
    expect(await figure.locator('[aria-label=tip]').textContent()).toMatch(/sent \+\d/);
    const ticks = () => figure.locator('[aria-label="x-axis tick label"]').textContent();
    expect(await ticks()).toContain('60');
    await page.mouse.down();
    await page.mouse.move(x + 160, y + 60, { steps: 3 });
    expect(await figure.locator('.brush').count()).toBe(1);
    await page.mouse.up();
    expect(await ticks()).not.toContain('60');
    await figure.getByRole('button', { name: 'All' }).click();
    expect(await ticks()).toContain('60');
    expect(complaints).toEqual([]);
  });

  it('has nothing to draw where nothing was sent, and says so', async () => {
    const it = await opened(await rendered(reportOf()));
    expect(await it.page.locator('#pictures').innerText()).toContain('there is nothing to draw');
    expect(await it.page.locator('[data-chart]').count()).toBe(0);
    expect(await seriousFaults(it.page)).toEqual([]);
    expect(it.complaints).toEqual([]);
  });

  it('draws the runs before it, and says what changed', async () => {
    const report = await saved('conforming');
    const past = Array.from({ length: 9 }, (_, n) => {
      const line = historyLineOf(report);
      const startedAt = new Date(Date.parse(line.startedAt) - (9 - n) * 86_400_000).toISOString();
      return {
        ...line,
        runId: `night-${n}`,
        startedAt,
        verdicts: { ...line.verdicts, 'error.code': 'violated' as const },
      };
    });
    const it = await opened(await rendered(remembering(report, past), past));
    expect(await it.page.locator('.since').innerText()).toContain('error.code: violated → held');
    expect(await it.page.locator('#history tbody tr').count()).toBe(10);
    await drawAll(it);
    expect(await it.page.locator('[data-chart=nights] circle').count()).toBe(10);
    expect(await seriousFaults(it.page)).toEqual([]);
    expect(it.complaints).toEqual([]);
  });

  it('is whole on paper: everything folded is open, every picture drawn, and as it was afterwards', async () => {
    const { page } = await opened(await rendered(await saved('conforming')));
    const folded = page.locator('details.fold:not([open])');
    const before = await folded.count();
    expect(before).toBeGreaterThan(0);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await folded.count()).toBe(0);
    expect(await page.locator('[data-chart]:not(:has(svg))').count()).toBe(0);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await folded.count()).toBe(before);
  });

  it('fits a phone', async () => {
    const it = await opened(await rendered(await saved('fixed-window-first-request')), {
      viewport: { width: 360, height: 740 },
    });
    await drawAll(it);
    expect(await it.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    // The evidence is there whole, with nothing to push aside.
    const cut =
      "[...document.querySelectorAll('#violated .scroll')].filter((one) => one.scrollWidth > one.clientWidth).length";
    expect(await it.page.evaluate(cut)).toBe(0);
    expect(await it.page.locator('#violated .exchanges td[data-label=reset]').first().isVisible()).toBe(true);
  });

  it('says on two sheets of paper what matters, however much there is, and the rest behind them', async () => {
    const broken = violated('over-admission', {
      expected: 'x',
      observed: 'much was observed, '.repeat(40),
      exchanges: [quoted()],
      exchangesTotal: 1,
    });
    const must = clauses.filter(({ level }) => level === 'must');
    const verdicts = Object.fromEntries(must.map(({ id }) => [id, broken]));
    const { page } = await opened(await rendered(reportOf(verdicts)), {
      viewport: { width: paper.width, height: 900 },
    });
    expect(await page.locator('.paper').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    const { y = 0, height = 0 } = (await page.locator('.paper').boundingBox()) ?? {};
    expect(height).toBeGreaterThan(100);
    expect(y + height).toBeLessThan(2 * paper.height);
    const breaksBefore = "getComputedStyle(document.querySelector('.annex')).breakBefore";
    expect(await page.evaluate(breaksBefore)).toBe('page');
  });
});

/** What a target that hates its tester would answer. */
const attack = `${hostile}</script><script>document.title='owned'</script><img src=x onerror="document.title='owned'">`;

const hostileReport = async (): Promise<Report> => {
  const report = await saved('limit-minus-one');
  const exchange = quoted({
    requestId: attack,
    body: attack,
    limit: 'x'.repeat(1_000_000),
    remaining: attack,
    path: `/v1/${attack}`,
    purpose: attack,
  });
  const verdict = violated(attack, {
    expected: attack,
    observed: attack,
    exchanges: [exchange, { ...exchange, key: null, status: null, receivedMs: null }],
    exchangesTotal: 2,
  });
  const { returns } = report.pictures;
  const timelines = report.pictures.timelines.map((timeline) => ({
    ...timeline,
    key: attack,
    purposes: timeline.purposes.map(() => attack),
    marks: { ...timeline.marks, requestId: timeline.marks.requestId.map(() => attack) },
  }));
  return {
    ...report,
    runId: attack,
    startedAt: attack,
    incompleteReason: attack,
    deployment: { ...report.deployment, name: attack },
    notes: [{ kind: 'note', atMs: 0, text: attack }],
    clauses: report.clauses.map((clause) => ({ ...clause, verdict })),
    pictures: { ...report.pictures, timelines, returns: returns.map((one) => ({ ...one, key: attack })) },
  };
};

describe('whatever a target says', needing('chromium', chromiumIsHere()), () => {
  it('stays text', async () => {
    const markup = await rendered(await hostileReport());
    expect(markup.length).toBeLessThan(2_000_000);
    const it = await opened(markup);
    await drawAll(it);
    const figure = it.page.locator('figure').first();
    await figure.locator('.plot').press('ArrowRight');
    await figure.locator('.plot').hover();
    expect(await figure.locator('output').innerText()).toContain('</script>');
    expect(await it.page.title()).not.toBe('owned');
    expect(await it.page.locator('img, b[onclick], x').count()).toBe(0);
    expect(await it.page.locator('script').count()).toBe(2);
    expect(it.complaints).toEqual([]);
  });
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatLine } from '../../contract/ndjson.ts';
import { signBody } from '../../contract/webhooks/signature.ts';
import { captured, capturedHeader } from '../../contract/webhooks/testing/captured.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { seriousFaults, useBrowser } from '../../reports/page/testing/browser.ts';
import { chromiumIsHere } from '../../reports/page/testing/chromium.ts';
import { hostile } from '../../reports/testing/fixtures.ts';
import { judgeAndReport } from '../../run/judge/judge-file.ts';
import { documentAlone } from '../../run/judge/judging.ts';
import { needing } from '../../testing/needs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';

const opened = useBrowser();
const secret = 'secret-of-a-test';
const startMs = Date.parse('2026-01-01T00:00:00.000Z');

function eventText(id: string, data: object = {}): string {
  const facts = {
    message_id: id,
    waba_number: '15550001000',
    sender: '15550002000',
    recipient: '15550001000',
  };
  return JSON.stringify({
    event: 'message.received',
    timestamp: startMs / 1_000,
    data: { ...facts, type: 'text', body: 'Grüße', ...data },
  });
}

function delivery(index: number, text: string, change: Partial<Delivery> = {}): Delivery {
  return captured({
    index,
    headers: [
      ['Content-Type', 'application/json'],
      ['User-Agent', 'a-sender/1.0 (with a comment of some length)'],
      ['X-Service-Event-Id', `evt_5f0c2b7e9d${index}`],
      ['X-Service-Signature', signBody(secret, Buffer.from(text))],
    ],
    body: { text },
    bodyBytes: Buffer.byteLength(text),
    arrivedMs: startMs + index,
    completeMs: startMs + index,
    answeredMs: startMs + index + 2,
    ...change,
  });
}

async function judgedCapture(deliveries: readonly Delivery[]) {
  const folder = await temporaryFolder();
  const path = join(folder, 'trace.ndjson');
  const end = { kind: 'end', endedAt: '2026-01-01T00:01:00.000Z', complete: true, reason: null };
  await writeFile(path, [capturedHeader, ...deliveries, end].map(formatLine).join(''));
  await judgeAndReport('capture', path, { ...documentAlone, secrets: [secret] });
  return { folder, page: await readFile(join(folder, 'report.html'), 'utf8') };
}

describe('the page of captured webhooks', () => {
  it('stays below a megabyte with ten thousand deliveries, and has each of them', async () => {
    const deliveries = Array.from({ length: 10_000 }, (_, at) =>
      delivery(at, eventText(`msg_7c41d09ab2e${at}`)),
    );
    const { page } = await judgedCapture(deliveries);
    expect(Buffer.byteLength(page)).toBeLessThan(1_000_000);
    expect(page).toContain('All 10,000 deliveries, a line each');
    const lines = new Set(
      page
        .split('<pre tabindex="0">')[1]
        ?.split('\n')
        .map((line) => Number(line.slice(0, 5))),
    );
    expect(deliveries.every(({ index }) => lines.has(index))).toBe(true);
  });

  it('shows what is wrong first, and repetitions of one event as one', async () => {
    const bulk = Array.from({ length: 2_000 }, (_, at) => delivery(at, eventText(`msg_${at}`)));
    const again = [2_000, 2_001].map((at) => delivery(at, eventText('msg_again')));
    const wrong = delivery(2_002, eventText('msg_wrong', { sender: '+1555' }));
    const { page, folder } = await judgedCapture([...bulk, ...again, wrong]);
    for (const index of [0, 2_000, 2_002]) expect(page).toContain(`id="delivery-${index}"`);
    expect(page).not.toContain('id="delivery-2001"');
    expect(page).toContain('2 times, last 200');
    expect(page).toContain('HMAC-SHA256 over the exact bytes of the body');
    expect(page).toContain('-- webhooks replay ');
    expect(page).not.toContain(folder);
    const rendered = await inProcess(['report', folder], folder);
    expect(rendered).toMatchObject({ code: 0, stdout: 'report.html\n' });
    expect(rendered.stderr).toContain('--secret-env names the variable that holds the secret');
    const without = await readFile(join(folder, 'report.html'), 'utf8');
    expect(without).toContain('msg_wrong');
    expect(without).toContain('Not shown: this page was written without the secret');
    const env = { HOOK: secret };
    const signed = await inProcess(['report', folder, '--secret-env', 'HOOK'], folder, { env });
    expect(signed).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(join(folder, 'report.html'), 'utf8')).toBe(page);
  });
});

const attack = `${hostile}</pre></script><script>document.title='owned'</script><img src=x onerror="document.title='owned'">`;

describe('in a browser', needing('chromium', chromiumIsHere()), () => {
  it.each([
    ['light, wide', { colorScheme: 'light' as const, viewport: { width: 1_280, height: 900 } }],
    ['dark, on a phone', { colorScheme: 'dark' as const, viewport: { width: 390, height: 844 } }],
  ])('%s: it can be read by everybody, and what others wrote stays text', async (_how, options) => {
    const bodies = [eventText('msg_1'), eventText('msg_1'), attack, eventText(attack, { body: attack })];
    const headers: Delivery['headers'] = [[attack.replaceAll(/[^ -~]/g, ''), attack]];
    const forwarded = { sentMs: 1, receivedMs: 2, status: 500, headers: [], answer: attack, failure: null };
    const { page: markup } = await judgedCapture([
      ...bodies.map((text, at) => delivery(at, text)),
      delivery(4, attack, { method: attack, path: attack, headers, forwarded }),
    ]);
    const { page, complaints } = await opened(markup, options);
    expect(await page.locator('h1').innerText()).toMatch(/conformant|Inconclusive/i);
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await page.locator('.delivery').first().locator('.copy').first().innerText()).toContain(
      '--only 0',
    );
    expect(await page.locator('img, x, script').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      options.viewport.width,
    );
    expect(await seriousFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type Document, documentSchema } from '../../contract/document/document.ts';
import { pacedOptionsOf } from './document-options.ts';
import type { PacedOptions } from './options.ts';
import { paced } from './paced.ts';
import { processClock } from './process-clock.ts';
import { settle } from './settings.ts';
import { serve } from './testing/answering-server.ts';

const folder = join(import.meta.dirname, '../../documents/examples');
const files = (await readdir(folder)).toSorted();

function pacing(options: PacedOptions) {
  const pace = paced(options);
  const dispatcher = pace.over(new Agent());
  onTestFinished(async () => void (await dispatcher.destroy()));
  return { pace, dispatcher };
}

const documentWith = (scope: object, more: object = {}): Document =>
  documentSchema.parse({
    ...{ version: 1, title: 'a', windowSeconds: 3_600, headers: 'none', errors: 'none' },
    ...more,
    scopes: { items: { title: 'items', ...scope } },
  });

test('the options of every example make a dispatcher that sends', async () => {
  expect(files.length).toBeGreaterThan(0);
  const { url, seen } = await serve([]);
  for (const file of files) {
    const document = documentSchema.parse(parse(await readFile(join(folder, file), 'utf8')));
    const { dispatcher } = pacing(pacedOptionsOf(document));
    await request(`${url}/${file}`, { dispatcher }).then(({ body }) => body.dump());
  }
  expect(seen.map(({ path }) => path)).toEqual(files.map((file) => `/${file}`));
});

const month = 2_678_400;
const million = 1_000_000;
const bucket = (size: number) => ({ kind: 'token-bucket', size });

test.each<readonly [string, Document, number]>([
  ['a week', documentWith({ limit: 300, also: [{ limit: 1, windowSeconds: 604_800 }] }), 1],
  ['31 days', documentWith({ limit: 300, also: [{ limit: 2, windowSeconds: month }] }), 2],
  [
    '31 days of which nothing is said',
    documentWith({ limit: 300, also: [{ limit: 3, windowSeconds: month, promise: 'unsaid' }] }),
    3,
  ],
  [
    'a bucket that is full again after 50 days',
    documentWith({ limit: 300, also: [{ limit: 1, windowSeconds: 86_400, promise: bucket(50) }] }),
    50,
  ],
  [
    'the largest bucket that is filled as slowly as may be',
    documentWith({ limit: 2, also: [{ limit: 1, windowSeconds: month, promise: bucket(million) }] }),
    2,
  ],
  [
    'a first limit that is filled as slowly as may be',
    documentWith({ limit: 1, promise: bucket(million), also: [{ limit: 3, windowSeconds: 60 }] }),
    3,
  ],
  ['the longest block', documentWith({ limit: 1 }, { refusal: { waitSeconds: 3_600 } }), 1],
])('a document with %s makes one that sends what passes, and keeps the rest', async (_, document, passes) => {
  const { url, seen } = await serve([]);
  const { pace, dispatcher } = pacing(pacedOptionsOf(document));
  for (let sent = 0; sent < passes; sent += 1)
    await request(url, { dispatcher }).then(({ body }) => body.dump());
  const beyond = request(url, { dispatcher }).catch(String);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect([pace.waiting(), seen.length]).toEqual([1, passes]);
  await dispatcher.destroy();
  expect(await beyond).toContain('destroyed');
});

test('the window of all scopes is as long as one of their own may be', () => {
  const longest = 1_000_000 * month;
  for (const windowSeconds of [604_800, longest])
    expect(settle({ scopes: { all: { limit: 10_000 } }, windowSeconds }).windowMs).toBe(
      1_000 * windowSeconds,
    );
});

test('nothing is said of a wait that nobody chose', () => {
  const also = [{ limit: 10_000, windowSeconds: 604_800 }];
  expect(settle({ scopes: { all: { limit: 300, also } } }).waitMsMax).toBe(1_000_000_000);
  expect(settle({ scopes: { all: { limit: 1 } }, refusalWaitSeconds: 1_000_000 }).waitMsMax).toBe(
    1_000_000_000,
  );
});

test('a moment that is further off than a timer of Node goes is waited for', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const call = vi.fn<() => void>();
  processClock.at(performance.now() + 3_000_000_000, call);
  vi.advanceTimersByTime(2_999_999_999);
  expect(call).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2);
  expect(call).toHaveBeenCalledOnce();
});

import { parentPort } from 'node:worker_threads';
import { startService } from '../../service/server.ts';
import { startPages } from './pages.ts';

/**
 * As `serve --limit messages=1000000`, on a thread of its own, so that nothing here waits for the measurements: one service
 * that admits all, for no k6 asks for a million in its window, one that refuses all but one, and one that refuses with pages.
 */
const key = 'key-of-the-benchmark';
const start = (limit: number) =>
  startService({
    windowMs: 30_000,
    limits: { standard: limit, messages: limit, media: 30 },
    keys: new Map([['A', key]]),
  });
const [admitting, refusing, pages] = await Promise.all([start(1_000_000), start(1), startPages()]);
parentPort?.postMessage({
  admitting: { url: admitting.url, key },
  refusing: { url: refusing.url, key },
  pages: { url: pages.url, key },
});
parentPort?.once('message', () => void Promise.all([admitting, refusing, pages].map((one) => one.close())));

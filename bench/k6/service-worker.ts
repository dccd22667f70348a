import { parentPort } from 'node:worker_threads';
import { startService } from '../../service/server.ts';

/** As `serve --limit messages=1000000`, on a thread of its own, so that nothing here waits for the measurements. */
const key = 'key-of-the-benchmark';
const service = await startService({
  windowMs: 60_000,
  limits: { standard: 1_000_000, messages: 1_000_000, media: 30 },
  keys: new Map([['A', key]]),
});
parentPort?.postMessage({ url: service.url, key });
parentPort?.once('message', () => void service.close());

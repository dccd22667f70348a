import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import {
  fixedWindow,
  listening,
  rollingLog,
  type SmallApp,
  type SmallLimit,
  type SmallLimiter,
} from '../../run/own-suite/testing/small-limiters.ts';

export type Served = SmallApp;

/** An app with the usual headers. Remaining counts what passed in the window, as a rolling window does. */
export function limited(limiter: SmallLimiter, { limit, windowMs }: SmallLimit): Promise<Served> {
  const passed: number[] = [];
  return listening((_, answer) => {
    const nowMs = performance.now();
    const isAdmitted = limiter(nowMs);
    if (isAdmitted) passed.push(nowMs);
    const inWindow = passed.filter((ms) => ms > nowMs - windowMs).length;
    answer.setHeader('X-RateLimit-Remaining', Math.max(0, limit - inWindow));
    answer.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + windowMs) / 1_000));
    answer.writeHead(isAdmitted ? 200 : 429).end();
  });
}

/** How long a limiter waits for its store before it lets a request pass, ms. */
const storeMsMax = 20;

/** Counts in a thread of its own, as in a store across a network, and fails open where that takes too long. */
export async function failingOpen({ limit, windowMs }: SmallLimit): Promise<Served> {
  const source = `
    const { parentPort } = require('node:worker_threads');
    let taken = [];
    parentPort.on('message', (id) => {
      const nowMs = performance.now();
      taken = taken.filter((ms) => ms > nowMs - ${windowMs});
      const isAdmitted = taken.length < ${limit};
      if (isAdmitted) taken.push(nowMs);
      parentPort.postMessage({ id, isAdmitted });
    });`;
  const store = new Worker(source, { eval: true });
  await once(store, 'online');
  const waiting = new Map<number, (isAdmitted: boolean) => void>();
  store.on('message', ({ id, isAdmitted }: { id: number; isAdmitted: boolean }) =>
    waiting.get(id)?.(isAdmitted),
  );
  let asked = 0;
  const app = await listening((_, answer) => {
    const id = asked++;
    const timer = setTimeout(() => waiting.get(id)?.(true), storeMsMax);
    waiting.set(id, (isAdmitted) => {
      clearTimeout(timer);
      waiting.delete(id);
      answer.writeHead(isAdmitted ? 200 : 429).end();
    });
    store.postMessage(id);
  });
  return {
    url: app.url,
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]();
      await store.terminate();
    },
  };
}

/** A limiter with a bug that people write. */
export type SeededBug = {
  readonly name: string;
  readonly serve: (rule: SmallLimit) => Promise<Served>;
};

export const seededBugs: readonly SeededBug[] = [
  {
    name: 'lets one more pass than the limit',
    serve: ({ limit, windowMs }) => limited(rollingLog({ limit: limit + 1, windowMs }), { limit, windowMs }),
  },
  {
    name: 'counts in windows of the clock',
    serve: (rule) => limited(fixedWindow(rule), rule),
  },
  {
    name: 'reads the count, waits, then writes it',
    serve: readThenWrite,
  },
];

/** Requests that arrive together all read the same count. */
function readThenWrite({ limit, windowMs }: SmallLimit): Promise<Served> {
  let taken: readonly number[] = [];
  return listening(async (_, answer) => {
    const before = taken.filter((ms) => ms > performance.now() - windowMs).length;
    await nextTurn();
    const isAdmitted = before < limit;
    if (isAdmitted) taken = [...taken, performance.now()];
    answer.writeHead(isAdmitted ? 200 : 429).end();
  });
}

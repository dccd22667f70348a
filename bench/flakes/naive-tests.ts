import { setTimeout as sleep } from 'node:timers/promises';
import { fixedWindow, rollingLog, type SmallLimiter } from '../../run/own-suite/testing/small-limiters.ts';
import { failingOpen, limited, type Served } from './apps.ts';

/**
 * A test as limiters of this field have it, rebuilt with a window of a second. Its app keeps its promise, so that every failure of the
 * test is one of the test.
 */
export type NaiveTest = {
  readonly name: string;
  /** What it takes for granted. */
  readonly assumes: string;
  readonly serve: () => Promise<Served>;
  /** @throws where the test fails. */
  readonly run: (url: string) => Promise<void>;
};

const limit = 10;
const windowMs = 1_000;
const rule = { limit, windowMs };

/** The boundaries of a window by the clock fall anywhere in a test, as they do in CI. */
function byTheClock(): SmallLimiter {
  const phaseMs = Math.random() * windowMs;
  const limiter = fixedWindow(rule);
  return (nowMs) => limiter(nowMs + phaseMs);
}

export const naiveTests: readonly NaiveTest[] = [
  {
    name: 'the 429 after the limit',
    assumes: 'no boundary of the clock’s window lies between the first request and the last',
    serve: () => limited(byTheClock(), rule),
    run: async (url) => {
      const statuses = await inTurn(url, limit + 1);
      equal(statuses.at(-1), 429, 'the request over the limit');
    },
  },
  {
    name: 'still refused after half a window',
    assumes: 'the window by the clock began with the test',
    serve: () => limited(byTheClock(), rule),
    run: async (url) => {
      await inTurn(url, limit);
      await sleep(windowMs / 2);
      equal(await status(url), 429, 'half a window later');
    },
  },
  {
    name: 'Remaining of parallel requests',
    assumes: 'requests arrive in the order in which they were sent',
    serve: () => limited(rollingLog(rule), rule),
    run: async (url) => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => fetch(url)));
      const remaining = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
      equal(remaining.join(), '9,8,7,6,5', 'Remaining');
    },
  },
  {
    name: 'a store that fails open',
    assumes: 'the store answers before the limiter gives it up and lets requests pass',
    serve: () => failingOpen(rule),
    run: async (url) => {
      const statuses = await inTurn(url, limit + 1);
      equal(statuses.at(-1), 429, 'the request over the limit');
    },
  },
  {
    name: 'Reset is now and a window',
    assumes: 'test and server read the clock in the same second',
    serve: () => limited(rollingLog(rule), rule),
    run: async (url) => {
      const expected = Math.ceil((Date.now() + windowMs) / 1_000);
      const { headers } = await fetch(url);
      equal(Number(headers.get('x-ratelimit-reset')), expected, 'Reset');
    },
  },
  {
    name: 'waits no longer than announced',
    assumes: 'timers and answers are late by less than 200 ms together',
    serve: () => limited(rollingLog(rule), rule),
    run: async (url) => {
      const startMs = performance.now();
      await inTurn(url, limit);
      while ((await status(url)) === 429) await sleep(10);
      const tookMs = performance.now() - startMs;
      equal(tookMs < windowMs + 200, true, `admitted again after ${Math.round(tookMs)} ms, in time`);
    },
  },
  {
    name: 'a fixed sleep beside the fill',
    assumes: 'all requests are counted within 100 ms of the start',
    serve: () => limited(rollingLog(rule), rule),
    run: async (url) => {
      const fill = Promise.all(Array.from({ length: limit }, () => status(url)));
      await Promise.all([fill, sleep(windowMs + 100)]);
      const again = await Promise.all(Array.from({ length: limit }, () => status(url)));
      equal(again.filter((one) => one === 200).length, limit, 'admitted after the sleep');
    },
  },
  {
    name: 'a pace just below the limit',
    assumes: 'no request is late by more than 5 ms and the next one not',
    serve: () => limited(rollingLog(rule), rule),
    run: async (url) => {
      const startMs = performance.now();
      const sent: Promise<number>[] = [];
      for (let at = 0; at < 2 * limit; at += 1) {
        await sleep(Math.max(0, startMs + (at * windowMs * 1.005) / limit - performance.now()));
        sent.push(status(url));
      }
      const statuses = await Promise.all(sent);
      equal(statuses.filter((one) => one === 429).length, 0, '429s');
    },
  },
];

async function status(url: string): Promise<number> {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
}

async function inTurn(url: string, count: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let at = 0; at < count; at += 1) statuses.push(await status(url));
  return statuses;
}

function equal(found: unknown, expected: unknown, what: string): void {
  if (found !== expected) throw new Error(`${what}: ${String(found)}, not ${String(expected)}`);
}

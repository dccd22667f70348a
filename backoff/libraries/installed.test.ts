import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AdaptiveRetryStrategy, DefaultRateLimiter, StandardRetryStrategy } from '@smithy/core/retry';
import axiosRetry, { DEFAULT_OPTIONS } from 'axios-retry';
import { ExponentialBackoff, handleAll, retry } from 'cockatiel';
import got from 'got';
import ky from 'ky';
import pRetry from 'p-retry';
import { type Dispatcher, RetryAgent } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AnyStrategy, todaysStrategies } from '../strategies.ts';
import { type Answer, alone, givesUp } from '../strategy.ts';
import { admitted, limited, lost, ready } from '../testing/answers.ts';
import { drawn } from '../testing/settings.ts';

/** The models beside the very libraries, at the versions installed: the same answers, the same draws, the same waits. */
const get = todaysStrategies({ isIdempotent: true });
const post = todaysStrategies({ isIdempotent: false });
const startMs = 1_800_000_000_000;

/** What our model waits for one request that is only ever refused, until it gives up. */
function modelled(
  strategy: AnyStrategy,
  answer: Answer,
  random: () => number = Math.random,
): readonly number[] {
  const waits: number[] = [];
  let state = strategy.start(alone);
  for (let attempts = 1; attempts <= 20; attempts += 1) {
    const [waitMs, next] = strategy.next(state, { ...answer, attempts }, random);
    if (waitMs === givesUp) break;
    waits.push(Math.round(waitMs));
    state = next;
  }
  return waits;
}

/** The times between attempts, ms of fake time, until `attempt` is left alone. */
async function observed(request: (attempt: () => void) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  let isOver = false;
  void request(() => times.push(Date.now()))
    .then(
      () => undefined,
      () => undefined,
    )
    .finally(() => {
      isOver = true;
    });
  for (let turn = 0; turn < 100 && !isOver; turn += 1) await vi.advanceTimersToNextTimerAsync();
  return times.slice(1).map((time, at) => time - (times[at] ?? 0));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: startMs });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('undici', () => {
  /** A dispatcher that refuses everything, with such headers. */
  const refusing = (headers: Record<string, string>, attempt: () => void) => ({
    dispatch(_options: unknown, handler: Dispatcher.DispatchHandler) {
      let isPaused = false;
      // As undici's parser does: a paused response ends when it is resumed, and what its handler throws is its error.
      const end = (): void => {
        isPaused = false;
        try {
          handler.onResponseEnd?.(through, {});
        } catch (error) {
          handler.onResponseError?.(through, error as Error);
        }
      };
      const controller = {
        pause: () => {
          isPaused = true;
        },
        resume: () => {
          if (isPaused) end();
        },
        abort: vi.fn(),
      };
      const through = controller as unknown as Dispatcher.DispatchController;
      attempt();
      handler.onRequestStart?.(through, {});
      handler.onResponseStart?.(through, 429, headers, 'Too Many Requests');
      if (!isPaused) end();
      return true;
    },
  });

  const waits = (method: 'GET' | 'POST', headers: Record<string, string>) =>
    observed((attempt) => {
      const agent = new RetryAgent(refusing(headers, attempt) as unknown as Dispatcher);
      return new Promise((resolve) => {
        const end = () => resolve(null);
        agent.dispatch(
          { origin: 'http://127.0.0.1', path: '/', method },
          { onRequestStart: vi.fn(), onResponseStart: vi.fn(), onResponseEnd: end, onResponseError: end },
        );
      });
    });

  it.each([12, 50])('waits as modelled where Retry-After is %i', async (seconds) => {
    expect(await waits('GET', { 'retry-after': String(seconds) })).toEqual(
      modelled(get.undici, limited(0, seconds)),
    );
  });

  it('waits as modelled without the header, and not at all for a POST', async () => {
    expect(await waits('GET', {})).toEqual(
      modelled(get.undici, limited(0, 50, { retryAfterHeaderSeconds: 0 })),
    );
    expect(await waits('POST', { 'retry-after': '1' })).toEqual(modelled(post.undici, limited(0, 1)));
  });
});

describe('ky', () => {
  const waits = (method: 'get' | 'post', headers: Record<string, string>) =>
    observed((attempt) => {
      const fetch = async () => {
        attempt();
        return new Response('{}', { status: 429, headers });
      };
      return ky('http://127.0.0.1/', { method, fetch }).text();
    });

  it('waits as modelled: Retry-After, the reset, its own, none for a POST', async () => {
    expect(await waits('get', { 'Retry-After': '50' })).toEqual(modelled(get.ky, limited(0, 50)));
    const bodyOnly = limited(startMs, 50, { retryAfterHeaderSeconds: 0 });
    expect(await waits('get', {})).toEqual(modelled(get.ky, bodyOnly));
    vi.setSystemTime(startMs);
    const resetSeconds = startMs / 1_000 + 30;
    const [first] = await waits('get', { 'X-RateLimit-Reset': String(resetSeconds) });
    expect(first).toBe(modelled(get.ky, { ...bodyOnly, resetSeconds })[0]);
    expect(await waits('post', { 'Retry-After': '1' })).toEqual(modelled(post.ky, limited(0, 1)));
  });
});

describe('p-retry and cockatiel', () => {
  const refused = (attempt: () => void) => async () => {
    attempt();
    throw new Error('429');
  };

  it('p-retry waits as modelled', async () => {
    const waits = await observed((attempt) => pRetry(refused(attempt)));
    expect(waits).toEqual(modelled(post['p-retry'], limited(0, 50)));
  });

  it('cockatiel waits as modelled, draw for draw', async () => {
    const random = vi.spyOn(Math, 'random').mockImplementation(drawn(7));
    const policy = retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() });
    const delays: number[] = [];
    policy.onRetry(({ delay }) => delays.push(Math.round(delay)));
    await observed((attempt) => policy.execute(refused(attempt)));
    random.mockRestore();
    expect(delays).toEqual(modelled(post.cockatiel, limited(0, 50), drawn(7)));
  });
});

describe('axios-retry', () => {
  it('decides and waits as modelled', () => {
    const errorOf = (method: string) => ({
      config: { method },
      response: { status: 429, headers: { 'retry-after': '7' } },
    });
    const { retries, retryDelay, retryCondition } = DEFAULT_OPTIONS;
    const isRetried = (method: string) => retryCondition?.(errorOf(method) as never);
    const waits = Array.from({ length: retries ?? 0 }, (_, at) =>
      retryDelay?.(at + 1, errorOf('get') as never),
    );
    expect(waits).toEqual(modelled(get['axios-retry'], limited(0, 7)));
    expect([isRetried('get'), isRetried('post')]).toEqual([true, false]);
    expect(modelled(post['axios-retry'], limited(0, 7))).toEqual([]);
    expect(axiosRetry.isNetworkError({ code: 'ECONNRESET' } as never)).toBe(true);
  });
});

describe('got', () => {
  it('computes the waits that are modelled', async () => {
    vi.useRealTimers();
    const headers: Record<string, string> = {};
    const server = createServer((_request, response) => response.writeHead(429, headers).end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const waits = async (method: 'GET' | 'POST') => {
      const computed: number[] = [];
      const calculateDelay = ({ computedValue }: { computedValue: number }) => {
        computed.push(Math.round(computedValue));
        // Told, it goes on at once.
        return computedValue > 0 ? 1 : 0;
      };
      await got(url, { method, retry: { calculateDelay } }).catch(() => null);
      return computed;
    };
    const random = vi.spyOn(Math, 'random').mockImplementation(() => 0.5);
    expect(await waits('GET')).toEqual(modelled(get.got, limited(0, 50, { retryAfterHeaderSeconds: 0 })));
    random.mockRestore();
    headers['Retry-After'] = '50';
    expect(await waits('GET')).toEqual(modelled(get.got, limited(0, 50)));
    expect(await waits('POST')).toEqual(modelled(post.got, limited(0, 50)));
    server.closeAllConnections();
    server.close();
  });
});

describe('AWS SDK', () => {
  type Strategy = Pick<
    StandardRetryStrategy,
    'acquireInitialRetryToken' | 'refreshRetryTokenForRetry' | 'recordSuccess'
  >;
  // Node waits for whole milliseconds, one at least; a fake clock stands still for less.
  const limiter = DefaultRateLimiter as unknown as {
    setTimeoutFn: (then: () => void, ms: number) => unknown;
  };
  limiter.setTimeoutFn = (then, ms) => setTimeout(then, Math.max(1, Math.ceil(ms)));
  const kinds = ['admitted', 'limited', 'lost'] as const;

  /** How long something takes in fake time, ms; `givesUp` where it fails. */
  async function lasting(work: Promise<unknown>): Promise<number> {
    const beganMs = Date.now();
    let ended: 'done' | 'failed' | null = null;
    work.then(
      () => {
        ended = 'done';
      },
      () => {
        ended = 'failed';
      },
    );
    for (let turn = 0; turn < 100 && ended === null; turn += 1) await vi.advanceTimersToNextTimerAsync();
    if (ended === null) throw new Error('it takes longer than any wait that is modelled');
    return ended === 'failed' ? givesUp : Date.now() - beganMs;
  }

  /** Jobs one after the other, their answers drawn: how long the library makes each request wait. */
  async function libraryWaits(strategy: Strategy, seed: number): Promise<readonly number[]> {
    const random = drawn(seed);
    const waits: number[] = [];
    vi.spyOn(Math, 'random').mockImplementation(drawn(99));
    for (let job = 0; job < 40; job += 1) {
      const initial = strategy.acquireInitialRetryToken('test');
      waits.push(await lasting(initial));
      let token = await initial;
      for (;;) {
        vi.setSystemTime(Date.now() + 100);
        const kind = kinds[Math.floor(random() * 3)];
        if (kind === 'admitted' || kind === undefined) {
          strategy.recordSuccess(token);
          break;
        }
        const hint = { retryAfterHint: new Date(Date.now() + 3_000) };
        const errorType = kind === 'limited' ? 'THROTTLING' : 'TRANSIENT';
        const refreshed = strategy.refreshRetryTokenForRetry(token, {
          errorType,
          ...(kind === 'limited' ? hint : {}),
        } as never);
        const waitMs = await lasting(refreshed);
        waits.push(waitMs);
        if (waitMs === givesUp) break;
        token = (await refreshed) as typeof token;
      }
    }
    return waits;
  }

  /** The same jobs by our model. */
  function modelWaits(strategy: AnyStrategy, seed: number): readonly number[] {
    const random = drawn(seed);
    const draws = drawn(99);
    const waits: number[] = [];
    let nowMs = startMs;
    let state = strategy.start(alone);
    const heldMs = (): number => {
      let totalMs = 0;
      for (let asked = 0; strategy.gates && asked < 50; asked += 1) {
        const [waitMs, next] = strategy.next(state, ready(nowMs + totalMs), draws);
        state = next;
        if (waitMs === 0) break;
        totalMs += Math.ceil(waitMs);
      }
      return totalMs;
    };
    for (let job = 0; job < 40; job += 1) {
      waits.push(heldMs());
      nowMs += waits.at(-1) ?? 0;
      for (let attempts = 1; ; attempts += 1) {
        nowMs += 100;
        const kind = kinds[Math.floor(random() * 3)];
        const answers = { admitted: admitted(nowMs), limited: limited(nowMs, 3), lost: lost(nowMs) };
        const [waitMs, next] = strategy.next(state, { ...answers[kind ?? 'admitted'], attempts }, draws);
        state = next;
        if (kind === 'admitted' || kind === undefined) break;
        if (waitMs === givesUp) {
          waits.push(givesUp);
          break;
        }
        nowMs += waitMs;
        const held = heldMs();
        nowMs += held;
        waits.push(waitMs + held);
      }
    }
    return waits;
  }

  it.each([1, 2, 3])('standard mode waits as modelled, history %i', async (seed) => {
    const theirs = await libraryWaits(new StandardRetryStrategy(3), seed);
    const ours = modelWaits(get['aws-sdk'], seed);
    expect(theirs.map((ms) => Math.round(ms))).toEqual(ours.map((ms) => Math.round(ms)));
  });

  it.each([1, 2, 3])('adaptive mode waits as modelled, history %i', async (seed) => {
    const theirs = await libraryWaits(new AdaptiveRetryStrategy(async () => 3) as unknown as Strategy, seed);
    const ours = modelWaits(get['aws-adaptive'], seed);
    expect(theirs.map((ms) => Math.round(ms))).toEqual(ours.map((ms) => Math.round(ms)));
  });
});

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Says whether a request passes, at a moment of a clock that never steps, ms. */
export type SmallLimiter = (nowMs: number) => boolean;

export type SmallLimit = { readonly limit: number; readonly windowMs: number };

/** Keeps a rolling window: a place is free once it is as old as the window. */
export function rollingLog({ limit, windowMs }: SmallLimit): SmallLimiter {
  let taken: readonly number[] = [];
  return (nowMs) => {
    taken = taken.filter((ms) => ms > nowMs - windowMs);
    if (taken.length >= limit) return false;
    taken = [...taken, nowMs];
    return true;
  };
}

/** All places come back at once, at the boundaries of a clock. */
export function fixedWindow({ limit, windowMs }: SmallLimit): SmallLimiter {
  let window = -1;
  let taken = 0;
  return (nowMs) => {
    const now = Math.floor(nowMs / windowMs);
    if (now !== window) taken = 0;
    window = now;
    taken += 1;
    return taken <= limit;
  };
}

/** An app with one route. */
export type SmallApp = AsyncDisposable & { readonly url: string };

export function appWith(limiter: SmallLimiter): Promise<SmallApp> {
  return appWithKeys(() => limiter);
}

/** Each key has a limiter of its own. */
export function appWithKeys(limiterOf: () => SmallLimiter): Promise<SmallApp> {
  const limiters = new Map<string, SmallLimiter>();
  return listening(({ headers: { authorization = '' } }, answer) => {
    const limiter = limiters.get(authorization) ?? limiterOf();
    limiters.set(authorization, limiter);
    answer.statusCode = limiter(performance.now()) ? 200 : 429;
    answer.end();
  });
}

/** Serves it on a free port of this machine until it is disposed of. */
export async function listening(app: RequestListener): Promise<SmallApp> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/items`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

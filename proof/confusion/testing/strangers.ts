import { openForgetful } from '../../../limiters/forgetful.ts';
import { keptWindow } from '../../../limiters/kept-window.ts';
import { type Limiter, openWindow } from '../../../limiters/limiter.ts';
import { perSecondCap } from '../../../limiters/per-second-cap.ts';
import { tokenBucket } from '../../../limiters/token-bucket.ts';

// Limiters that were named wrongly when they were met for the first time, as they decide.

/** Whether a request is admitted at a moment, ms; moments never go back. */
export type Admits = (nowMs: number) => boolean;

/** go-zero's `PeriodLimit` with `Align`: a time to live of whole seconds up to the wall clock's boundary. */
export function kept(limit: number, seconds: number): Admits {
  const window = openWindow(keptWindow({ limit, windowMs: 1_000 * seconds }));
  return (nowMs) => window.decide(nowMs).admitted;
}

/** bottleneck's reservoir: a timer of each key asks again and again, each time a little late, whether the window is over. */
export function reservoir(limit: number, seconds: number, tickMs: number): Admits {
  let ticks = 0;
  let [beganMs, countedFromMs, count] = [Number.NaN, 0, 0];
  return (nowMs) => {
    if (Number.isNaN(beganMs)) [beganMs, countedFromMs] = [nowMs, nowMs];
    for (; beganMs + (ticks + 1) * tickMs <= nowMs; ticks += 1) {
      const tickedMs = beganMs + (ticks + 1) * tickMs;
      if (tickedMs >= countedFromMs + 1_000 * seconds) [countedFromMs, count] = [tickedMs, 0];
    }
    count += 1;
    return count <= limit;
  };
}

/** Python's call-gate: so many frames of the wall clock, or of one that began elsewhere, of which the one in progress is one. */
export function frames(limit: number, count: number, frameMs: number, phaseMs = 0): Admits {
  const taken = new Map<number, number>();
  return (nowMs) => {
    const now = Math.floor((nowMs - phaseMs) / frameMs);
    for (const frame of taken.keys()) if (frame <= now - count) taken.delete(frame);
    if ([...taken.values()].reduce((sum, one) => sum + one, 0) >= limit) return false;
    taken.set(now, (taken.get(now) ?? 0) + 1);
    return true;
  };
}

/** Salvo's sliding guard: frames that begin with the first request, in which refused requests count too. */
export function countingFrames(limit: number, count: number, frameMs: number): Admits {
  let phaseMs = Number.NaN;
  let asked: readonly number[] = [];
  return (nowMs) => {
    if (Number.isNaN(phaseMs)) phaseMs = nowMs;
    const now = Math.floor((nowMs - phaseMs) / frameMs);
    asked = [...asked.filter((frame) => frame > now - count), now];
    return asked.length <= limit;
  };
}

/** Bucket4j, refilled intervally from the first request on; npm's tokenbucket, from when the service made it. */
export function lumps(limit: number, each: number, { everyMs, earlierMs = 0 }: Timer): Admits {
  let [beganMs, steps, tokens] = [Number.NaN, 0, limit];
  return (nowMs) => {
    if (Number.isNaN(beganMs)) beganMs = nowMs - earlierMs;
    const now = Math.floor((nowMs - beganMs) / everyMs);
    tokens = Math.min(limit, tokens + each * (now - steps));
    steps = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

type Timer = { readonly everyMs: number; readonly earlierMs?: number };

/** All is back once a window has passed since it was last, or since the service began (Python's ratelimit). */
export function refilled(limit: number, windowMs: number, earlierMs: number): Admits {
  let [beganMs, count] = [Number.NaN, 0];
  return (nowMs) => {
    if (Number.isNaN(beganMs)) beganMs = nowMs - earlierMs;
    if (nowMs - beganMs >= windowMs) [beganMs, count] = [nowMs, 0];
    count += 1;
    return count <= limit;
  };
}

/** gin-rate-limit: all is back once a window has passed since the last request that was admitted; rejections change nothing. */
export function idle(limit: number, windowMs: number): Admits {
  let [admittedMs, left] = [Number.NEGATIVE_INFINITY, limit];
  return (nowMs) => {
    if (nowMs - admittedMs >= windowMs) left = limit;
    if (left === 0) return false;
    [admittedMs, left] = [nowMs, left - 1];
    return true;
  };
}

/** Bucket4j with a second limit: a token of each bucket, or none of either. */
export function stacked(limit: number, perSecond: number): Admits {
  const rate = { limit, windowMs: 60_000 };
  const window = openWindow(perSecondCap(tokenBucket(rate), perSecond, 'token-bucket'));
  return (nowMs) => window.decide(nowMs).admitted;
}

/** Two limits on top of each other: what the shorter one refuses the longer one never sees. */
export function under(shorter: Limiter<unknown>, longer: Limiter<unknown>): Admits {
  const [first, second] = [openWindow(shorter), openWindow(longer)];
  return (nowMs) => first.decide(nowMs).admitted && second.decide(nowMs).admitted;
}

/** Traefik's rate limiter: a bucket that lives until the second whole second after the last request. */
export function forgotten(limit: number, burst: number): Admits {
  const second = (ms: number): number => Math.floor(ms / 1_000);
  const window = openForgetful(
    () => openWindow(tokenBucket({ limit, windowMs: 60_000 }, { burst })),
    (nowMs, previousMs) => second(nowMs) >= second(previousMs) + 2,
  );
  return (nowMs) => window.decide(nowMs).admitted;
}

/**
 * Python's ratelimitx: looks at its log in Redis first, and adds to it by another call, so that all pass that look at it in
 * between.
 */
export function unlockedLog(limit: number, windowMs: number): Admits {
  let log: readonly number[] = [];
  return (nowMs) => {
    log = log.filter((ms) => ms > nowMs - windowMs);
    if (log.filter((ms) => ms <= nowMs - betweenCallsMs).length >= limit) return false;
    log = [...log, nowMs];
    return true;
  };
}

/** @ladjs/koa-simple-ratelimit: likewise with a counter that its first request begins. */
export function unlockedWindow(limit: number, windowMs: number): Admits {
  let counted: readonly number[] = [];
  return (nowMs) => {
    if (nowMs - (counted[0] ?? Number.NEGATIVE_INFINITY) >= windowMs) counted = [];
    if (counted.filter((ms) => ms <= nowMs - betweenCallsMs).length >= limit) return false;
    counted = [...counted, nowMs];
    return true;
  };
}

const betweenCallsMs = 3;

/** Varnish's vsthrottle: what dripped in since the last admission counts in whole tokens, and the rest of it is lost. */
export function truncating(limit: number, windowMs: number): Admits {
  let [tokens, lastMs] = [limit, Number.NaN];
  return (nowMs) => {
    if (Number.isNaN(lastMs)) lastMs = nowMs;
    tokens = Math.min(limit, tokens + Math.trunc(((nowMs - lastMs) / windowMs) * limit));
    if (tokens <= 0) return false;
    tokens -= 1;
    lastMs = nowMs;
    return true;
  };
}

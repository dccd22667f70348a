import type { RateWindow } from '../limiters/limiter.ts';

/** Open windows by their key. */
export type WindowTable = {
  /** The window of a key, opened where there is none. */
  at(windowKey: string, nowMs: number, open: () => RateWindow): RateWindow;
  readonly size: number;
};

/** A map that grows or shrinks copies all that it holds, while requests wait. So a large table is many small ones. */
const shardsMax = 256;

/** Windows looked at in one request at most: a bound on how long it waits. */
const lookedAtMax = 4_096;

/**
 * Forgets windows that are idle, some with each request, so that no request waits while all are looked at. Each is
 * looked at within `sweepMs`, where requests come often enough: whatever the keys, it holds about as many windows as were in
 * use in the last two of these spans.
 */
export function createWindowTable(sweepMs: number): WindowTable {
  const shards: Map<string, RateWindow>[] = [new Map()];
  let size = 0;
  let shardSwept = 0;
  let sweeping: Iterator<[string, RateWindow]> | null = null;
  let sweptMs = Number.NaN;
  /** How much the present pass has to look at: the windows, and the end of each shard. */
  let pass = 0;
  /** How much is due to be looked at by now; below 1 between requests that come close together. */
  let due = 0;

  const shardOf = (windowKey: string): Map<string, RateWindow> =>
    shards[shards.length === 1 ? 0 : spread(windowKey)] as Map<string, RateWindow>;

  const split = (): void => {
    const [all] = shards;
    shards.length = 0;
    for (let shard = 0; shard < shardsMax; shard += 1) shards.push(new Map());
    sweeping = null;
    for (const [key, window] of all ?? []) shardOf(key).set(key, window);
  };

  const lookAtOne = (nowMs: number): void => {
    sweeping ??= shards[shardSwept % shards.length]?.entries() ?? null;
    const next = sweeping?.next();
    if (next === undefined || next.done === true) {
      sweeping = null;
      shardSwept = (shardSwept + 1) % shards.length;
      if (shardSwept === 0) pass = 0;
      return;
    }
    const [key, window] = next.value;
    if (window.idleFromMs() > nowMs) return;
    shards[shardSwept % shards.length]?.delete(key);
    size -= 1;
  };

  const sweep = (nowMs: number): void => {
    pass = Math.max(pass, size + shards.length);
    // Two passes in a span: a window can become idle just after it was looked at.
    due += (2 * pass * (nowMs - sweptMs)) / sweepMs || 0;
    sweptMs = nowMs;
    const count = Math.min(lookedAtMax, Math.floor(due));
    due = Math.max(0, Math.min(due, lookedAtMax) - count);
    for (let looked = 0; looked < count; looked += 1) lookAtOne(nowMs);
  };

  return {
    at(windowKey, nowMs, open) {
      sweep(nowMs);
      const known = shardOf(windowKey).get(windowKey);
      if (known !== undefined) return known;
      if (shards.length === 1 && size === splitAt) split();
      const opened = open();
      shardOf(windowKey).set(windowKey, opened);
      size += 1;
      return opened;
    },
    get size() {
      return size;
    },
  };
}

/** Windows in one map before there are many maps: a service of few keys needs but one. */
const splitAt = 4_096;

/** The end of a key varies most. Where keys end alike, one map holds them all, which is slower but not wrong. */
function spread(windowKey: string): number {
  const { length } = windowKey;
  let sum = length;
  for (let index = Math.max(0, length - 4); index < length; index += 1)
    sum = (sum * 31 + windowKey.charCodeAt(index)) & 0xff_ff;
  return (sum ^ (sum >> 8)) % shardsMax;
}

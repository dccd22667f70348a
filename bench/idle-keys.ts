import process from 'node:process';
import { openSlidingLog } from '../limiters/sliding-log.ts';
import { createWindowTable } from '../service/window-table.ts';
import { cpuSeconds } from './cpu-seconds.ts';

/**
 * A million keys that come once, and then expire while others are decided about. A process of its own, so that no other
 * heap is swept meanwhile: `idle-keys.ts KEYS LIMIT WINDOW_MS` prints what it found as JSON.
 */
const [keys = 0, limit = 0, windowMs = 0] = process.argv.slice(2).map(Number);
const stepMs = 0.05;
const table = createWindowTable(windowMs);
const open = () => openSlidingLog({ limit, windowMs });
const decide = (key: string, nowMs: number) => table.at(key, nowMs, open).decide(nowMs);

const emptyBytes = process.memoryUsage().heapUsed;
for (let key = 0; key < keys; key += 1) decide(`key ${key}`, key * stepMs);
const bytesEach = (process.memoryUsage().heapUsed - emptyBytes) / table.size;
let nowMs = keys * stepMs;

/** Decides about one more key every 10 ms. */
function decideWhile(goesOn: () => boolean) {
  let [decisions, longestMs] = [0, 0];
  const seconds = cpuSeconds(() => {
    for (; goesOn(); nowMs += 10) {
      const beganMs = performance.now();
      decide('used', nowMs);
      longestMs = Math.max(longestMs, performance.now() - beganMs);
      decisions += 1;
    }
  });
  return { seconds, decisions, longestMs };
}

// V8 still collects what making them has left: a pause of theirs, and of no key that expires.
const before = decideWhile(() => nowMs < windowMs);
const expiring = decideWhile(() => table.size > 1);
process.stdout.write(JSON.stringify({ bytesEach, before, expiring }));

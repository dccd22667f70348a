// Imported before a program that is measured (--import): says as its last line what the process took since then. JavaScript, so
// that nothing is loaded for it that the program itself does not load.
import { writeSync } from 'node:fs';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

let before = process.cpuUsage();
let began = performance.now();

/** For a script that says itself when its work begins: what it loads is not measured then. */
export function beginWork() {
  before = process.cpuUsage();
  began = performance.now();
}

// Threads of the program import this too.
if (isMainThread)
  process.once('exit', () => {
    const { user, system } = process.cpuUsage(before);
    const taken = {
      cpuSeconds: (user + system) / 1e6,
      seconds: (performance.now() - began) / 1_000,
      peakMegabytes: (process.resourceUsage().maxRSS * 1_024) / 1e6,
    };
    writeSync(process.stdout.fd, `\n${JSON.stringify(taken)}`);
  });

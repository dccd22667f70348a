import process from 'node:process';
import type { TestContext, TestOptions } from 'vitest';

/** What a few tests need that a machine may lack, and how it is had; `null` where it cannot be. */
export const needs = {
  chromium: { name: 'Chromium', how: 'apt-get install chromium, or set CHROMIUM_BIN' },
  fish: { name: 'fish', how: 'apt-get install fish' },
  zsh: { name: 'zsh', how: 'apt-get install zsh' },
  curl: { name: 'curl', how: 'apt-get install curl' },
  go: { name: 'Go', how: 'apt-get install golang' },
  haproxy: { name: 'HAProxy', how: 'apt-get install haproxy' },
  k6: { name: 'k6', how: 'install Go, which builds it, or set K6_BIN' },
  linux: { name: 'Linux', how: null },
  nginx: { name: 'nginx', how: 'apt-get install nginx-light' },
  'other-nodes': { name: 'Node 22 and 24, and pnpm', how: 'npm has to be reachable once' },
  python: { name: 'Python', how: 'apt-get install python3' },
  redis: { name: 'Redis', how: 'apt-get install redis-server' },
} as const;

export type Need = keyof typeof needs;

declare module 'vitest' {
  interface TaskMeta {
    /** Why a test did not run. */
    lacks?: Need;
  }
}

/**
 * Options of a test or a suite that is left out where the machine lacks what it needs; the last line of the run says so.
 * @throws in CI, where what is left out would pass for tested.
 */
export function needing(need: Need, isHere: boolean): TestOptions {
  if (isHere) return {};
  refuseInCi(need);
  return { skip: true, meta: { lacks: need } };
}

/**
 * Leaves out the test that is running.
 * @throws in CI, as `needing` does.
 */
export function skipWithout(need: Need, { task, skip }: Pick<TestContext, 'task' | 'skip'>): never {
  refuseInCi(need);
  task.meta.lacks = need;
  return skip(needs[need].name);
}

function refuseInCi(need: Need): void {
  const { name, how } = needs[need];
  if ((process.env['CI'] ?? '') !== '' && how !== null)
    throw new Error(`CI leaves no test out, and there is no ${name}: ${how}.`);
}

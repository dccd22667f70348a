import { expect, test } from 'vitest';
import { buildProgress } from './build-progress.ts';

/** A build on a clock that moves with each package. */
function built({ listed, msEach }: { readonly listed: number; readonly msEach: number }) {
  let nowMs = 0;
  const said: string[] = [];
  const progress = buildProgress({
    name: 'k6',
    version: '2.2.0',
    nowMs: () => nowMs,
    onProgress: (text) => said.push(text),
  });
  const packages = Array.from({ length: 600 }, (_, at) => `example.test/p${at}`);
  progress.counting();
  progress.line('go: downloading example.test/a v1.0.0');
  for (const name of packages.slice(0, listed)) progress.line(name);
  nowMs += 10_000;
  progress.compiling();
  for (const name of packages) {
    nowMs += msEach;
    progress.line(name);
  }
  return { said: said.map((text) => text.replace('building k6 v2.2.0, this once: ', '')), progress };
}

test('says how many of how many packages are compiled, how long that took, and how long it will take', () => {
  const { said } = built({ listed: 600, msEach: 200 });
  expect(said.slice(0, 3)).toEqual([
    'finding out what there is to do',
    '600 packages to compile',
    '30 of 600 packages compiled, 16 s so far',
  ]);
  expect(said).toContain('150 of 600 packages compiled, 40 s so far, about 1 min 30 s left');
  expect(said).toContain('570 of 600 packages compiled, 2 min so far, about 6 s left');
  expect(said.at(-1)).toBe('linking, 2 min 10 s so far');
  expect(said.length).toBeLessThan(25);
});

test('says what is known where Go could not list the packages', () => {
  const { said } = built({ listed: 0, msEach: 500 });
  expect(said[1]).toBe('compiling');
  expect(said).toContain('300 packages compiled, 2 min 40 s so far');
  expect(said.join()).not.toContain('left');
});

test('keeps the last words of a build that fails', () => {
  const { progress } = built({ listed: 600, msEach: 1 });
  expect(progress.lastWords()).toBe('go gave no reason');
  progress.line('go: no such module: proxy is down');
  expect(progress.lastWords()).toBe('go: no such module: proxy is down');
});

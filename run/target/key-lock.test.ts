import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { lockKeys } from './key-lock.ts';

const keys = [
  { alias: 'A', secret: 'first-key' },
  { alias: 'B', secret: 'second-key' },
];
const baseUrls = ['http://127.0.0.1:1', 'http://127.0.0.1:2/below'];

async function cache() {
  const home = await temporaryFolder();
  const folder = join(home, 'messaging-conformance', 'keys-in-use');
  return { env: { XDG_CACHE_HOME: home }, folder, locks: () => readdirSync(folder) };
}

describe('a key that a run uses', () => {
  test('is kept from another at the same address until it is given back', async () => {
    const { env, locks } = await cache();
    const release = lockKeys({ keys, baseUrls, env });
    expect(() => lockKeys({ keys: keys.slice(1), baseUrls: ['http://127.0.0.1:2'], env })).toThrow(
      /^Key B is in use by another run on this machine: process \d+, since /,
    );
    release();
    expect(locks()).toEqual([]);
    lockKeys({ keys, baseUrls, env })();
  });

  test('is taken once where it is named twice', async () => {
    const { env, locks } = await cache();
    const twice = [...keys, { alias: 'L1', secret: 'first-key' }];
    const release = lockKeys({ keys: twice, baseUrls: baseUrls.slice(0, 1), env });
    expect(locks()).toHaveLength(2);
    release();
    expect(locks()).toEqual([]);
  });

  test('costs a process one listener, however many runs go on at once', async () => {
    const { env, locks } = await cache();
    const listeners = process.listenerCount('exit');
    const releases = [3, 4, 5].map((port) => lockKeys({ keys, baseUrls: [`http://127.0.0.1:${port}`], env }));
    expect([process.listenerCount('exit'), locks().length]).toEqual([listeners, 6]);
    for (const release of releases) release();
    expect(locks()).toEqual([]);
  });

  test('is no other key, and none at another address', async () => {
    const { env } = await cache();
    const release = lockKeys({ keys, baseUrls, env });
    expect(() => lockKeys({ keys: [{ alias: 'A', secret: 'third-key' }], baseUrls, env })()).not.toThrow();
    expect(() => lockKeys({ keys, baseUrls: ['http://127.0.0.1:3'], env })()).not.toThrow();
    release();
  });

  test('is given back where another of the same run is not to be had', async () => {
    const { env, locks } = await cache();
    const release = lockKeys({ keys: keys.slice(1), baseUrls, env });
    const before = locks();
    expect(() => lockKeys({ keys, baseUrls, env })).toThrow('Key B is in use');
    expect(locks()).toEqual(before);
    release();
  });

  test('leaves nothing of itself, in a folder of the user alone', async () => {
    const { env, folder, locks } = await cache();
    const release = lockKeys({ keys, baseUrls, env });
    const written = locks().flatMap((name) => [name, readFileSync(join(folder, name), 'utf8')]);
    expect(written.filter((text) => /first|second/.test(text))).toEqual([]);
    expect(statSync(folder).mode & 0o077).toBe(0);
    release();
  });

  test.each<readonly [string, () => string]>([
    [
      'of a process that is gone',
      () => JSON.stringify({ pid: spawnSync('true').pid, began: null, at: '2026-01-01T00:00:00.000Z' }),
    ],
    [
      'of another process with the same number',
      () => JSON.stringify({ pid: process.pid, began: 'another boot', at: '2026-01-01T00:00:00.000Z' }),
    ],
    ['that is none', () => 'x'],
  ])('is free again behind a lock %s', async (_what, text) => {
    const { env, folder, locks } = await cache();
    const one = { keys: keys.slice(0, 1), baseUrls: baseUrls.slice(0, 1), env };
    const release = lockKeys(one);
    const [name = ''] = locks();
    writeFileSync(join(folder, name), text());
    lockKeys(one)();
    expect(locks()).toEqual([]);
    release();
  });
});

test('where no lock can be written nothing is locked', async () => {
  const home = await temporaryFolder();
  writeFileSync(join(home, 'messaging-conformance'), 'in the way');
  const env = { XDG_CACHE_HOME: home };
  const release = lockKeys({ keys, baseUrls, env });
  expect(() => lockKeys({ keys, baseUrls, env })()).not.toThrow();
  release();
});

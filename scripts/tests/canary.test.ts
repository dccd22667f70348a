import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { startReference } from '../testing/reference.ts';
import { canaries, canaryKeys, expectNoCanary, watched } from '../testing/watched.ts';

const secrets = [canaries[0], canaries[1]] as const;
const keys = canaryKeys;

/** Stands in for k6, and lets everything out that it was given. */
async function indiscreetK6(): Promise<string> {
  const path = join(await temporaryFolder(), 'k6');
  const lines = [
    '#!/bin/sh',
    'if [ "$1" = version ]; then echo "k6 v2.2.0"; exit 0; fi',
    'while [ $# -gt 0 ]; do case "$1" in --console-output) console=$2 ;; esac; shift; done',
    'for file in /proc/self/environ "$CONFORMANCE_LOAD_KEY_FILE"; do',
    '  cat "$file"; cat "$file" >&2; base64 "$file" >&2; cat "$file" >> "$console"',
    'done',
    // Long enough to be looked at.
    'sleep 0.3',
    'exit 1',
  ];
  await writeFile(path, `${lines.join('\n')}\n`);
  await chmod(path, 0o755);
  return path;
}

describe('keys', () => {
  it('stay out of all output, files and command lines of a whole run, k6’s included', async () => {
    const { service, flags } = await startReference({ windowSeconds: 2, secrets });
    const run = await watched(flags, { env: { K6_BIN: await indiscreetK6() } });
    await service.close();
    expect(run.files).toContain('"kind":"end"');
    expect(run.stdout).toContain('messages-burst');
    expect(run.commandLines).toContain('conformance.js');
    // Those of k6 and of esbuild at least.
    expect(run.environments.split('PATH=').length).toBeGreaterThan(2);
    expectNoCanary(run);
  });

  it('stay out where they are rejected', async () => {
    const { service, flags } = await startReference({ windowSeconds: 2 });
    const run = await watched([...flags, '--no-load']);
    await service.close();
    expect(run.stdout).toContain('401');
    expectNoCanary(run);
  });

  it('stay out where nobody listens, and where the settings are unusable', async () => {
    const dead = ['--url', 'http://127.0.0.1:1', '--profile', 'reference', '--no-load'];
    expectNoCanary(await watched([...dead, '--key-env', 'KEY_A,KEY_B', '--debug']));
    expectNoCanary(await watched([...dead, '--key-env', 'KEY_A,NO_KEY', '--debug']));
    expectNoCanary(
      await watched([...dead, '--key-env', 'KEY_A,SAME', '--debug'], { env: { SAME: keys.KEY_A } }),
    );
    expectNoCanary(
      await watched([...dead, '--key-env', 'KEY_A,BAD', '--debug'], { env: { BAD: `${keys.KEY_B}\n` } }),
    );
  });

  it('stay out where the target echoes them in everything that it says', async () => {
    const echo = createServer((request, response) => {
      request.resume();
      const { authorization = 'none' } = request.headers;
      const names = [
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'retry-after',
        'x-request-id',
      ];
      for (const name of names) response.setHeader(name, authorization);
      response.setHeader('content-type', `application/json; echo="${authorization}"`);
      // So long that a kept body ends in the middle of a key.
      const body = JSON.stringify({
        success: false,
        error: { code: authorization, message: `${authorization} `.repeat(200) },
      });
      response.writeHead(429).end(body);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => echo.once('listening', resolve));
    const address = echo.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const run = await watched([
      '--url',
      url,
      '--profile',
      'reference',
      '--key-env',
      'KEY_A,KEY_B',
      '--light',
    ]);
    echo.closeAllConnections();
    echo.close();
    expect(run.files).toContain('[key A]');
    expectNoCanary(run);
  });
});

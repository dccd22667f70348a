import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { savedRuns } from '../testing/command-line.ts';
import { startReference } from '../testing/reference.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * `npm run checks`, as its script has it. It runs where the project lies: whoever has a settings file of their own there
 * must not find it used by the tests.
 */
async function vitestChecks(cwd: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const settings = join(cwd, 'settings.json');
  await writeFile(settings, '{}');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const out = { CONFORMANCE_OUT: join(cwd, 'runs'), CONFORMANCE_CONFIG: settings };
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'checks', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TMPDIR: tmpdir(), NO_COLOR: '1', ...out, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (text += more));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, text };
}

describe('npm run checks', () => {
  it('probes once, and judges what -t selects', async () => {
    const cwd = await temporaryFolder();
    const { service, env } = await startReference({ windowSeconds: 2 });
    onTestFinished(() => service.close());
    const { code, text } = await vitestChecks(cwd, ['-t', 'headers.present'], {
      ...env,
      CONFORMANCE_URL: service.url,
      CONFORMANCE_KEY_ENV: 'KEY_A,KEY_B',
      CONFORMANCE_PROFILE: 'reference',
      CONFORMANCE_WINDOW: '2',
    });
    expect(text).toMatch(/Tests +1 passed/);
    expect(code).toBe(0);
    expect(await savedRuns(cwd)).toHaveLength(1);
  });

  it('fails as a whole, with the reason, where the probes cannot be completed', async () => {
    const cwd = await temporaryFolder();
    const { code, text } = await vitestChecks(cwd, [], {
      CONFORMANCE_URL: 'http://127.0.0.1:1',
      CONFORMANCE_KEY_ENV: 'KEY',
      CONFORMANCE_PROFILE: 'reference',
      KEY: 'a-usable-key',
    });
    expect(text).toContain('connection refused (ECONNREFUSED). Check the address');
    expect(text).not.toMatch(/\n\s+at /);
    expect(code).toBe(1);
  });
});
